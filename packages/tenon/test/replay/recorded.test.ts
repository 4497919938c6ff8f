import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkAnswers } from "../../../../tools/corpora/answers.ts";
import { recordedTurns } from "../../../../tools/corpora/replay/recordings.ts";

// A few of the answers that `npm run corpora` plays: each one whole or as a stream (also cut, with CRLF, with comments, and
// broken off at 20 places), through each package that reads it, against a reader that knows neither Tenon nor the packages.
const recordings = recordedTurns(fileURLToPath(new URL("fixtures/recorded-turns.jsonl", import.meta.url)));

test.each(recordings)(
  "[B36] [B38] [B40] [B46] [B103] a recorded answer is what its body says: $provider, $name",
  { timeout: 60_000 },
  async (recording) => {
    const { faults, counts } = await checkAnswers("", [recording]);
    expect(faults).toEqual([]);
    const checked = [...counts].filter(([name]) => /equal$|errors$|not taken/.test(name));
    expect(checked.length).toBeGreaterThan(0);
    if (recording.streamed) expect([...counts.keys()].some((name) => name.includes("broken off"))).toBe(true);
  },
);

test("the sample has every dialect that was recorded, whole, streamed (Cohere's alone is not) and as an error", () => {
  const kinds = new Set(recordings.map(({ dialect, streamed }) => `${dialect} ${streamed ? "streamed" : "whole"}`));
  expect(kinds.size).toBe(13);
  expect(recordings.filter(({ status }) => status !== 200).length).toBeGreaterThanOrEqual(4);
});
