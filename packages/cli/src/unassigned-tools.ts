import { existsSync, readdirSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AppDescription, ToolEntry } from "tenon";
import type { Project } from "./load-project.js";
import { textOf } from "./print-error.js";

/** What stands in the `tools/` folder and is given to no agent. */
export interface UnassignedTools {
  /** The folder that was looked through; `undefined` where there is none. */
  readonly folder: string | undefined;
  readonly tools: readonly { readonly name: string; readonly file: string }[];
  /** Files that could not be imported, and tools that cannot be used. */
  readonly faults: readonly { readonly file: string; readonly message: string }[];
}

/** Where `@Tool` and `@decorator.tool()` leave their options. */
const marks: readonly symbol[] = [Symbol.for("tenon.tool"), Symbol.for("tenon.itool")];

/**
 * Imports every file of the `tools/` folder beside the workflow's file and names the tools that they export and no agent
 * lists. A file that throws is a fault of the list, not of the command. Tests and declarations are passed over.
 */
export async function findUnassignedTools(
  description: AppDescription,
  { root, tenon }: Project,
): Promise<UnassignedTools> {
  const declaredIn = description.declaredIn === undefined ? undefined : fileURLToPath(description.declaredIn);
  const folder = declaredIn === undefined ? undefined : join(dirname(declaredIn), "tools");
  if (folder === undefined || !existsSync(folder)) return { folder: undefined, tools: [], faults: [] };
  const assigned = new Set(description.agents.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const tools = new Map<string, string>();
  const faults: { file: string; message: string }[] = [];
  const seen = new Set<unknown>();
  for (const path of sourcesOf(folder, extname(declaredIn!))) {
    const file = relative(root, path);
    let module: Readonly<Record<string, unknown>>;
    try {
      module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
    } catch (thrown) {
      faults.push({ file, message: textOf(thrown) });
      continue;
    }
    for (const value of Object.values(module)) {
      if (seen.has(value) || !looksLikeTool(value)) continue;
      seen.add(value);
      try {
        const { name } = tenon.toolDefinitionOf(value);
        if (!assigned.has(name) && !tools.has(name)) tools.set(name, file);
      } catch (thrown) {
        faults.push({ file, message: textOf(thrown) });
      }
    }
  }
  return { folder: relative(root, folder), tools: [...tools].map(([name, file]) => ({ name, file })), faults };
}

function sourcesOf(folder: string, ext: string): readonly string[] {
  const exts = /^\.[cm]?ts$/.test(ext) ? /\.[cm]?ts$/ : /\.[cm]?js$/;
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(
      (name) => exts.test(name) && !/\.d\.[cm]?ts$|\.(test|spec)\.[cm]?[jt]s$|(^|[\\/])node_modules[\\/]/.test(name),
    )
    .map((name) => join(folder, name))
    .sort();
}

/** By the marks that all copies of `tenon` share; whether it is a good one, the project's own copy says. */
function looksLikeTool(value: unknown): value is ToolEntry {
  if (typeof value === "function") return marks.some((mark) => Object.hasOwn(value, mark));
  return (
    typeof value === "object" &&
    value !== null &&
    (value as { readonly kind?: unknown }).kind === "tool" &&
    "run" in value
  );
}
