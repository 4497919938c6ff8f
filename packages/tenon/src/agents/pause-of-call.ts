import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { Interruption, Pause, PauseKind } from "../protocol/pause.js";
import type { BoundTool } from "../tools/bound-tool.js";
import { shownInput } from "../tools/shown-input.js";
import type { RunState } from "./run-state.js";

/** What a call waits for. */
export interface Asking {
  readonly kind: PauseKind;
  readonly question: string;
  readonly digest: string;
  readonly expiresInMs?: number | undefined;
  readonly schema?: JsonObject | undefined;
  readonly interruption?: Interruption | undefined;
}

/** The pause of a call, the `n`th of it, as people see it. */
export function pauseOf(
  state: RunState,
  call: ToolCallPart,
  tool: BoundTool | undefined,
  input: JsonValue,
  n: number,
  { kind, question, digest, expiresInMs, schema, interruption }: Asking,
): Pause {
  const openedAt = state.clock.now();
  const { mask } = state;
  return {
    id: `pause_${call.callId}_${n}`,
    runId: state.runId,
    threadId: state.threadId,
    kind,
    question: mask === undefined ? question : mask(question),
    agent: state.agent,
    tool: tool?.name ?? call.name,
    callId: call.callId,
    // Without its tool nobody knows what of it is sensitive.
    input: tool === undefined ? null : shownInput(tool, input, mask),
    digest,
    openedAt,
    ...(expiresInMs === undefined ? {} : { expiresAt: openedAt + expiresInMs }),
    ...(schema === undefined ? {} : { schema }),
    ...(interruption === undefined ? {} : { interruption }),
  };
}

/** How the key of the record that holds a pause's answer ends. */
export function waitKeyOf({ id, callId }: Pause): string {
  return `/call:${callId}/wait:${id.slice(id.lastIndexOf("_") + 1)}`;
}
