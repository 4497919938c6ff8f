import { expect, test } from "vitest";
import { escapeUnseen } from "../../../src/util/escape-unseen.js";

const hidden: readonly (readonly [what: string, text: string, shown: string])[] = [
  ["controls of C0 and C1", "\u001b[2J\u0007\u007f\u0085\u009b", String.raw`\u001b[2J\u0007\u007f\u0085\u009b`],
  ["line breaks", "a\r\nb\u2028\u2029", String.raw`a\u000d\u000ab\u2028\u2029`],
  [
    "turns of direction",
    "\u202etxt\u202c\u2066\u2069\u200e\u200f\u061c",
    String.raw`\u202etxt\u202c\u2066\u2069\u200e\u200f\u061c`,
  ],
  [
    "what has no width",
    "pay\u200b1\u20600\ufeff0\u00ad0\u034f\u180e",
    String.raw`pay\u200b1\u20600\ufeff0\u00ad0\u034f\u180e`,
  ],
  ["fillers", "\u115f\u1160\u3164\uffa0", String.raw`\u115f\u1160\u3164\uffa0`],
  ["tags", "\u{e0001}\u{e0041}🏴\u{e007f}", String.raw`\udb40\udc01\udb40\udc41🏴\udb40\udc7f`],
  [
    "selectors with nothing to vary",
    "a\ufe0f 1\ufe0f \ufe00x\u{e0100}",
    String.raw`a\ufe0f 1\ufe0f \ufe00x\udb40\udd00`,
  ],
  ["selectors in a row", "👍\ufe0f\ufe0f 葛\u{e0100}\u{e0101}", "👍\ufe0f\\ufe0f 葛\u{e0100}\\udb40\\udd01"],
  ["joiners among other letters", "a\u200db\u200cc 1\u200d2", String.raw`a\u200db\u200cc 1\u200d2`],
  ["joiners in a row", "👩\u200d\u200d👩 م\u200c\u200cم", String.raw`👩\u200d\u200d👩 م\u200c\u200cم`],
  ["joiners at an edge", "\u200d👩\u200d می\u200c", String.raw`\u200d👩\u200d می\u200c`],
  ["halves of pairs", "\ud83d \ude00", String.raw`\ud83d \ude00`],
  ["private and no characters", "\ue000\uffff\u{10ffff}", String.raw`\ue000\uffff\udbff\udfff`],
];

test.each(hidden)("escaped: %s", (_what, text, shown) => {
  expect(escapeUnseen(text)).toBe(shown);
});

test.each([
  ["accents", "Ça va, naïve e\u0301 Zalgo\u0361 Đắk Lắk — “so” … №1 ½ €"],
  ["emoji", "👨‍👩‍👧 ❤️‍🔥 👩🏽‍💻 🏳️‍🌈 1️⃣ #️⃣ ☎︎ 👍🏽 🇪🇺"],
  ["Persian, Arabic and Hebrew", "می‌خواهم کتاب‌ها مُحَمَّد ۝ ١٢٣ שָׁלוֹם"],
  ["Indic scripts", "ශ්‍රී അവന്‍ र्‍य क्‌ष র‍্য தமிழ்"],
  ["East Asia", "葛󠄀城 日本語 ひらがな 한국어 ไทย ខ្មែរ ᠮᠣᠩᠭᠣᠯ᠋"],
  ["spaces", "a\u00a0b\u2003c\u3000d"],
])("as it is: %s", (_what, text) => {
  expect(escapeUnseen(text)).toBe(text);
});

test("line breaks stay where they are wanted", () => {
  expect(escapeUnseen("a\nb\tc\u200b", "\n")).toBe("a\nb\\u0009c\\u200b");
});
