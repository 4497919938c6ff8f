import { Agent } from "tenon";
import { CountIssues } from "./tools/count-issues.js";
import { NoteSave } from "./tools/note-save.js";
import { NoteSearch } from "./tools/note-search.js";
import { SearchIssues } from "./tools/search-issues.js";

@Agent({
  name: "desk",
  description: "Answers questions of the support team from its notes and from the issue list.",
  promptUrls: ["./desk.prompt.md"],
  tools: [NoteSearch, NoteSave, SearchIssues, CountIssues],
})
export class DeskAgent {}
