import type { Command } from "commander";
import type { Decision, JsonObject, JsonValue, Pause } from "tenon";
import { usage } from "../command-error.js";
import { decidePause, type DecideFlags } from "../decide-pause.js";
import type { ExitCode } from "../exit-codes.js";
import { jsonFlag, jsonObjectFlag } from "../json-flag.js";
import { asksForMore, decideText } from "../print-pause.js";
import type { Terminal } from "../terminal.js";

interface ApproveFlags extends DecideFlags {
  readonly edit?: string;
  readonly answer?: string;
  readonly done?: string;
  readonly rerun?: boolean;
}

/** What was said beside "yes": at most one of them. */
type Said =
  | { readonly flag: "none" }
  | { readonly flag: "--edit"; readonly value: JsonObject }
  | { readonly flag: "--answer" | "--done"; readonly value: JsonValue }
  | { readonly flag: "--rerun" };

/** `tenon approve`: yes to a call, the answer to a question, or what became of a call in doubt; the run goes on with it. */
export function approveCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("approve")
    .description("say yes to a call, answer a question, or say what became of a call in doubt; its run goes on here")
    .argument("<pauseId>", "the id of the pause; `tenon runs show` prints it")
    .option("--edit <json>", "yes, with changes to the input: a JSON merge patch")
    .option("--answer <json>", "the answer to a question")
    .option("--done <json>", "the call in doubt happened, and gave this")
    .option("--rerun", "the call in doubt runs again, with the same call id")
    .option("--by <name>", "who decides; default: the user of this machine")
    .option("--record-only", "record the decision, and leave the run to another process")
    .option("--json", "print the run's result (with --record-only the decision) as one JSON object")
    .action(async (pauseId: string, flags: ApproveFlags) => {
      const said = saidBy(flags);
      done(await decidePause(terminal, pauseId, flags, (pause, by) => decisionOf(pause, said, by)));
    });
}

function saidBy(flags: ApproveFlags): Said {
  const edit = jsonObjectFlag("--edit", flags.edit, '{"text":"other"}');
  const answer = jsonFlag("--answer", flags.answer);
  const done = jsonFlag("--done", flags.done);
  const said: readonly Said[] = [
    ...(edit === undefined ? [] : [{ flag: "--edit", value: edit } as const]),
    ...(answer === undefined ? [] : [{ flag: "--answer", value: answer } as const]),
    ...(done === undefined ? [] : [{ flag: "--done", value: done } as const]),
    ...(flags.rerun === true ? [{ flag: "--rerun" } as const] : []),
  ];
  if (said.length > 1) throw usage(`${said.map(({ flag }) => flag).join(" and ")} do not go together.`);
  return said[0] ?? { flag: "none" };
}

function decisionOf(pause: Pause, said: Said, by: string): Decision {
  switch (pause.kind) {
    case "approval":
      if (said.flag === "none") return { approved: true, by };
      if (said.flag === "--edit") return { approved: true, edit: said.value, by };
      break;
    case "question":
      if (said.flag === "--answer") return { answer: said.value, by };
      break;
    case "in-doubt":
      if (said.flag === "--done") return { action: "done", result: said.value, by };
      if (said.flag === "--rerun") return { action: "rerun", by };
      break;
  }
  const what = said.flag === "none" ? "An approval alone says nothing here" : `${said.flag} does not fit this pause`;
  const waits = asksForMore(pause) ? "a limit waits to be raised, by an amount" : kindText[pause.kind];
  throw usage(`${what}: ${waits}. Nothing was recorded.\n${decideText(pause)}`);
}

const kindText: { readonly [K in Pause["kind"]]: string } = {
  approval: "a call waits for a yes or a no",
  question: "a tool asks a question",
  "in-doubt": "a call was interrupted, and nobody knows whether it happened",
};
