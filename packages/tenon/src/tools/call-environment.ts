import type { RunEventBody } from "../protocol/event.js";
import type { Clock } from "../util/clock.js";
import type { Deadlines } from "../util/deadlines.js";
import type { CallHook } from "./call-hook.js";
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
  /** Undefined where nobody listens. */
  readonly emit: ((event: RunEventBody) => void) | undefined;
  /** Hears what a handler reports to have spent, outside a run. */
  readonly onCost?: ((usd: number) => unknown) | undefined;
}
