import { admittedInput } from "../agents/transcript.js";
import type { JournalRecord } from "../journal/store.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { Decision, Pause, PauseAudit } from "../protocol/pause.js";
import { compileSchema } from "../schema/compile-schema.js";
import { jsonSchema } from "../schema/json-schema-source.js";
import { loadFor } from "../schema/load-for.js";
import { MASK } from "../schema/mask-value.js";
import type { BoundTool } from "../tools/bound-tool.js";
import type { Toolset } from "../tools/toolset.js";
import { copyPlain } from "../util/copy-plain.js";
import { mergePatch } from "../util/merge-patch.js";

/**
 * An audit as it is shown: values of sensitive fields in edits, results and answers are masked; in edits and results all of them
 * where the tool is not there any more.
 */
export async function shownAudit(
  audit: readonly PauseAudit[],
  records: readonly JournalRecord[],
  tools: Toolset | undefined,
): Promise<readonly PauseAudit[]> {
  return Promise.all(
    audit.map(async (entry) => {
      const { decision, pause } = entry;
      if (decision === undefined || "lapsed" in decision) return entry;
      return { ...entry, decision: await shownDecision(decision, pause, records, tools?.find(pause.tool)) };
    }),
  );
}

async function shownDecision(
  decision: Decision,
  pause: Pause,
  records: readonly JournalRecord[],
  tool: BoundTool | undefined,
): Promise<Decision> {
  if ("answer" in decision) return { ...decision, answer: await shownAnswer(decision.answer, pause.schema) };
  if ("action" in decision && decision.action === "done")
    return { ...decision, result: tool === undefined ? MASK : (tool.output?.mask(decision.result) ?? decision.result) };
  if (!("edit" in decision) || decision.edit === undefined) return decision;
  const input = admittedInput(records, pause.callId);
  const masked = tool === undefined || input === undefined ? MASK : await maskedInput(tool, input, decision.edit);
  return { ...decision, edit: shownEdit(decision.edit, masked) };
}

/**
 * The input with a change, masked. Which values are sensitive is known of the whole one, with its repairs: a change alone does not
 * tell which case of a union it is of, or is the text of an object.
 */
async function maskedInput(tool: BoundTool, input: JsonValue, edit: JsonObject): Promise<JsonValue> {
  try {
    const checked = await tool.input.check(mergePatch(copyPlain(input), edit));
    return checked.ok ? tool.input.mask(checked.input) : MASK;
  } catch {
    return MASK;
  }
}

/** The schema that the question was stored with says what is sensitive. */
async function shownAnswer(answer: JsonValue, schema: JsonObject | undefined): Promise<JsonValue> {
  if (schema === undefined) return answer;
  const source = jsonSchema(schema);
  await loadFor([source]);
  return compileSchema(source, "answer").mask(answer);
}

function shownEdit(edit: JsonObject, masked: JsonValue): JsonObject {
  const members = Object.entries(edit).map(([name, value]) => [
    name,
    shownValue(value, masked === MASK ? MASK : (masked as JsonObject)[name]),
  ]);
  return Object.fromEntries(members) as JsonObject;
}

/** `masked` is what stands in the place of the value once everything sensitive is masked. */
function shownValue(value: JsonValue | undefined, masked: JsonValue | undefined): JsonValue {
  // What was taken out tells nothing of what it was.
  if (value === null || value === undefined) return null;
  if (masked === MASK || masked === undefined) return MASK;
  return typeof value === "object" && !Array.isArray(value) ? shownEdit(value as JsonObject, masked) : masked;
}
