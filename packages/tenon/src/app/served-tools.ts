import { shownValue } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { RESULT_TOOL } from "../mcp/serve/result-tool.js";
import type { BoundTool } from "../tools/bound-tool.js";
import { readTool } from "../tools/read-tool.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { Assembly } from "./assembly.js";

/** The tools that are offered, by name. Throws `BadInputError` with all that cannot be. */
export function servedTools(
  { toolAgents, tools: binder }: Assembly,
  wanted: readonly (ToolEntry | string)[] | undefined,
): ReadonlyMap<string, BoundTool> {
  const all = toolAgents.tools;
  const served = new Map<string, BoundTool>();
  const faults: string[] = [];
  for (const one of wanted ?? all.keys()) {
    const tool = typeof one === "string" ? all.get(one) : knownTool(binder.known, one);
    if (tool === undefined || all.get(tool.name) === undefined)
      faults.push(`${nameOf(one)} is no tool of the app's agents; there are: ${[...all.keys()].join(", ") || "none"}`);
    else if (toolAgents.clashes.has(tool.name))
      faults.push(`two tools of the app are named ${tool.name}: a run knows its tool by name alone; rename one`);
    else if (tool.name === RESULT_TOOL)
      faults.push(`${RESULT_TOOL} is the name of the tool that gives results of calls that waited; rename yours`);
    else served.set(tool.name, tool);
  }
  if (faults.length > 0)
    throw new BadInputError("These tools cannot be offered", faults.join("; "), "Mend `tools`; nothing is served.");
  return served;
}

function knownTool(known: (entry: ToolEntry) => BoundTool | undefined, entry: unknown): BoundTool | undefined {
  const isEntry = typeof entry === "function" || (typeof entry === "object" && entry !== null);
  return isEntry ? known(entry as ToolEntry) : undefined;
}

function nameOf(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const tool = readTool(entry);
  if (tool !== undefined && typeof tool.options.name === "string") return tool.options.name;
  return typeof entry === "function" ? entry.name || "an anonymous class" : shownValue(entry);
}
