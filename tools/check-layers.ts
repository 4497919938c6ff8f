import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { findCycles } from "./find-cycles.ts";
import { readLayerTable, type LayerTable } from "./layer-table.ts";
import { readSources, type Import, type SourceFile } from "./source-graph.ts";

/** A rule that is broken, and where. */
export interface Problem {
  readonly rule:
    | "layer"
    | "cycle"
    | "barrel"
    | "door"
    | "length"
    | "built-in"
    | "dependency"
    | "folder"
    | "target"
    | "stale";
  /** File and line, from the workspace's root on. */
  readonly at: string;
  readonly message: string;
}

const longest = 250;
const limit = 400;
const median = 90;

/**
 * Holds the sources of every package against `layers.json`: who imports whom, cycles (of types too), barrels, doors,
 * lengths, and what the root door loads. `root` is the workspace's folder.
 */
export function checkLayers(root: string): Problem[] {
  const table = readLayerTable(join(root, "layers.json"));
  const problems: Problem[] = [];
  const lengths = new Map<string, number>();
  for (const name of readdirSync(join(root, "packages")).sort()) {
    const prefix = `packages/${name}/src`;
    const files = readSources(join(root, prefix), name);
    for (const file of files.values()) {
      lengths.set(`${prefix}/${file.path}`, file.lines);
      problems.push(...checkFile(files, file, prefix, declaredPackages(root, name)));
    }
    for (const cycle of findCycles(
      new Map([...files.values()].map((file) => [file.path, file.imports.flatMap((entry) => entry.target ?? [])])),
    )) {
      problems.push({
        rule: "cycle",
        at: `${prefix}/${cycle[0]}`,
        message: `Imports itself: ${[...cycle, cycle[0]].join(" -> ")}.`,
      });
    }
    if (name === "tenon") problems.push(...checkFolders(files, prefix, table), ...checkRootDoor(files, prefix, table));
  }
  return [...problems, ...checkLengths(lengths, table)];
}

function checkFile(
  files: ReadonlyMap<string, SourceFile>,
  file: SourceFile,
  prefix: string,
  declared: ReadonlySet<string>,
): Problem[] {
  const problems: Problem[] = [];
  const isDoor = /^doors\/(?:[^/]+\/)+index\.ts$/.test(file.path);
  const at = `${prefix}/${file.path}`;
  if (file.path.endsWith("index.ts") && !isDoor) {
    problems.push({
      rule: "barrel",
      at,
      message: "Only a door is called index.ts. Import from the file that has the thing.",
    });
  }
  if (isDoor && file.body.some((node) => node.type !== "ExportNamedDeclaration" || node["source"] === null)) {
    problems.push({ rule: "door", at, message: "A door holds nothing but `export { names } from`." });
  }
  for (const entry of file.imports) {
    if (entry.target !== undefined && !files.has(entry.target)) {
      const message = entry.target.startsWith("..") ? "leaves the package" : "is no file of the package";
      problems.push({ rule: "target", at: `${at}:${entry.line}`, message: `"${entry.specifier}" ${message}.` });
    } else if (entry.target === undefined && !isBuiltin(entry.specifier) && !declared.has(packageOf(entry.specifier))) {
      problems.push({
        rule: "dependency",
        at: `${at}:${entry.line}`,
        message: `"${entry.specifier}" is no dependency or peer in package.json.`,
      });
    }
  }
  return problems;
}

function checkFolders(files: ReadonlyMap<string, SourceFile>, prefix: string, table: LayerTable): Problem[] {
  const problems: Problem[] = [];
  for (const file of files.values()) {
    const folder = folderOf(file.path);
    const layer = table.folders.get(folder);
    if (layer === undefined) {
      problems.push({
        rule: "folder",
        at: `${prefix}/${file.path}`,
        message: `"${folder}" has no row in layers.json.`,
      });
      continue;
    }
    for (const entry of file.imports) {
      if (entry.target === undefined || folderOf(entry.target) === folder || !files.has(entry.target)) continue;
      const other = folderOf(entry.target);
      if (other === "doors" && folder !== "doors" && entry.specifier.startsWith(".") && layer.allows.has("doors")) {
        problems.push({
          rule: "layer",
          at: `${prefix}/${file.path}:${entry.line}`,
          message: `"${folder}" takes a door by its public name, as others do: ${entry.specifier}.`,
        });
        continue;
      }
      const allowed = layer.allows.get(other);
      if (allowed === "all" || (allowed === "types" && entry.kind === "type")) continue;
      if (allowed instanceof Set && allowed.has(entry.target.slice(other.length + 1))) continue;
      const why =
        allowed === undefined ? "nothing" : allowed === "types" ? "only types" : `only ${[...allowed].join(", ")}`;
      problems.push({
        rule: "layer",
        at: `${prefix}/${file.path}:${entry.line}`,
        message: `"${folder}" may import ${why} of "${other}" (layers.json): ${entry.specifier}.`,
      });
    }
  }
  return problems;
}

function checkRootDoor(files: ReadonlyMap<string, SourceFile>, prefix: string, table: LayerTable): Problem[] {
  const problems: Problem[] = [];
  const start = `doors/${table.rootDoor}/index.ts`;
  const cameFrom = new Map<string, string | undefined>(files.has(start) ? [[start, undefined]] : []);
  for (const path of cameFrom.keys()) {
    for (const entry of files.get(path)?.imports ?? []) {
      if (entry.kind !== "value") continue;
      if (entry.target !== undefined) {
        if (!cameFrom.has(entry.target)) cameFrom.set(entry.target, path);
      } else if (isBuiltin(entry.specifier)) problems.push(builtinProblem(path, entry, prefix, cameFrom));
    }
  }
  return problems;
}

function builtinProblem(
  path: string,
  entry: Import,
  prefix: string,
  cameFrom: ReadonlyMap<string, string | undefined>,
): Problem {
  const way: string[] = [];
  for (let at: string | undefined = path; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  const message = `The root door loads "${entry.specifier}" at import: ${way.join(" -> ")}. Load it with import() or get it as a parameter.`;
  return { rule: "built-in", at: `${prefix}/${path}:${entry.line}`, message };
}

function checkLengths(lengths: ReadonlyMap<string, number>, table: LayerTable): Problem[] {
  const problems: Problem[] = [];
  for (const [at, lines] of lengths) {
    if (lines > limit)
      problems.push({ rule: "length", at, message: `${lines} lines; no file has more than ${limit}.` });
    else if (lines > longest && !table.long.get(at)?.trim()) {
      problems.push({
        rule: "length",
        at,
        message: `${lines} lines; more than ${longest} need a reason under "long" in layers.json.`,
      });
    }
  }
  for (const at of table.long.keys()) {
    if ((lengths.get(at) ?? 0) <= longest)
      problems.push({ rule: "stale", at, message: `Needs no reason under "long" in layers.json (any more).` });
  }
  const sorted = [...lengths.values()].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  if (middle >= median)
    problems.push({
      rule: "length",
      at: "packages",
      message: `The median file has ${middle} lines; under ${median} is the rule.`,
    });
  return problems;
}

function declaredPackages(root: string, name: string): Set<string> {
  const path = join(root, "packages", name, "package.json");
  if (!existsSync(path)) return new Set();
  const json = JSON.parse(readFileSync(path, "utf8")) as Partial<
    Record<"dependencies" | "peerDependencies", Record<string, string>>
  >;
  return new Set([...Object.keys(json.dependencies ?? {}), ...Object.keys(json.peerDependencies ?? {})]);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.indexOf("/"), 0)) || ".";
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}
