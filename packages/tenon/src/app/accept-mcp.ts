import { BadInputError } from "../errors/run-errors.js";
import { withPins } from "../mcp/lock/lock-file.js";
import { pinOf } from "../mcp/lock/pin-of.js";
import { updateLock } from "../mcp/lock/update-lock.js";
import type { McpServerReport } from "../mcp/lock/compare-server.js";
import type { ListedTool } from "../mcp/connection/listed-tool.js";
import type { Maybe } from "../util/class.js";
import { isSettled, lookAt, withServers, type AppSource, type McpReport } from "./check-mcp.js";
import type { AppServer } from "./mcp-servers.js";

/** What is accepted. */
export interface AcceptOptions {
  /** The name of one server. Default: all. */
  readonly server?: string | undefined;
  /** Declared tools of that server, by their names there. Default: all. */
  readonly tools?: readonly string[] | undefined;
  /** Asked with what would change, before anything is written; `false` leaves everything as it is. Default: it is written. */
  readonly confirm?: ((report: McpReport) => Maybe<boolean>) | undefined;
}

/** What was found, before anything was written, and whether it was written. */
export interface AcceptedMcp extends McpReport {
  readonly accepted: boolean;
}

/**
 * Takes the declared tools of an app's MCP servers as they are offered now into `tenon.lock.json`: exactly the list that `confirm`
 * is shown. The pin of a tool that is gone, or (where all tools are accepted) not declared any more, is taken out. A server that
 * does not answer keeps its pins. Throws `BadInputError` for a server or a tool that is not declared, `McpLockError` for a lock file
 * that cannot be used, `SchemaError` for a tool that is too large to be pinned.
 */
export async function acceptMcp(source: AppSource, options: AcceptOptions = {}): Promise<AcceptedMcp> {
  return withServers(source, async (all) => {
    const looked = [];
    for (const server of chosen(all, options)) looked.push({ server, ...(await lookAt(server)) });
    const reports = looked.map(({ report }) => ofTools(report, options.tools));
    const found: McpReport = { ok: reports.every(isSettled), servers: reports };
    // All of it is made before any of it is written.
    const pins = looked.flatMap(({ report, listed }, at) =>
      report.error === undefined ? [{ report, pins: pinsFor(reports[at]!, listed, options.tools === undefined) }] : [],
    );
    if (pins.every(({ pins: some }) => some.size === 0)) return { ...found, accepted: false };
    if ((await options.confirm?.(found)) === false) return { ...found, accepted: false };
    for (const { report, pins: some } of pins)
      if (some.size > 0) await updateLock(report.lockFile, (lock) => withPins(lock, report.server, some));
    return { ...found, accepted: true };
  });
}

function chosen(all: readonly AppServer[], { server, tools }: AcceptOptions): readonly AppServer[] {
  if (server === undefined) {
    if (tools !== undefined) throw new BadInputError("Tools are accepted of one server", tools.join(", "), "Name it.");
    return all;
  }
  const found = all.filter(({ declaration }) => declaration.options.name === server);
  const [one] = found;
  if (one === undefined) {
    const names = all.map(({ declaration }) => declaration.options.name);
    throw new BadInputError(
      "The app has no MCP server of this name",
      JSON.stringify(server),
      names.length === 0 ? "It has none at all." : `It has ${names.join(", ")}.`,
    );
  }
  const other = tools?.find((tool) => !one.declaration.options.tools.includes(tool));
  if (other !== undefined)
    throw new BadInputError(
      `The server ${server} is not declared with this tool`,
      JSON.stringify(other),
      `It is declared with ${one.declaration.options.tools.join(", ")}.`,
    );
  return found;
}

function ofTools(report: McpServerReport, tools: readonly string[] | undefined): McpServerReport {
  if (tools === undefined) return report;
  return { ...report, tools: report.tools.filter(({ tool }) => tools.includes(tool)), unused: [] };
}

function pinsFor(
  { tools, unused }: McpServerReport,
  listed: readonly ListedTool[],
  all: boolean,
): ReadonlyMap<string, ReturnType<typeof pinOf> | undefined> {
  const byName = new Map(listed.map((tool) => [tool.name, tool]));
  const changed = tools.filter(({ standing }) => standing !== "accepted");
  return new Map([
    ...changed.map(({ tool }) => [tool, byName.has(tool) ? pinOf(byName.get(tool)!) : undefined] as const),
    ...(all ? unused : []).map((tool) => [tool, undefined] as const),
  ]);
}
