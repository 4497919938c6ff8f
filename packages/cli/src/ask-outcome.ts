import type { Decision } from "tenon";
import { askLine, tell, type Person } from "./ask-line.js";
import { valueOf } from "./ask-question.js";

const HOW = 'answer "done" and what it gave, "rerun", or "give up"; /exit leaves the run waiting';
const HOW_DONE = "say what the tool would have returned, as a text or JSON; /exit leaves the run waiting";

/** Asks what became of a call that was interrupted. `undefined` where the person left. */
export async function askOutcome(person: Person): Promise<Decision | undefined> {
  const { by } = person;
  for (;;) {
    const line = await askLine(person, "what became of it? done and what it gave, rerun, or give up: ", HOW);
    if (line === undefined) return undefined;
    const [, said = "", rest = ""] = /^(done|rerun|give[ -]?up)\b[\s,:.]*(.*)$/is.exec(line) ?? [];
    if (/^done$/i.test(said)) {
      const text = rest === "" ? await askLine(person, "what did it give? ", HOW_DONE) : rest;
      if (text === undefined) return undefined;
      const result = valueOf(text);
      tell(person, `done: ${JSON.stringify(result)}`);
      return { action: "done", result, by };
    }
    // "rerun, but …" is no clear word.
    if (/^rerun$/i.test(said) && rest === "") return { action: "rerun", by };
    if (/^give/i.test(said)) return rest === "" ? { action: "give-up", by } : { action: "give-up", reason: rest, by };
    tell(person, HOW);
  }
}
