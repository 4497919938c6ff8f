import { toErrorData } from "../errors/tenon-error.js";
import { pinsOf } from "../mcp/client/server-pins.js";
import type { ListedTool } from "../mcp/connection/listed-tool.js";
import { whileAccepting } from "../mcp/lock/accepting.js";
import { askServer } from "../mcp/lock/ask-server.js";
import { compareTools, type McpServerReport } from "../mcp/lock/compare-server.js";
import type { Maybe } from "../util/class.js";
import type { App } from "./app.js";
import type { AppServer } from "./mcp-servers.js";
import { serversOfApp } from "./servers-of-app.js";

/** How the tools of an app's MCP servers stand. */
export interface McpReport {
  /** Every declared tool is offered as it was accepted. */
  readonly ok: boolean;
  readonly servers: readonly McpServerReport[];
}

/** An app, or what makes one: that one is closed again, and tools that are not pinned yet do not keep it from being made. */
export type AppSource = App | (() => Maybe<App>);

/**
 * Connects to every MCP server of an app, one after the other, and compares its tools with what `tenon.lock.json` has of them.
 * Changes nothing. A server that does not answer is told in its report. Throws what making the app throws.
 */
export async function checkMcp(source: AppSource): Promise<McpReport> {
  return withServers(source, async (servers) => {
    const reports: McpServerReport[] = [];
    for (const server of servers) reports.push((await lookAt(server)).report);
    return { ok: reports.every(isSettled), servers: reports };
  });
}

/** Whether all of a server's declared tools are as they were accepted. */
export function isSettled({ error, tools }: McpServerReport): boolean {
  return error === undefined && tools.every(({ standing }) => standing === "accepted");
}

/** Does something with the servers of an app. */
export async function withServers<T>(
  source: AppSource,
  work: (servers: readonly AppServer[]) => Promise<T>,
): Promise<T> {
  if (typeof source !== "function") return work(serversOfApp(source).all());
  const app = await whileAccepting(async () => source());
  try {
    return await work(serversOfApp(app).all());
  } finally {
    await app.close();
  }
}

/** A server's report, and the list that it is made of. */
export async function lookAt({
  declaration,
  spec,
}: AppServer): Promise<{ readonly report: McpServerReport; readonly listed: readonly ListedTool[] }> {
  const { file, tools: pins } = pinsOf(declaration);
  const { name, tools: declared } = declaration.options;
  const place = { server: name, lockFile: file };
  try {
    const { tools, faults } = await askServer(spec);
    return { report: { ...place, ...compareTools(declared, pins, tools), faults }, listed: tools };
  } catch (thrown) {
    return { report: { ...place, tools: [], unused: [], faults: [], error: toErrorData(thrown) }, listed: [] };
  }
}
