import type { JsonValue } from "./json.js";
import type { ErrorData, RunStatus, RunUsage, StopReason } from "./outcome.js";
import type { Pause } from "./pause.js";
import type { ToolResult } from "./tool-result.js";
import type { FinishReason, Usage } from "./usage.js";

/** A faithful repair of an argument: where, and what was read as what. */
export interface Repair {
  readonly path: string;
  readonly kind: "json-text" | "number-text" | "boolean-text" | "null-as-absent";
}

export type RunEventBody =
  | { readonly type: "run-start"; readonly threadId: string; readonly agent: string; readonly prompt: string }
  /** Everything shown of `turn` and later is void: it comes again. */
  | { readonly type: "run-resumed"; readonly threadId: string; readonly agent: string; readonly turn: number }
  | { readonly type: "turn-start"; readonly turn: number; readonly agent: string }
  | { readonly type: "text-delta"; readonly turn: number; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly turn: number; readonly text: string }
  /** A piece of a call's arguments, before the answer is whole: whether the call is made, only its `tool-call` says. */
  | {
      readonly type: "tool-input-delta";
      readonly turn: number;
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    }
  | {
      readonly type: "tool-call";
      readonly turn: number;
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: "tool-start";
      readonly callId: string;
      readonly name: string;
      readonly input: JsonValue;
      readonly repairs: readonly Repair[];
    }
  | {
      readonly type: "tool-progress";
      readonly callId: string;
      readonly name: string;
      readonly value: JsonValue;
    }
  /** `late`: the handler settled after its call already had a result; `result` changes nothing any more. */
  | {
      readonly type: "tool-end";
      readonly callId: string;
      readonly name: string;
      readonly result: ToolResult;
      readonly durationMs: number;
      readonly late?: true | undefined;
    }
  | {
      readonly type: "hook-error";
      readonly callId: string;
      /** `reconcile`: a tool could not say what became of its call; a person is asked. */
      readonly hook: "onBeforeCall" | "onAfterCall" | "reconcile";
      readonly message: string;
    }
  | { readonly type: "approval-request"; readonly pause: Pause }
  /** The run waits for something else than an approval: an answer, or what became of a call. */
  | { readonly type: "pause"; readonly pause: Pause }
  /** `failed`: why this attempt of the model call gave no answer; another one follows. */
  | {
      readonly type: "usage";
      readonly turn: number;
      readonly model: string;
      readonly usage: Usage;
      readonly failed?: ErrorData | undefined;
    }
  | { readonly type: "turn-end"; readonly turn: number; readonly finish: FinishReason }
  | {
      readonly type: "run-end";
      readonly status: Exclude<RunStatus, "running">;
      readonly stopReason: StopReason;
      readonly text: string;
      readonly usage: RunUsage;
      readonly error?: ErrorData | undefined;
    };

/**
 * What happens in a run, as it happens. `seq` counts from 1 within one activation (one pick-up of the run by a process);
 * `at` is milliseconds since 1970. Events are frozen and shared by all listeners.
 */
export type RunEvent = RunEventBody & {
  readonly runId: string;
  readonly activation: string;
  readonly seq: number;
  readonly at: number;
};

export type RunEventType = RunEvent["type"];
