import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// The page promises something in each row, and names the tests that show it.
const page = readFileSync(new URL("../../../../docs/guide/what-happens-when.md", import.meta.url), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  )
  .filter(([first]) => first !== "When…" && !/^-+$/.test(first!));

/** What a row names: test files, each with words of a title in it. */
function shownBy(cell: string): readonly { readonly file: string; readonly words: string }[] {
  return [...cell.matchAll(/`([\w/.-]+)` \(([^()]+)\)/g)].map(([, file = "", words = ""]) => ({ file, words }));
}

/** The titles of a test file: its texts, one of which a title is. */
function titlesOf(file: string): readonly string[] {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  return [...source.matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g)].map(([text]) => text.slice(1, -1));
}

test("there are rows, of three cells each, and no two of one case", () => {
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect(row).toHaveLength(3);
  expect(new Set(rows.map(([when]) => when)).size).toBe(rows.length);
});

test.each(rows)("%s: what shows it is there", (_when, _guarantee, cell) => {
  const named = shownBy(cell);
  expect(named.length).toBeGreaterThan(0);
  // Nothing beside what was understood.
  expect(cell.replaceAll(/`[\w/.-]+` \([^()]+\)/g, "").replaceAll(/[, ]/g, "")).toBe("");
  for (const { file, words } of named) {
    expect(file).toMatch(/^[\w-]+\/[\w-]+\.test\.ts$/);
    expect(existsSync(new URL(`../${file}`, import.meta.url)), `${file} is there`).toBe(true);
    expect(words.length, words).toBeGreaterThan(7);
    expect(titlesOf(file), `${file} has a test of: ${words}`).toContainEqual(expect.stringContaining(words));
  }
});
