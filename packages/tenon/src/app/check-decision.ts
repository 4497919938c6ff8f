import { admittedInput } from "../agents/transcript.js";
import { DecisionRefusedError } from "../errors/run-errors.js";
import type { JournalRecord } from "../journal/store.js";
import type { JsonValue } from "../protocol/json.js";
import type { Decision, Pause } from "../protocol/pause.js";
import { compileSchema } from "../schema/compile-schema.js";
import { jsonSchema } from "../schema/json-schema-source.js";
import { loadFor } from "../schema/load-for.js";
import { editedInput } from "../tools/edit-input.js";
import { encoded } from "../tools/checked-values.js";
import { OpenCalls } from "../tools/open-calls.js";
import type { Toolset } from "../tools/toolset.js";
import { copyPlain } from "../util/copy-plain.js";
import type { Deadlines } from "../util/deadlines.js";
import { assertFits } from "./decisions.js";

/** What a decision is checked with. */
export interface DecisionParts {
  readonly records: readonly JournalRecord[];
  readonly tools: Toolset;
  readonly deadlines: Deadlines;
}

/**
 * Checks a decision against the pause that it answers, and gives it as it is stored. Throws `DecisionRefusedError` where it does
 * not fit: its kind, its digest, an edit or a result that the tool's schemas refuse, an answer that the question's schema refuses.
 */
export async function checkDecision(
  pause: Pause,
  decision: Decision,
  { records, tools, deadlines }: DecisionParts,
): Promise<Decision> {
  assertFits(pause.id, pause.kind, decision);
  if (decision.digest !== undefined && decision.digest !== pause.digest)
    throw refused(pause, "The decision was made for another input", "Look at the pause again");
  const tool = tools.find(pause.tool);
  const environment = { calls: new OpenCalls(), deadlines };
  if ("edit" in decision && decision.edit !== undefined) {
    const input = admittedInput(records, pause.callId);
    if (tool === undefined || input === undefined)
      throw refused(pause, `${pause.tool} is not here, so its input cannot be changed`, "Decide where the tool is");
    const edited = await editedInput(tool, input, decision.edit, environment, pause.input);
    if ("message" in edited) throw unfit(pause, `The edit does not fit: ${edited.message}`, "Change the edit");
    return decision;
  }
  if ("answer" in decision && pause.schema !== undefined) {
    const schema = jsonSchema(pause.schema);
    await loadFor([schema]);
    const checked = await compileSchema(schema, "answer").check(copyPlain(decision.answer));
    if (!checked.ok) throw unfit(pause, `The answer does not fit: ${checked.message}`, "Change the answer");
    // With its repairs: only so is it known what of it is sensitive.
    return { ...decision, answer: checked.input };
  }
  if ("action" in decision && decision.action === "done" && tool !== undefined) {
    const result = await encoded(tool, decision.result, environment);
    if (result.kind === "error") throw unfit(pause, result.message, "Change the result");
    return { ...decision, result: result.value as JsonValue };
  }
  return decision;
}

function refused(pause: Pause, what: string, next: string): DecisionRefusedError {
  return new DecisionRefusedError(what, pause.id, `${next}; nothing was taken, the run still waits.`);
}

/** `what` ends with the value that does not fit: the pause's id is set apart from it. */
function unfit(pause: Pause, what: string, next: string): DecisionRefusedError {
  return refused(pause, `${what.replace(/[.\s]+$/, "")}. This was for the pause`, next);
}
