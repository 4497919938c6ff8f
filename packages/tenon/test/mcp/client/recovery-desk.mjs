// The app of `recovery.test.ts`, in the test and in the process that is killed. Decorators are called as functions here.
import { defineAgent } from "tenon";
import { McpServer, McpServerClient, mcpTools } from "tenon/mcp";

/** An agent with the writer's tools; its pins are in the folder. */
export function deskIn(folder, script, node) {
  class Writer extends McpServerClient {}
  const options = { name: "writer", command: node, args: [script, `${folder}/lines.txt`], tools: ["append", "about"] };
  McpServer({ ...options, lockFile: `${folder}/tenon.lock.json` })(Writer);
  const agent = () =>
    defineAgent({ name: "desk", description: "Writes.", tools: mcpTools(Writer, { access: { about: "read" } }) });
  return { Writer, agent };
}

export const RUN = "mcp-kill-run";
