import type { OnDelta } from "../llm/model.js";
import type { RunEventBody } from "../protocol/event.js";
import { callIdStart } from "./turn-record.js";

/** Tells the pieces of an answer as events; those of a call under the id that the call will have. */
export function toldDeltas(emit: (event: RunEventBody) => void, runId: string, turn: number): OnDelta {
  return (type, text, call) =>
    emit(
      type === "tool-input-delta"
        ? { type, turn, callId: callIdStart(runId, turn) + call!.position, name: call!.name, text }
        : { type, turn, text },
    );
}
