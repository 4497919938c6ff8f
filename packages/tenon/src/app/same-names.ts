import { mcpToolOf } from "../mcp/client/mcp-tool-entry.js";
import { serverDeclarationOf } from "../mcp/client/server-options.js";

/** A tool by its name, with its entry. */
export interface NamedEntry {
  readonly name: string;
  readonly entry: unknown;
}

/** What is wrong with two tools of one list that a model takes for one. */
export function sameNames(first: NamedEntry, second: NamedEntry): string {
  const [one, other] = [first, second].map(({ entry }) => placeOf(entry));
  if (one === undefined && other === undefined)
    return first.name === second.name
      ? `two tools have the name ${first.name}`
      : `the tools ${first.name} and ${second.name} have names that a model takes for one`;
  const way = "give one another name: `prefix` of mcpTools(…), or `name` of @McpTool";
  return `the tools ${first.name} (${one ?? "of this app"}) and ${second.name} (${other ?? "of this app"}) have names that a model takes for one; ${way}`;
}

function placeOf(entry: unknown): string | undefined {
  const place = mcpToolOf(entry);
  if (place === undefined) return undefined;
  const name = serverDeclarationOf(place.server)?.options?.name;
  return `of the server ${typeof name === "string" ? name : "that is not declared right"}`;
}
