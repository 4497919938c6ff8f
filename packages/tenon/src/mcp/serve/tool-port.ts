import type { JsonObject } from "../../protocol/json.js";
import type { FilePart } from "../../protocol/message.js";
import type { Decision, Pause } from "../../protocol/pause.js";
import type { ToolResult } from "../../protocol/tool-result.js";
import type { BoundTool } from "../../tools/bound-tool.js";

/** Who calls: taken from the connection, never from what a call says. */
export interface McpCaller {
  /** Whom the runs of the calls belong to. Owners see nothing of each other; calls without one share theirs. */
  readonly owner?: string | undefined;
  /** What tools get as `ctx.executionContext`; never stored. */
  readonly executionContext?: unknown;
}

/** How a call is accompanied while it goes on. */
export interface CallWatch {
  /** Ends the call, where nobody else waits for its run; one that waits for a person keeps waiting. */
  readonly signal: AbortSignal;
  /** Hears of `ctx.progress`. */
  readonly onProgress?: ((value: unknown) => void) | undefined;
  /** What the run is to be called: the same call again is then the same run. Default a new one. */
  readonly runId?: string | undefined;
  /** Stored with the run. */
  readonly metadata?: JsonObject | undefined;
}

/** How far a call has come. */
export type ServedCall = { readonly runId: string; readonly tool: string } & (
  | {
      readonly kind: "result";
      readonly result: ToolResult;
      /** What a model would read, capped, with notes; of a `PlainText` its bare text. */
      readonly content: string;
      readonly files: readonly FilePart[];
    }
  /** Somebody has to decide first. */
  | { readonly kind: "waits"; readonly pauses: readonly Pause[] }
  /** The run ended without a result of its call. */
  | { readonly kind: "ended"; readonly code: string; readonly message: string }
);

/** What the protocol's part needs from an app: calls that are runs. */
export interface ToolPort {
  readonly name: string;
  readonly version: string | undefined;
  /** The tools that are offered, by name. */
  readonly tools: ReadonlyMap<string, BoundTool>;
  call(tool: string, args: JsonObject, caller: McpCaller, watch: CallWatch): Promise<ServedCall>;
  /**
   * Goes on with a run of that caller, with decisions where there are some; `undefined` where the caller has no such run, or its tool
   * is one that `goesOn` does not take: then nothing is done. A decision that does not count (somebody else was first, the time is
   * over) changes nothing.
   */
  goOn(
    runId: string,
    decisions: Readonly<Record<string, Decision>>,
    caller: McpCaller,
    watch: CallWatch & { readonly goesOn?: ((tool: string) => boolean) | undefined },
  ): Promise<ServedCall | undefined>;
}
