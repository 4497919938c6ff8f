import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "./report.ts";

// `npm run corpora -- <folder>`: runs Tenon against public data that is not part of the repository. Prints counts; exits with
// 1 where something is not as it must be, with 2 where the folder cannot be used.

/** The files that are looked for in the folder, and what is done with each. What that needs is loaded once all are there. */
const checks: Readonly<Record<string, (path: string) => Promise<Report>>> = {
  "function-calls.jsonl.gz": async (path) => (await import("./function-calls.ts")).checkFunctionCalls(path),
  "json-texts.tgz": async (path) => (await import("./json-texts.ts")).checkJsonTexts(path),
  "naughty-strings.json.gz": async (path) => (await import("./naughty-strings.ts")).checkNaughtyStrings(path),
  "recorded-turns.jsonl.gz": async (path) => (await import("./answers.ts")).checkRecordedTurns(path),
  "provider-chunks.tgz": async (path) => (await import("./answers.ts")).checkProviderChunks(path),
};

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0 || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.error(`npm run corpora -- <folder>\n\nThe folder holds ${Object.keys(checks).join(", ")}.`);
  process.exit(2);
}
const missing = Object.keys(checks).filter((name) => !existsSync(join(folder, name)));
if (missing.length > 0) {
  console.error(`${folder} has no ${missing.join(", ")}.`);
  process.exit(2);
}

let violations = 0;
for (const [name, check] of Object.entries(checks)) {
  const report = await check(join(folder, name));
  report.print();
  violations += report.violations;
}
console.log(`\n${violations} violations`);
process.exitCode = violations === 0 ? 0 : 1;
