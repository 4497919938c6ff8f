import type { RunScope } from "../container/run-scope.js";
import type { ToolResult } from "../protocol/tool-result.js";
import { inAloneEnvironment } from "../tools/alone-environment.js";
import { callScopeOf } from "../tools/check-call-scope.js";
import { invokeAlone } from "../tools/invoke-alone.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { AppParts } from "./active-run.js";
import type { Assembly } from "./assembly.js";
import { endScope } from "./end-scope.js";

/** One call of a tool with the app's dependencies and the app's hooks, in a scope of its own, without a run. */
export async function invokeInApp(
  assembly: Assembly,
  { container, clock, deadlines, exclusive }: AppParts,
  tool: ToolEntry,
  input: unknown,
  given: unknown,
): Promise<ToolResult> {
  const scope = callScopeOf(given);
  const bound = await assembly.tools.bindChecked(tool);
  let opened: RunScope | undefined;
  const parts = {
    names: { runId: "invoke", threadId: "invoke", workflow: assembly.name, agent: "" },
    hooks: assembly.appHooks,
    mask: assembly.maskOf(""),
    instances: { scope: () => (opened ??= container.openScope()) },
    clock,
    deadlines,
    exclusive,
  };
  const callId = scope.callId ?? `call_invoke_${++invoked}`;
  try {
    return await inAloneEnvironment(scope, parts, (environment) =>
      invokeAlone(bound, input, callId, environment, scope.approvedBy),
    );
  } finally {
    if (opened !== undefined) await endScope(opened, deadlines);
  }
}

let invoked = 0;
