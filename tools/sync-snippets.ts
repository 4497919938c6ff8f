import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fencesOf } from "./markdown.ts";
import { listFiles } from "./source-graph.ts";

/** The pages whose code is checked: README.md and all of docs/. */
export function pagesOf(root: string): string[] {
  return ["README.md", ...listFiles(join(root, "docs"), ".md").map((path) => `docs/${path}`)].filter((page) =>
    existsSync(join(root, page)),
  );
}

/**
 * Brings each fence marked `from=<file>` or `from=<file>#<region>` to what stands in that file. A region lies between
 * `// #region <name>` and `// #endregion <name>`. Gives the text, and the lines whose fences were out of date.
 */
export function syncSnippets(
  root: string,
  markdown: string,
): { readonly text: string; readonly stale: readonly number[] } {
  const lines = markdown.split("\n");
  const stale: number[] = [];
  for (const fence of fencesOf(markdown).toReversed()) {
    const source = fence.info.find((word) => word.startsWith("from="))?.slice("from=".length);
    if (source === undefined) continue;
    const code = readRegion(root, source);
    if (code === fence.code) continue;
    stale.unshift(fence.line);
    lines.splice(
      fence.line - 1,
      fence.length,
      ...code.split("\n").map((line) => (line === "" ? "" : fence.indent + line)),
    );
  }
  return { text: lines.join("\n"), stale };
}

function readRegion(root: string, source: string): string {
  const [path = "", region] = source.split("#");
  const lines = readFileSync(join(root, path), "utf8").trimEnd().split("\n");
  if (region === undefined) return lines.join("\n");
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${region}`);
  if (start === -1 || end < start) throw new Error(`${path} has no region "${region}".`);
  const part = lines.slice(start + 1, end);
  const indent = Math.min(
    ...part.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  return part.map((line) => line.slice(indent)).join("\n");
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  for (const page of pagesOf(root)) {
    const { text, stale } = syncSnippets(root, readFileSync(join(root, page), "utf8"));
    if (stale.length > 0) {
      writeFileSync(join(root, page), text);
      console.log(`${page}: brought up to date on line ${stale.join(", ")}`);
    }
  }
}
