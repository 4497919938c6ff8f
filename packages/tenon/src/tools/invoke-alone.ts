import type { ToolResult } from "../protocol/tool-result.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import type { AdmittedInput } from "./admission.js";
import type { Executed } from "./executed.js";
import { noKey, takeKey, whenTurn } from "./in-turn.js";
import { admit, conclude, execute, failure } from "./invoke-tool.js";
import { Toolset } from "./toolset.js";

/**
 * One call outside a run: admission and execution as in a run, with all hooks, but without a journal. A tool that asks
 * answers `approval_required` unless `approvedBy` says who allowed it.
 */
export async function invokeAlone(
  tool: BoundTool,
  input: unknown,
  callId: string,
  environment: CallEnvironment,
  approvedBy: string | undefined,
): Promise<ToolResult> {
  const tools = new Toolset([tool]);
  const request = { callId, name: tool.name, arguments: input };
  const startedAt = environment.clock.elapsedMs();
  const admission = await admit(request, tools, environment);
  let result: ToolResult;
  if (admission.kind === "refused") result = admission.result;
  else if (admission.kind === "ask" && !isFilled(approvedBy))
    result = failure(
      "approval_required",
      `${tool.name} waits for approval: invoke it with { approvedBy } once somebody allowed it`,
    );
  else result = await inOrder(callId, tool, admission, environment);
  await conclude(request, tool, { input: admission.input, result, startedAt }, environment);
  return result;
}

const outsideRun = { again: false, resumption: undefined };

/** Somebody's name; anything else allows nothing. */
function isFilled(approvedBy: unknown): boolean {
  return typeof approvedBy === "string" && approvedBy.trim() !== "";
}

async function inOrder(
  callId: string,
  tool: BoundTool,
  admitted: AdmittedInput,
  environment: CallEnvironment,
): Promise<ToolResult> {
  try {
    const place = takeKey(tool, admitted.input, environment.exclusive);
    const executed = await new Promise<Executed>((resolve, reject) => {
      const run = (): void =>
        execute(callId, tool, admitted, environment, outsideRun, { executed: resolve, broken: reject });
      if (place === undefined) run();
      else whenTurn(place, environment, run);
    });
    place?.leave();
    // Outside a run no handler waits.
    return "result" in executed ? executed.result : failure("approval_required", `${tool.name} waits for an answer`);
  } catch (thrown) {
    return failure("tool_error", noKey(tool, thrown));
  }
}
