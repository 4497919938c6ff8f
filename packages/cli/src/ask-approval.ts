import type { Decision } from "tenon";
import { askLine, tell, type Person } from "./ask-line.js";
import { jsonObjectOf } from "./json-flag.js";

const HOW = 'answer "yes", or "no" and why, or "edit" and the changes; /exit leaves the run waiting';
const HOW_WHY = "say why, in a few words: the model reads it; /exit leaves the run waiting";
const HOW_EDIT = 'say what changes, as a JSON merge patch such as {"text":"other"}; /exit leaves the run waiting';

/** Asks whether a call may run: yes, no with a reason, or yes with changes. `undefined` where the person left. */
export async function askApproval(person: Person): Promise<Decision | undefined> {
  const { by } = person;
  for (;;) {
    const line = await askLine(person, "approve? yes, or no and why, or edit and the changes: ", HOW);
    if (line === undefined) return undefined;
    const [, said = "", rest = ""] = /^(y|yes|n|no|e|edit)\b[\s,:.]*(.*)$/is.exec(line) ?? [];
    switch (said.charAt(0).toLowerCase()) {
      case "n": {
        const reason = rest === "" ? await askLine(person, "why not? ", HOW_WHY) : rest;
        if (reason === undefined) return undefined;
        tell(person, `not approved: ${reason}`);
        return { approved: false, reason, by };
      }
      case "e": {
        const text = rest === "" ? await askLine(person, "changes: ", HOW_EDIT) : rest;
        if (text === undefined) return undefined;
        const edit = jsonObjectOf(text);
        if (edit !== undefined) {
          tell(person, `approved with changes: ${JSON.stringify(edit)}`);
          return { approved: true, edit, by };
        }
        tell(person, HOW_EDIT);
        break;
      }
      default:
        // "yes, but …" is no clear yes.
        if (said !== "" && rest === "") return { approved: true, by };
        tell(person, HOW);
    }
  }
}
