import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseSync } from "vite";

/** A node of the parsed program, as the parser gives it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** How a module asks for another one. `type` leaves no trace in the output, `dynamic` is `import()`. */
export type ImportKind = "value" | "type" | "dynamic";

export interface Import {
  readonly kind: ImportKind;
  readonly specifier: string;
  readonly line: number;
  /**
   * The file of this package that it means, from the source folder on: also the door that the package's own name leads to.
   * `undefined` for another package or a built-in.
   */
  readonly target: string | undefined;
}

export interface SourceFile {
  /** From the source folder on, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly body: readonly Node[];
  readonly imports: readonly Import[];
}

/**
 * Reads and parses every TypeScript file under `src`, and resolves its relative imports, and those of the package by its own
 * name, `itself`, whose doors are in `doors/`. Throws on a syntax error.
 */
export function readSources(src: string, itself?: string): Map<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  for (const path of listFiles(src, ".ts")) {
    const text = readFileSync(join(src, path), "utf8");
    const parsed = parseSync(path, text);
    const fault = parsed.errors[0];
    if (fault !== undefined) throw new SyntaxError(`${join(src, path)}: ${fault.message}`);
    const body = parsed.program.body as unknown as readonly Node[];
    const imports = importsOf(body).map(({ node, kind, specifier }) => {
      return { kind, specifier, line: lineAt(text, node.start), target: targetOf(src, path, specifier, itself) };
    });
    files.set(path, { path, text, lines: countLines(text), body, imports });
  }
  return files;
}

/** The files under `folder` whose name ends with `ending`, sorted, with forward slashes. Skips what is installed or built. */
export function listFiles(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  const visit = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== "node_modules" && entry.name !== "dist" && !entry.name.startsWith(".")) visit(path);
      } else if (entry.name.endsWith(ending)) found.push(relative(folder, path).split(sep).join("/"));
    }
  };
  visit(folder);
  return found.sort();
}

/** The line of a position, counted from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Visits a node and everything below it, parents first. `visit` returns false to leave out what is below. */
export function walk(node: Node, visit: (node: Node) => boolean): void {
  if (!visit(node)) return;
  for (const key in node) {
    const child = node[key];
    if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) walk(item, visit);
    } else if (isNode(child)) walk(child, visit);
  }
}

/** Tells a node from the parser's plain values. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";
}

interface Found {
  readonly node: Node;
  readonly kind: ImportKind;
  readonly specifier: string;
}

function importsOf(body: readonly Node[]): Found[] {
  const found: Found[] = [];
  const add = (node: Node, kind: ImportKind, source: unknown): void => {
    const specifier = isNode(source) ? source["value"] : undefined;
    if (typeof specifier === "string") found.push({ node, kind, specifier });
  };
  for (const statement of body) {
    walk(statement, (node) => {
      if (node.type === "ImportDeclaration")
        add(node, node["importKind"] === "type" ? "type" : "value", node["source"]);
      else if (node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration") {
        add(node, node["exportKind"] === "type" ? "type" : "value", node["source"]);
      } else if (node.type === "ImportExpression") add(node, "dynamic", node["source"]);
      else if (node.type === "TSImportType") add(node, "type", node["source"] ?? node["argument"]);
      return true;
    });
  }
  return found;
}

function targetOf(src: string, from: string, specifier: string, itself: string | undefined): string | undefined {
  if (itself !== undefined && (specifier === itself || specifier.startsWith(`${itself}/`)))
    return `doors/${specifier === itself ? itself : specifier.slice(itself.length + 1)}/index.ts`;
  if (!specifier.startsWith(".")) return undefined;
  const absolute = resolve(src, dirname(from), specifier.replace(/\.js$/, ".ts"));
  return relative(src, absolute).split(sep).join("/");
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
