import type { Usage } from "../protocol/usage.js";
import type { Maybe } from "../util/class.js";

/** What a limit counts. Tokens are input and output together. */
export type Measure = "cost" | "tokens" | "modelCalls" | "toolCalls";

/** What uses of a limit are added up over: one run, one agent in one run, a UTC day of a workflow, the same of one owner. */
export type BudgetScope = "run" | "agent" | "day" | "owner";

/** One limit of a budget, as it is checked. Money is in nano-USD. */
export interface BudgetLimit {
  readonly scope: BudgetScope;
  readonly measure: Measure;
  readonly max: number;
  /** As it is written in the options: `limits.perDay.workflow.cost`. */
  readonly name: string;
}

/** An operation that costs: a model call, or what a tool call pays for. */
export interface BookedOperation {
  readonly runId: string;
  /** Its key in the run's journal. */
  readonly key: string;
}

/** Who uses something, and for what. */
export interface Booking extends BookedOperation {
  /** Milliseconds since 1970; the UTC day that it belongs to, even where it ends on the next one. */
  readonly at: number;
  readonly workflow: string;
  readonly owner: string | undefined;
  readonly agent: string;
  readonly kind: "model" | "tool";
  /** The model's id, or the tool's name. */
  readonly name: string;
}

/** The most that an operation is expected to use. */
export interface Bound {
  readonly costNanoUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ReserveRequest extends Booking {
  readonly bound: Bound;
  /** Its run has made calls before: where calls wait it goes before those that begin one. */
  readonly begun: boolean;
  /** All have to hold. Those of the scope `owner` count only where there is one. */
  readonly limits: readonly BudgetLimit[];
}

export type ReserveResult =
  /** It is kept for this attempt of the operation, from 1. */
  | { readonly kind: "reserved"; readonly attempt: number }
  /** It fits what is not spent, but not beside what others have reserved. Nothing was written. */
  | { readonly kind: "waits"; readonly limit: BudgetLimit }
  /** It does not fit what is not spent. Nothing was written. */
  | { readonly kind: "exhausted"; readonly limit: BudgetLimit; readonly spent: number; readonly need: number };

/** Tool calls that a turn of a run asks for. */
export interface CountRequest extends Pick<Booking, "runId" | "at" | "workflow" | "owner" | "agent"> {
  /** All that the run asks for with those of this turn: what was counted of it before is not counted again. */
  readonly runTotal: number;
  /** Of tool calls. All have to hold. Those of the scope `owner` count only where there is one. */
  readonly limits: readonly BudgetLimit[];
}

export type CountResult = { readonly kind: "counted" } | Extract<ReserveResult, { readonly kind: "exhausted" }>;

/** What an attempt really used. */
export interface Settlement extends BookedOperation {
  readonly attempt: number;
  readonly usage: Usage;
}

/** One row of the ledger. Plain data. */
export interface LedgerEntry {
  /** UTC: `2026-12-01`. */
  readonly day: string;
  /** When it was reserved or booked, in milliseconds since 1970. */
  readonly at: number;
  readonly workflow: string;
  /** Undefined without one, and once the run is forgotten. */
  readonly owner: string | undefined;
  readonly agent: string;
  readonly kind: "model" | "tool";
  readonly name: string;
  /** Undefined once the run is forgotten: amounts stay, names go. */
  readonly runId: string | undefined;
  readonly key: string | undefined;
  readonly attempt: number;
  /** How many operations it stands for: one, or more where a store has added up those of forgotten runs. */
  readonly operations: number;
  /** `reserved`: it is going on, and the amounts are the most that is expected. */
  readonly state: "reserved" | "settled";
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costNanoUsd: number;
  readonly costSource: Usage["costSource"];
  /** Some of the amounts are estimates. */
  readonly estimated: boolean;
  /** It cost more than was reserved for it. */
  readonly overrun: boolean;
}

/** Which entries. Members that are left out exclude nothing. */
export interface EntryFilter {
  /** UTC days, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly workflow?: string | undefined;
  readonly owner?: string | undefined;
  readonly agent?: string | undefined;
  readonly kind?: "model" | "tool" | undefined;
  readonly name?: string | undefined;
  readonly runId?: string | undefined;
}

/**
 * Where it is kept what was spent. Each method is one transaction, shared by all processes on one store. An entry is keyed by
 * its operation and the number of the attempt: a replay books nothing twice, an attempt that may have cost again books again.
 */
export interface Ledger {
  /** Compares with the limits, and reserves, in one transaction. */
  reserve(request: ReserveRequest): Maybe<ReserveResult>;
  /** What was reserved is given back, and what was used is booked, in full. Of an attempt that is settled the amounts are replaced. */
  settle(settlement: Settlement): Maybe<void>;
  /** Books at once what was used without a reservation, as a further attempt of its operation. */
  book(booking: Booking, usage: Usage): Maybe<void>;
  /**
   * Compares with the limits, and counts, in one transaction. Nothing is counted where they do not fit, nor where the run counted as
   * many before: a replay counts nothing twice. Makes no entry.
   */
  count(request: CountRequest): Maybe<CountResult>;
  /** Books in full, as estimates, what a run still has reserved: nobody knows what became of it. */
  lose(runId: string): Maybe<void>;
  /** Oldest first. */
  entries(filter: EntryFilter): Maybe<readonly LedgerEntry[]>;
}
