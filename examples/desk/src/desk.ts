import { usd, Workflow } from "tenon";
import { provide } from "tenon/container";
import { DeskAgent } from "./desk-agent.js";
import { IssuesIndex } from "./records/issues-index.js";
import { NotesFolder } from "./records/notes-folder.js";
import { ISSUES_FILE, NOTES_DIR, NOTES_SEED } from "./tokens.js";

const inProject = (path: string): URL => new URL(`../${path}`, import.meta.url);

/** The support desk. Notes are kept in `.tenon/notes`, so that trying it out changes no file of the repository. */
@Workflow({
  name: "desk",
  version: "1.0.0",
  agents: [DeskAgent],
  providers: [
    provide(NOTES_DIR, { useValue: inProject(".tenon/notes/") }),
    provide(NOTES_SEED, { useValue: inProject("data/notes/") }),
    provide(ISSUES_FILE, { useValue: inProject("data/issues.jsonl") }),
    provide(NotesFolder, { useClass: NotesFolder }),
    provide(IssuesIndex, { useClass: IssuesIndex }),
  ],
  limits: { perRun: { cost: usd(0.25) } },
})
export class Desk {}
