import type { CallEnvironment } from "./call-environment.js";
import { OpenCalls } from "./open-calls.js";
import type { ToolCallScope } from "./tool-context.js";

/** What a call outside a run has of whoever makes it; the names stand in for what its scope does not say. */
export type AloneParts = Pick<CallEnvironment, "hooks" | "mask" | "instances" | "clock" | "deadlines" | "exclusive"> & {
  readonly names: Pick<CallEnvironment, "runId" | "threadId" | "workflow" | "agent">;
};

/** Makes one call in an environment of its own, which its scope's signal stops. Nothing of it stays on the signal. */
export async function inAloneEnvironment<R>(
  scope: ToolCallScope,
  { names, hooks, mask, instances, clock, deadlines, exclusive }: AloneParts,
  call: (environment: CallEnvironment) => Promise<R>,
): Promise<R> {
  const { run } = scope;
  const calls = new OpenCalls();
  const signal = scope.signal ?? run?.signal ?? new AbortController().signal;
  const stop = (): void => calls.abort("cancel");
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await call({
      runId: run?.runId ?? scope.runId ?? names.runId,
      threadId: run?.threadId ?? names.threadId,
      owner: run?.owner,
      metadata: run?.metadata ?? {},
      workflow: scope.workflow ?? names.workflow,
      agent: scope.agent ?? names.agent,
      executionContext: scope.executionContext,
      signal,
      hooks,
      mask,
      instances,
      clock,
      deadlines,
      calls,
      emit: undefined,
      exclusive,
      onProgress: scope.progress,
      onCost: scope.reportCost,
      onPause: scope.pause,
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
