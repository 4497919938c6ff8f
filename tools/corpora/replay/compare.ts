import { isDeepStrictEqual } from "node:util";
import type { Played } from "./play-answer.ts";
import type { Reading } from "./reading.ts";

/** Labels under which no call of an answer runs. */
const broken: readonly unknown[] = ["length", "content-filter", "error", undefined];

/** In what a run differs from what the body of its model's answer says; empty where in nothing. */
export function differences(read: Reading, played: Played, keeps = false): readonly string[] {
  const { record, reached, heard, next, result } = played;
  const found: string[] = [];
  const expect = (what: string, got: unknown, wanted: unknown): void => {
    if (!isDeepStrictEqual(got, wanted)) found.push(`${what} ${shown(got)} and not ${shown(wanted)}`);
  };
  if (record === undefined || record.kind !== "answer") {
    found.push(`no answer: ${result.error?.message ?? result.status}`);
    return found;
  }
  const text = record.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  expect("text", text, read.text);
  if (heard !== undefined) expect("text that was heard", heard, read.text);
  expect("finish", record.finish, read.finish);
  const names = record.parts.filter(({ type }) => type === "tool-call").map(({ name }) => name);
  expect(
    "names of calls",
    names,
    read.calls.map(({ name }) => name),
  );
  const whole = read.calls.filter(({ args }) => typeof args === "object" && args !== null);
  const wanted = broken.includes(read.finish) ? [] : whole.map(({ name, args }) => ({ name, input: args }));
  expect("calls that ran", reached, wanted);
  const { usage } = record;
  if (read.usage === undefined) expect("usage is estimated", usage.estimated, true);
  else {
    const { input, output, cached, written, reasoning, costUsd } = read.usage;
    const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens, costNanoUsd } = usage;
    expect(
      "usage",
      [inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens, usage.estimated],
      [input, output, cached, written, reasoning, false],
    );
    if (costUsd !== undefined) expect("cost", costNanoUsd, Math.round(costUsd * 1e9));
  }
  if (next !== undefined)
    for (const piece of keeps ? (read.kept ?? []) : read.sealed)
      if (!next.includes(JSON.stringify(piece).slice(1, -1)))
        found.push(`the sealed piece ${shown(piece)} did not go back`);
  return found;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 200 ? `${text.slice(0, 120)}…${text.slice(-60)}` : text;
}

/** Whether the provider's package did not take the answer, so that the run failed and no call ran. */
export function isRefused({ result, record, reached }: Played): boolean {
  return (
    result.status === "failed" &&
    record?.kind !== "answer" &&
    reached.length === 0 &&
    /Invalid JSON response|Type validation failed|JSON parsing failed/.test(result.error.message)
  );
}
