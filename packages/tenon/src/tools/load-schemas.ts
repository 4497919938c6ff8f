import { loadFor } from "../schema/load-for.js";
import { missingExporter } from "../schema/valibot-json.js";
import type { Maybe } from "../util/class.js";
import { readTool } from "./read-tool.js";
import type { ToolEntry } from "./tool-entry.js";

/** Loads what the schemas of these tools need, as `loadFor` does. Entries that are no tools do not matter. */
export function loadTools(entries: Iterable<unknown>): Maybe<void> {
  return loadFor(schemasOf(entries));
}

/**
 * Loads what `toolDefinitionOf` needs for these tools: for a schema of Valibot the package `@valibot/to-json-schema`, for others
 * nothing. An app and `toolOf(…).invoke` do this by themselves. Rejects with `MissingPeerError` where the package is not installed.
 */
export async function loadSchemas(...tools: readonly ToolEntry[]): Promise<void> {
  await loadTools(tools);
  assertExporters(tools);
}

/** Throws `MissingPeerError` for tools whose schemas could not be loaded. */
export function assertExporters(tools: Iterable<unknown>): void {
  for (const schema of schemasOf(tools)) {
    const missing = missingExporter(schema);
    if (missing !== undefined) throw missing;
  }
}

function* schemasOf(entries: Iterable<unknown>): Iterable<unknown> {
  for (const entry of entries) {
    const options = readTool(entry)?.options as
      | { readonly input?: unknown; readonly output?: unknown }
      | null
      | undefined;
    if (typeof options !== "object" || options === null) continue;
    yield options.input;
    yield options.output;
  }
}
