import type { ToolResult } from "../protocol/tool-result.js";
import type { CallEnvironment } from "../tools/call-environment.js";
import { invokeAlone } from "../tools/invoke-alone.js";
import { OpenCalls } from "../tools/open-calls.js";
import type { ToolCallScope } from "../tools/tool-context.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { AppParts } from "./active-run.js";
import type { Assembly } from "./assembly.js";
import type { RunScope } from "../container/run-scope.js";

/** One call of a tool with the app's dependencies and the app's hooks, in a scope of its own, without a run. */
export async function invokeInApp(
  assembly: Assembly,
  parts: AppParts,
  tool: ToolEntry,
  input: unknown,
  scope: ToolCallScope,
): Promise<ToolResult> {
  const bound = assembly.tools.bindChecked(tool);
  const calls = new OpenCalls();
  const signal = scope.signal ?? scope.run?.signal ?? new AbortController().signal;
  const stop = (): void => calls.abort("cancel");
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  let opened: RunScope | undefined;
  const environment: CallEnvironment = {
    runId: scope.run?.runId ?? scope.runId ?? "invoke",
    threadId: scope.run?.threadId ?? "invoke",
    owner: scope.run?.owner,
    metadata: scope.run?.metadata ?? {},
    workflow: scope.workflow ?? assembly.name,
    agent: scope.agent ?? "",
    executionContext: scope.executionContext,
    signal,
    hooks: assembly.appHooks,
    instances: { scope: () => (opened ??= parts.container.openScope()) },
    clock: parts.clock,
    deadlines: parts.deadlines,
    calls,
    emit: undefined,
    onCost: scope.reportCost,
  };
  try {
    return await invokeAlone(bound, input, scope.callId ?? `call_invoke_${++invoked}`, environment, scope.approvedBy);
  } finally {
    signal.removeEventListener("abort", stop);
    await opened?.dispose();
  }
}

let invoked = 0;
