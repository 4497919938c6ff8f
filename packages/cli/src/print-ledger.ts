import type { LedgerEntry, LedgerGroup, LedgerSum } from "tenon";
import { moneyText } from "./money-text.js";
import { oneLine, printable, type Terminal } from "./terminal.js";

/** Sums of the ledger, one a line: what they are of, and what it cost; the whole below where there are several. */
export function printSums(
  { out, outColors: { bold, dim } }: Terminal,
  sums: readonly LedgerSum[],
  by: readonly LedgerGroup[],
): void {
  for (const sum of sums) {
    const names = by.map((group) => oneLine(sum[group] ?? `(no ${group})`, 80));
    const { inputTokens, outputTokens } = sum;
    const used = `${inputTokens} tokens in, ${outputTokens} out · ${sum.operations} ${sum.operations === 1 ? "operation" : "operations"}`;
    out.write(
      `${[...names, bold(`$${moneyText(sum.costUsd)}`)].join("  ")}  ${dim([used, ...notesOf(sum)].join(" · "))}\n`,
    );
  }
}

/** What is not certain of a sum. */
function notesOf({ reservedUsd, estimated, unknown, overruns }: LedgerSum): readonly string[] {
  return [
    ...(reservedUsd === 0 ? [] : [`$${moneyText(reservedUsd)} reserved`]),
    ...(estimated === 0 ? [] : [`${estimated} estimated`]),
    ...(unknown === 0 ? [] : [`${unknown} of unknown cost`]),
    ...(overruns === 0 ? [] : [`${overruns} over what was reserved`]),
  ];
}

/** Sums as CSV: what they are of, in its order, then the amounts. */
export function sumsCsv(sums: readonly LedgerSum[], by: readonly LedgerGroup[]): string {
  return csvOf(sums, [...by, ...amounts]);
}

/** Entries as CSV. */
export function entriesCsv(entries: readonly LedgerEntry[]): string {
  return csvOf(entries, entryColumns);
}

const amounts = Object.keys({
  operations: true,
  inputTokens: true,
  outputTokens: true,
  cachedInputTokens: true,
  cacheWriteTokens: true,
  reasoningTokens: true,
  costUsd: true,
  reservedUsd: true,
  estimated: true,
  unknown: true,
  overruns: true,
} satisfies Record<Exclude<keyof LedgerSum, LedgerGroup>, true>);

const entryColumns = Object.keys({
  day: true,
  at: true,
  workflow: true,
  owner: true,
  agent: true,
  kind: true,
  name: true,
  runId: true,
  key: true,
  attempt: true,
  operations: true,
  state: true,
  inputTokens: true,
  outputTokens: true,
  cachedInputTokens: true,
  cacheWriteTokens: true,
  reasoningTokens: true,
  costNanoUsd: true,
  costSource: true,
  estimated: true,
  overrun: true,
} satisfies Record<keyof LedgerEntry, true>);

/**
 * Rows as CSV (RFC 4180), after a line with the names of all columns, also where there are no rows. What a row does not have is
 * empty. Text that a spreadsheet would take for a formula begins with an apostrophe; control characters are
 * escapes, as everywhere.
 */
function csvOf(rows: readonly object[], columns: readonly string[]): string {
  const lines = rows.map((row) => columns.map((name) => field((row as Fields)[name])).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}

type Fields = { readonly [name: string]: unknown };

/** What a formula begins with, for one spreadsheet or another; the full-width signs too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function field(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : moneyText(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "string") return "";
  const shown = printable(value);
  const text = FORMULA.test(value) || FORMULA.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
