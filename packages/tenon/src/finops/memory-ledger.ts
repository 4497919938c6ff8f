import type { Usage } from "../protocol/usage.js";
import { added, callsToCount, dayOf, misfitOf, noSums, scopeKeys, type BudgetSums } from "./budget-sums.js";
import { isEntry } from "./entry-filter.js";
import type {
  Booking,
  BudgetScope,
  CountRequest,
  CountResult,
  EntryFilter,
  Ledger,
  LedgerEntry,
  ReserveRequest,
  ReserveResult,
  Settlement,
} from "./ledger.js";
import { boundUsage } from "./lost-usage.js";

/** Of how many days, the last that were used, the sums are kept. */
const DAYS_KEPT = 31;

type Row = { -readonly [K in keyof LedgerEntry]: LedgerEntry[K] } & { reservedNanoUsd: number; reservedTokens: number };

/** A ledger in this process's memory. The entries of forgotten runs are added up by day, workflow, agent and what they were for. */
export class MemoryLedger implements Ledger {
  readonly #runs: Map<string, Row[]> = new Map();
  readonly #forgotten: Map<string, Row> = new Map();
  readonly #sums: Map<string, BudgetSums> = new Map();
  /** The days that sums are kept of, the one that was used last at the end. */
  #days: readonly string[] = [];

  reserve(request: ReserveRequest): ReserveResult {
    const { bound } = request;
    const misfit = misfitOf(request, this.#sumsIn(request));
    if (misfit !== undefined) return misfit;
    const row = this.#add(request, boundUsage(bound), "reserved");
    row.reservedNanoUsd = bound.costNanoUsd;
    row.reservedTokens = bound.inputTokens + bound.outputTokens;
    this.#change(row, {
      reservedCost: row.reservedNanoUsd,
      reservedTokens: row.reservedTokens,
      modelCalls: calls(row),
    });
    return { kind: "reserved", attempt: row.attempt };
  }

  count(request: CountRequest): CountResult {
    this.#begin(dayOf(request.at));
    const toolCalls = callsToCount(request, this.#sumsIn(request));
    if (typeof toolCalls !== "number") return toolCalls;
    this.#change(request, { toolCalls });
    return { kind: "counted" };
  }

  settle({ runId, key, attempt, usage }: Settlement): void {
    const row = this.#runs.get(runId)?.find((known) => known.key === key && known.attempt === attempt);
    if (row !== undefined) this.#settle(row, usage);
  }

  book(booking: Booking, usage: Usage): void {
    const row = this.#add(booking, usage, "settled");
    this.#change(row, { cost: row.costNanoUsd, tokens: tokens(row), modelCalls: calls(row) });
  }

  lose(runId: string): void {
    for (const row of this.#runs.get(runId) ?? []) if (row.state === "reserved") this.#settle(row, row);
  }

  entries(filter: EntryFilter): readonly LedgerEntry[] {
    const rows = [...this.#forgotten.values(), ...[...this.#runs.values()].flat()];
    return rows
      .filter((row) => isEntry(row, filter))
      .sort((a, b) => a.at - b.at)
      .map(({ reservedNanoUsd: _cost, reservedTokens: _tokens, ...entry }) => entry);
  }

  /** A run is forgotten: its amounts stay, its names go. */
  forget(runId: string): void {
    const rows = this.#runs.size === 0 ? undefined : this.#runs.get(runId);
    if (rows === undefined) return;
    this.#runs.delete(runId);
    this.#sums.delete(`run ${runId}`);
    for (const row of rows) {
      this.#sums.delete(`agent ${runId} ${row.agent}`);
      const { day, workflow, agent, kind, name, costSource, estimated, overrun, state } = row;
      const key = JSON.stringify([day, workflow, agent, kind, name, costSource, estimated, overrun, state]);
      const sum = this.#forgotten.get(key);
      if (sum === undefined)
        this.#forgotten.set(key, { ...row, runId: undefined, owner: undefined, key: undefined, attempt: 1 });
      else addUp(sum, row);
    }
  }

  #add(booking: Booking, usage: Usage, state: Row["state"]): Row {
    const { runId, key, at, workflow, owner, agent, kind, name } = booking;
    const day = dayOf(at);
    this.#begin(day);
    let rows = this.#runs.get(runId);
    if (rows === undefined) this.#runs.set(runId, (rows = []));
    const attempt = 1 + rows.filter((row) => row.key === key).length;
    const names = { day, at, workflow, owner, agent, kind, name, runId, key, attempt, operations: 1, state };
    const row: Row = { ...names, ...amounts(usage), overrun: false, reservedNanoUsd: 0, reservedTokens: 0 };
    rows.push(row);
    return row;
  }

  #settle(row: Row, usage: Pick<Usage, keyof Amounts>): void {
    const { costNanoUsd, state } = row;
    const before = tokens(row);
    const open = state === "reserved";
    Object.assign(row, amounts(usage), { state: "settled" });
    row.overrun = row.reservedNanoUsd > 0 && row.costNanoUsd > row.reservedNanoUsd;
    this.#change(row, {
      cost: row.costNanoUsd - (open ? 0 : costNanoUsd),
      tokens: tokens(row) - (open ? 0 : before),
      reservedCost: open ? -row.reservedNanoUsd : 0,
      reservedTokens: open ? -row.reservedTokens : 0,
    });
  }

  #sumsIn(of: InScopes): (scope: BudgetScope) => BudgetSums | undefined {
    const keys = scopeKeys(of);
    return (scope) => {
      const key = keys[scope];
      return key === undefined ? undefined : (this.#sums.get(key) ?? noSums);
    };
  }

  #change(of: Row | InScopes, by: Partial<BudgetSums>): void {
    for (const key of Object.values(scopeKeys(of as InScopes))) {
      if (key === undefined) continue;
      let sums = this.#sums.get(key);
      if (sums === undefined) this.#sums.set(key, (sums = { ...noSums }));
      for (const name of Object.keys(by) as (keyof BudgetSums)[]) sums[name] = added(sums[name], by[name]!);
    }
  }

  /**
   * Sums of days that are long over are of no more use. Which days those are goes by their use and not by the calendar: the system's
   * clock may have been ahead.
   */
  #begin(day: string): void {
    if (this.#days.at(-1) === day) return;
    const used = [...this.#days.filter((other) => other !== day), day];
    this.#days = used.slice(-DAYS_KEPT);
    const over = new Set(used.slice(0, -DAYS_KEPT));
    if (over.size === 0) return;
    for (const key of this.#sums.keys()) {
      const [scope, of] = key.split(" ");
      if ((scope === "day" || scope === "owner") && over.has(of!)) this.#sums.delete(key);
    }
  }
}

type InScopes = Parameters<typeof scopeKeys>[0];

type Amounts = Pick<
  LedgerEntry,
  | "inputTokens"
  | "outputTokens"
  | "cachedInputTokens"
  | "cacheWriteTokens"
  | "reasoningTokens"
  | "costNanoUsd"
  | "costSource"
  | "estimated"
>;

function amounts(usage: Pick<Usage, keyof Amounts>): Amounts {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens, costSource, estimated } =
    usage;
  const counts = { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens };
  return { ...counts, costNanoUsd: usage.costNanoUsd ?? 0, costSource, estimated };
}

function tokens(row: Pick<LedgerEntry, "inputTokens" | "outputTokens">): number {
  return row.inputTokens + row.outputTokens;
}

function calls(row: Pick<LedgerEntry, "kind">): number {
  return row.kind === "model" ? 1 : 0;
}

function addUp(sum: Row, row: Row): void {
  sum.operations = added(sum.operations, row.operations);
  sum.inputTokens = added(sum.inputTokens, row.inputTokens);
  sum.outputTokens = added(sum.outputTokens, row.outputTokens);
  sum.cachedInputTokens = added(sum.cachedInputTokens, row.cachedInputTokens);
  sum.cacheWriteTokens = added(sum.cacheWriteTokens, row.cacheWriteTokens);
  sum.reasoningTokens = added(sum.reasoningTokens, row.reasoningTokens);
  sum.costNanoUsd = added(sum.costNanoUsd, row.costNanoUsd);
}
