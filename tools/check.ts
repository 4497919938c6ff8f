import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkLayers } from "./check-layers.ts";
import { checkOptional } from "./check-optional.ts";
import { checkPaths } from "./check-paths.ts";
import { checkSilenced } from "./check-silenced.ts";
import { pagesOf, syncSnippets } from "./sync-snippets.ts";

// The workspace's own rules, all of them at once. The other half of `npm run lint`.
const root = resolve(import.meta.dirname, "..");
const found = [
  ...checkLayers(root).map((problem) => `${problem.at}: [${problem.rule}] ${problem.message}`),
  ...checkOptional(root),
  ...checkSilenced(root),
  ...checkPaths(root),
  ...pagesOf(root).flatMap((page) =>
    syncSnippets(root, readFileSync(join(root, page), "utf8")).stale.map(
      (line) => `${page}:${line}: is not what the quoted file says; \`npm run sync\` mends it.`,
    ),
  ),
];
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
