import type { LedgerEntry } from "../finops/ledger.js";
import { fromText } from "./sqlite-text.js";

/** A row of `ledger`. */
export interface LedgerRow {
  readonly seq: number;
  readonly run: string | null;
  readonly key: string | null;
  readonly attempt: number;
  readonly day: string;
  readonly at: number;
  readonly workflow: string;
  readonly owner: string | null;
  readonly agent: string;
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly open: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
  readonly cost: number;
  readonly source: LedgerEntry["costSource"];
  readonly estimated: number;
  readonly reserved_cost: number;
  readonly reserved_tokens: number;
}

/** SQL of a condition on `ledger`, with the members of a filter as `?1` to `?8`: null excludes nothing. */
export const LEDGER_FILTER = `day >= coalesce(?1, '') AND day <= coalesce(?2, '~') AND workflow = coalesce(?3, workflow)
  AND (?4 IS NULL OR owner = ?4) AND agent = coalesce(?5, agent) AND kind = coalesce(?6, kind)
  AND name = coalesce(?7, name) AND (?8 IS NULL OR run = ?8)`;

export function entryOfRow(row: LedgerRow): LedgerEntry {
  const { day, at, workflow, owner, agent, kind, name, run, key, attempt, source } = row;
  return {
    day,
    at,
    workflow,
    owner: owner === null ? undefined : fromText(owner),
    agent,
    kind,
    name: fromText(name),
    runId: run === null ? undefined : fromText(run),
    key: key === null ? undefined : fromText(key),
    attempt,
    operations: 1,
    state: row.open === 1 ? "reserved" : "settled",
    inputTokens: row.input,
    outputTokens: row.output,
    cachedInputTokens: row.cached,
    cacheWriteTokens: row.written,
    reasoningTokens: row.reasoning,
    costNanoUsd: row.cost,
    costSource: source,
    estimated: row.estimated === 1,
    overrun: row.open === 0 && row.reserved_cost > 0 && row.cost > row.reserved_cost,
  };
}
