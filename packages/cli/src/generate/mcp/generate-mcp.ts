import type { Generated } from "../generated-file.js";
import { leftOutText, type ToolPlans } from "./plan-tools.js";
import { serverFile, type McpServerPlan } from "./server-file.js";
import { toolFile } from "./tool-file.js";
import { toolTestFile } from "./tool-test-file.js";

/** The files of an MCP server: its class, and for each tool a class, its DTOs and a test. */
export function generateMcp(server: McpServerPlan, { plans, leftOut }: ToolPlans): Generated {
  const writes = plans.filter(({ access }) => access === "write").map(({ className }) => className);
  return {
    files: [
      serverFile(
        server,
        plans.map(({ tool }) => tool.name),
      ),
      ...plans.flatMap((plan) => [toolFile(plan, server), toolTestFile(plan)]),
    ],
    notes: leftOut.map(leftOutText),
    next: [
      `Read the files: descriptions and schemas are the server's words, and your model will read them.`,
      `Give an agent what it needs: \`tools: [${plans.map(({ className }) => className).join(", ")}]\`.`,
      ...(writes.length === 0
        ? []
        : [`Add \`approval: true\` where a person is to be asked before a call: ${writes.join(", ")}.`]),
    ],
  };
}
