import type { Tool } from "@modelcontextprotocol/server";
import type { BoundTool } from "../../tools/bound-tool.js";

/** The name of the tool that gives the result of a call that waited. */
export const RESULT_TOOL = "tenon_result";

/** Gives the result of a call that waited: for clients that cannot be asked. */
export const resultTool: Tool = {
  name: RESULT_TOOL,
  description:
    "Gives the result of an earlier call that answered that it waits, once somebody has decided. Starts nothing anew.",
  inputSchema: {
    type: "object",
    properties: { runId: { type: "string", description: "The runId that the waiting call answered with." } },
    required: ["runId"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
};

/** Whether a client is told of it: not where no tool asks for approval. It can be called in any case. */
export function offersResults(tools: Iterable<BoundTool>): boolean {
  for (const { approval } of tools) if (approval !== false) return true;
  return false;
}
