import type { CallInputs } from "../llm/call-inputs.js";
import type { RunEventBody } from "../protocol/event.js";
import type { Clock } from "../util/clock.js";
import type { Deadlines } from "../util/deadlines.js";
import type { CallHook } from "./call-hook.js";
import type { RepeatGuard } from "./repeat-guard.js";
import type { ExclusiveKeys } from "./exclusive-keys.js";
import type { Mask } from "./value-mask.js";
import type { OpenCalls } from "./open-calls.js";

/** What the calls of one agent in one run share. */
export interface CallEnvironment {
  readonly runId: string;
  readonly threadId: string;
  readonly owner: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly workflow: string;
  readonly agent: string;
  readonly executionContext: unknown;
  /** The run's own signal, for hooks. */
  readonly signal: AbortSignal;
  /** The app's, then the agent's. */
  readonly hooks: readonly CallHook[];
  /** The run's scope of the container; opaque here, handed to `BoundTool.open`. */
  readonly instances: unknown;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly calls: OpenCalls;
  /** Tools with words of strangers whose results the model was sent; none outside a run. */
  readonly untrustedTools?: readonly string[] | undefined;
  /** What is masked in everything that is shown; undefined where nothing is. */
  readonly mask?: Mask | undefined;
  /** What the run called before; `undefined` before its first result, and outside a run. */
  readonly repeats?: RepeatGuard | undefined;
  /** Where a call's input is left for the next prompt; undefined outside a run. */
  readonly inputs?: CallInputs | undefined;
  /** Undefined where nobody listens. */
  readonly emit: ((event: RunEventBody) => void) | undefined;
  /** Keys that one call of this process may have at a time. */
  readonly exclusive: ExclusiveKeys;
  /** Hears what a handler tells of its progress, outside a run. */
  readonly onProgress?: ((value: unknown) => unknown) | undefined;
  /** Hears what a call has reported in all so far, in whole nano-USD, where it is kept. */
  readonly spends?: ((callId: string, costNanoUsd: number) => void) | undefined;
  /** Hears what a handler reports to have spent, outside a run. */
  readonly onCost?: ((usd: number) => unknown) | undefined;
  /** Answers what a handler asks, outside a run. */
  readonly onPause?: ((question: string) => unknown) | undefined;
}
