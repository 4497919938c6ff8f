import { checkOptions, filledText, maybe, shownValue } from "../config/options.js";
import { toUsd } from "../config/units.js";
import { BadInputError } from "../errors/run-errors.js";
import { dayOf } from "../finops/budget-sums.js";
import type { EntryFilter, LedgerEntry } from "../finops/ledger.js";
import type { Store } from "../journal/store.js";

/** Which entries of the ledger. Members that are left out exclude nothing. */
export interface LedgerFilter {
  /** A UTC day, as `2026-12-01`. Not beside `from` or `to`. */
  readonly day?: string | undefined;
  /** UTC days, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly workflow?: string | undefined;
  readonly owner?: string | undefined;
  readonly agent?: string | undefined;
  /** The id of a model: its calls alone. */
  readonly model?: string | undefined;
  /** The name of a tool: what it reported alone. */
  readonly tool?: string | undefined;
  readonly runId?: string | undefined;
}

const groups = ["day", "workflow", "owner", "agent", "model", "tool"] as const;

/** What sums can be made by. */
export type LedgerGroup = (typeof groups)[number];

/** What some entries add up to. The members that it was grouped by say of what; a model's sum has no tool, and the other way round. */
export interface LedgerSum {
  readonly day?: string | undefined;
  readonly workflow?: string | undefined;
  readonly owner?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  /** Model calls, and attempts of tool calls that cost something. */
  readonly operations: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** US dollars, estimates included; what is only reserved is not. */
  readonly costUsd: number;
  /** US dollars that calls which go on have reserved. */
  readonly reservedUsd: number;
  /** How many of the operations have estimated amounts. */
  readonly estimated: number;
  /** How many cost nobody knows what. They count as nothing in `costUsd`. */
  readonly unknown: number;
  /** How many cost more than was reserved for them. */
  readonly overruns: number;
}

/** What was spent, as the store keeps it. It is kept under limits, and with `createApp(…, { ledger: true })`. Changes nothing. */
export interface AppLedger {
  /** Each entry by itself, oldest first. Rejects with `BadInputError` for a filter that cannot be used. */
  entries(filter?: LedgerFilter): Promise<readonly LedgerEntry[]>;
  /** Sums of entries by what `by` names, in its order, sorted by it; all in one without it. Rejects as `entries` does. */
  sums(by?: readonly LedgerGroup[], filter?: LedgerFilter): Promise<readonly LedgerSum[]>;
}

/** The ledger of a store, for who is asked for it by `app.ledger`. */
export class StoreLedger implements AppLedger {
  readonly #store: () => Store;

  constructor(store: () => Store) {
    this.#store = store;
  }

  async entries(filter: LedgerFilter = {}): Promise<readonly LedgerEntry[]> {
    return this.#store().ledger.entries(entryFilter(filter));
  }

  async sums(by: readonly LedgerGroup[] = [], filter: LedgerFilter = {}): Promise<readonly LedgerSum[]> {
    // A hole in a list is a member here.
    const given: readonly unknown[] = Array.isArray(by) ? Array.from(by) : [by];
    const bad = given.findIndex((group) => !Array.isArray(by) || !groups.includes(group as LedgerGroup));
    if (bad >= 0)
      throw new BadInputError(
        "Sums of the ledger cannot be made by that",
        shownValue(given[bad]),
        `Give a list of ${groups.map((group) => `"${group}"`).join(", ")}.`,
      );
    const sums = new Map<string, Writable<LedgerSum>>();
    for (const entry of await this.entries(filter)) {
      const names = Object.fromEntries(by.map((group) => [group, nameOf(group, entry)]));
      const key = JSON.stringify(by.map((group) => names[group] ?? null));
      let sum = sums.get(key);
      if (sum === undefined) sums.set(key, (sum = { ...names, ...nothing }));
      addTo(sum, entry);
    }
    return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => inUsd(sum));
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const nothing = {
  operations: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  reservedUsd: 0,
  estimated: 0,
  unknown: 0,
  overruns: 0,
};

function nameOf(group: LedgerGroup, entry: LedgerEntry): string | undefined {
  if (group === "model" || group === "tool") return entry.kind === group ? entry.name : undefined;
  return entry[group];
}

/** Money is added up in whole nano-USD. */
function addTo(sum: Writable<LedgerSum>, entry: LedgerEntry): void {
  const { operations } = entry;
  sum.operations += operations;
  if (entry.state === "reserved") {
    sum.reservedUsd += entry.costNanoUsd;
    return;
  }
  sum.inputTokens += entry.inputTokens;
  sum.outputTokens += entry.outputTokens;
  sum.cachedInputTokens += entry.cachedInputTokens;
  sum.cacheWriteTokens += entry.cacheWriteTokens;
  sum.reasoningTokens += entry.reasoningTokens;
  sum.costUsd += entry.costNanoUsd;
  if (entry.estimated) sum.estimated += operations;
  if (entry.costSource === "unknown") sum.unknown += operations;
  if (entry.overrun) sum.overruns += operations;
}

function inUsd(sum: LedgerSum): LedgerSum {
  return { ...sum, costUsd: toUsd(sum.costUsd), reservedUsd: toUsd(sum.reservedUsd) };
}

function entryFilter(filter: LedgerFilter): EntryFilter {
  const faults = checkOptions(filter, rules);
  if (faults.length === 0 && filter.model !== undefined && filter.tool !== undefined)
    faults.push("an entry is of a model or of a tool, so both exclude all of them");
  if (faults.length === 0 && filter.day !== undefined && (filter.from ?? filter.to) !== undefined)
    faults.push("`day` is one day, so `from` and `to` cannot stand beside it");
  if (faults.length === 0 && filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
    faults.push("`from` is later than `to`, so no day is between them");
  if (faults.length > 0)
    throw new BadInputError(
      "The filter of the ledger cannot be used",
      faults.join("; "),
      "Days are UTC, as `2026-12-01`; the others are names as the app has them.",
    );
  const { day, from, to, workflow, owner, agent, model, tool, runId } = filter;
  const kind = model === undefined ? (tool === undefined ? undefined : "tool") : "model";
  return { from: day ?? from, to: day ?? to, workflow, owner, agent, kind, name: model ?? tool, runId };
}

/** A day that the calendar has: some engines take the 31st of February for a day in March. */
function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = Date.parse(value);
  return !Number.isNaN(at) && dayOf(at) === value;
}

function dayFault(name: string): (value: unknown) => string | undefined {
  return (value) =>
    isDay(value) ? undefined : `${name} must be a UTC day such as 2026-12-01, not ${shownValue(value)}`;
}

const rules = {
  day: maybe(dayFault("day")),
  from: maybe(dayFault("from")),
  to: maybe(dayFault("to")),
  workflow: maybe(filledText("workflow")),
  owner: maybe((value) => (typeof value === "string" ? undefined : "owner must be a text")),
  agent: maybe(filledText("agent")),
  model: maybe(filledText("model")),
  tool: maybe(filledText("tool")),
  runId: maybe(filledText("runId")),
};
