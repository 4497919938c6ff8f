import { BadInputError, type CallHook, type JsonValue, type ToolErrorCode } from "tenon";
import { assertKnown, clockOf, type HookClock } from "./known-options.js";

/** A call that has ended. Plain frozen data, with no value that the model or a person would not be shown. */
export interface AuditRecord {
  /** The same however often the end of a call is told: keep one record for each. */
  readonly callId: string;
  readonly runId: string;
  readonly threadId: string;
  readonly owner: string | undefined;
  readonly workflow: string;
  readonly agent: string;
  /** The tool's name; as the model gave it where there is no such tool. */
  readonly tool: string;
  readonly access: "read" | "write";
  /**
   * The input, values of sensitive fields and what `maskValues` finds masked. `undefined` where the call was refused before it had
   * a checked one.
   */
  readonly input: JsonValue | undefined;
  readonly result: { readonly kind: "ok" } | { readonly kind: "error"; readonly code: ToolErrorCode };
  readonly durationMs: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
}

/** Where records go. */
export type AuditSink = (record: AuditRecord) => void | Promise<void>;

export interface AuditOptions {
  /** Default: the system's. */
  readonly clock?: HookClock | undefined;
}

/**
 * Gives `sink` a record of each call that has ended: done, failed, denied, invalid, or of a tool that is not there.
 *
 * After-hook: told before the result of the call is recorded, so at least once, also after a crash; `callId` tells one from another.
 * What the sink throws or rejects with, and five seconds without an end, is a `hook-error` event and changes nothing; until then
 * the call waits for it. A run that is stopped tells the sink and does not wait. A call that waits for a person has not ended.
 * Keeps no state. Throws `BadInputError` for a sink that is no function, and for bad options.
 */
export function audit(sink: AuditSink, options: AuditOptions = {}): CallHook {
  if (typeof sink !== "function")
    throw new BadInputError("audit takes a sink", typeof sink, "Pass a function that keeps a record.");
  assertKnown("audit", options, ["clock"]);
  const clock = clockOf<HookClock>("audit", options.clock, Date, ["now"]);
  return {
    onAfterCall({ runId, threadId, owner, workflow, agent }, call) {
      const { toolCallId: callId, toolName: tool, access, shownInput: input, code, durationMs } = call;
      const result = Object.freeze(code === undefined ? { kind: "ok" as const } : { kind: "error" as const, code });
      const who = { callId, runId, threadId, owner, workflow, agent };
      return sink(Object.freeze({ ...who, tool, access, input, result, durationMs, at: clock.now() }));
    },
  };
}
