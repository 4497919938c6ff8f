import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./source-graph.ts";

const folders = ["packages", "examples", "bench", "tools"];

/**
 * Finds what is silenced without a written reason: a rule that a comment or the lint settings turn off, a test that is
 * skipped, and a compiler's complaint that is ignored.
 */
export function checkSilenced(root: string): string[] {
  const sources = folders.flatMap((folder) => listFiles(join(root, folder), ".ts").map((path) => `${folder}/${path}`));
  const found = sources.flatMap((path) => checkSource(path, readFileSync(join(root, path), "utf8")));
  const settings = join(root, ".oxlintrc.json");
  return existsSync(settings) ? [...checkSettings(readFileSync(settings, "utf8")), ...found] : found;
}

function checkSource(path: string, text: string): string[] {
  const found: string[] = [];
  const lines = text.split("\n");
  lines.forEach((line, index) => {
    const reason = /\/[/*]\s*(?:ox|es)lint-disable\S*(.*)$/.exec(line)?.[1]?.replace(/\*\/.*$/, "");
    if (reason !== undefined && !/\s--\s+\S+/.test(reason)) {
      found.push(`${path}:${index + 1}: a rule is turned off without a reason (\`-- why\`).`);
    }
    if (/\/[/*]\s*@ts-(ignore|nocheck)\b/.test(line)) {
      found.push(`${path}:${index + 1}: use \`@ts-expect-error\` with a reason.`);
    }
    if (
      /\b(test|it|describe)\.(skip|skipIf|runIf|todo)\b/.test(line) &&
      !/^\s*(\/\/|\*)/.test(lines[index - 1] ?? "")
    ) {
      found.push(`${path}:${index + 1}: a test is skipped without a comment above that says why.`);
    }
  });
  return found;
}

/** A rule that is off stands under a comment, or under another such rule. */
function checkSettings(text: string): string[] {
  const found: string[] = [];
  let explained = false;
  text.split("\n").forEach((line, index) => {
    const rule = /"([^"]+)": "off"/.exec(line)?.[1];
    if (rule !== undefined && !explained)
      found.push(`.oxlintrc.json:${index + 1}: "${rule}" is off without a comment above that says why.`);
    explained = /^\s*\/\//.test(line) || (explained && rule !== undefined);
  });
  return found;
}
