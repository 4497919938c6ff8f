import { admittedInput } from "../agents/transcript.js";
import type { JournalRecord } from "../journal/store.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { PauseAudit } from "../protocol/pause.js";
import type { Toolset } from "../tools/toolset.js";
import { mergePatch } from "../util/merge-patch.js";

const MASK = "***";

/** An audit as it is shown: values of sensitive fields in edits are masked; all of them where the tool is not there any more. */
export function shownAudit(
  audit: readonly PauseAudit[],
  records: readonly JournalRecord[],
  tools: Toolset | undefined,
): readonly PauseAudit[] {
  return audit.map((entry) => {
    const { decision, pause } = entry;
    if (decision === undefined || !("edit" in decision) || decision.edit === undefined) return entry;
    const tool = tools?.find(pause.tool);
    const input = admittedInput(records, pause.callId);
    // Which values are sensitive is known of the whole input: a change alone may not tell which case of a union it is of.
    const masked =
      tool === undefined || input === undefined
        ? MASK
        : tool.input.mask(mergePatch(structuredClone(input), decision.edit) as JsonValue);
    return { ...entry, decision: { ...decision, edit: shownEdit(decision.edit, masked) } };
  });
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
