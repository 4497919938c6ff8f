import { expect, test } from "vitest";
import { StreamedText } from "../src/streamed-text.js";
import { printable } from "../src/terminal.js";

const texts = [
  "plain words\r\nand a lone \r in them\r",
  "👨‍👩‍👧 ❤️‍🔥 1️⃣ می‌خواهم 葛󠄀城",
  "a\u200db\u200d 👩\u200d\u200d👩\ufe0f\ufe0f \u{e0041}\u202e\ud83d",
];

test.each(texts)("a text is the same however it is cut: %j", (text) => {
  for (let size = 1; size <= text.length; size++) {
    const streamed = new StreamedText();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g"))!;
    expect(pieces.map((piece) => streamed.add(piece)).join("") + streamed.end()).toBe(printable(text));
  }
});

test("what comes after the end has nothing to do with what was before", () => {
  const streamed = new StreamedText();
  expect([streamed.add("👩\u200d"), streamed.end(), streamed.add("👩"), streamed.end()]).toEqual([
    "👩",
    String.raw`\u200d`,
    "👩",
    "",
  ]);
});
