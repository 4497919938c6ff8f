import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { proseOf } from "./markdown.ts";
import { listFiles } from "./source-graph.ts";

const longest = 150;
/** Where the map's own names start: the root, and the folder that it explains. */
const mapRoots = [".", "packages/tenon/src"];

/**
 * Finds what AGENTS.md, README.md and docs/ name and is not there. In the map every path in code marks counts, elsewhere
 * those that start with a folder of the workspace; links count everywhere. Also holds the map to its length.
 */
export function checkPaths(root: string): string[] {
  const found: string[] = [];
  const map = readFileSync(join(root, "AGENTS.md"), "utf8");
  const length = map.trimEnd().split("\n").length;
  if (length >= longest) found.push(`AGENTS.md: ${length} lines; a map has fewer than ${longest}.`);
  const pages = ["AGENTS.md", "README.md", ...listFiles(join(root, "docs"), ".md").map((path) => `docs/${path}`)];
  for (const page of pages) {
    if (!existsSync(join(root, page))) {
      found.push(`${page}: is not there.`);
      continue;
    }
    const lines = proseOf(readFileSync(join(root, page), "utf8")).split("\n");
    lines.forEach((line, index) => {
      for (const path of pathsOf(line, page)) {
        if (!existsAt(root, path)) found.push(`${page}:${index + 1}: ${path.named} is not there.`);
      }
    });
  }
  return found;
}

interface NamedPath {
  readonly named: string;
  /** The places where it may be, from the workspace's root on. */
  readonly places: readonly string[];
}

function pathsOf(line: string, page: string): NamedPath[] {
  const spans = [...line.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  const links = [...line.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, target = ""]) => target.replace(/#.*$/, ""));
  const isMap = page === "AGENTS.md";
  const named = spans.filter((span) =>
    (isMap
      ? /^[\w.@*-]+(\/[\w.@*-]*)+$|^\w[\w.-]*\.(ts|mjs|json|md)$/
      : /^(packages|examples|docs|tools|bench|\.ci)\/[\w./*-]*$/
    ).test(span),
  );
  return [
    ...named
      .filter((span) => !/^(tenon|node_modules|@\w+|dist)(\/|$)/.test(span))
      .map((span) => ({ named: span, places: isMap ? mapRoots.map((start) => join(start, span)) : [span] })),
    ...links
      .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
      .map((target) => ({ named: target, places: [join(dirname(page), target)] })),
  ];
}

function existsAt(root: string, path: NamedPath): boolean {
  return path.places.some((place) => {
    const fixed = join(root, place.replace(/[^/]*\*.*$/, ""));
    return existsSync(fixed) && (!path.named.endsWith("/") || statSync(fixed).isDirectory());
  });
}
