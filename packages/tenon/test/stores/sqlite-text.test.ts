import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { fromText, toText } from "../../src/storage/sqlite-text.js";

/** Pieces that make texts which SQLite does not keep, and their neighbors that it does. */
const pieces = ["", "a", '"', "\\", "\0", "\\u0000", "\ud83d", "\ude00", "😀", "\\ud83d", "é", "\n", "\ufffd"];
const anyText = array(constantFrom(...pieces), { maxLength: 8 }).map((some) => some.join(""));

test("any text comes back as it was, from one that SQLite keeps; equal texts, and only they, give equal ones", () => {
  assert(
    property(anyText, anyText, (one, other) => {
      const text = toText(one);
      expect(fromText(text)).toBe(one);
      expect(text).toSatisfy((kept: string) => kept.isWellFormed() && !kept.includes("\0"));
      expect(text === toText(other)).toBe(one === other);
    }),
    { numRuns: 2_000 },
  );
});

test("what SQLite keeps is stored as it is", () => {
  for (const text of ["", "a", 'x"', "\\u0000", "😀", "搜索\n\ufffd"]) expect(toText(text)).toBe(text);
});
