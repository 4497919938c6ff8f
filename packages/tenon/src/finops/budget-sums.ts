import { digestOf } from "../util/digest.js";
import type {
  Booking,
  BudgetLimit,
  BudgetScope,
  CountRequest,
  CountResult,
  ReserveRequest,
  ReserveResult,
} from "./ledger.js";

/** What is used and reserved in one scope. Money is in nano-USD. */
export interface BudgetSums {
  cost: number;
  reservedCost: number;
  tokens: number;
  reservedTokens: number;
  /** Counted when they are reserved. */
  modelCalls: number;
  /** Counted where they are limited. */
  toolCalls: number;
}

/** Sums of a scope in which nothing was used. */
export const noSums: BudgetSums = Object.freeze({
  cost: 0,
  reservedCost: 0,
  tokens: 0,
  reservedTokens: 0,
  modelCalls: 0,
  toolCalls: 0,
});

/** A sum with more added to it, or taken off: never below zero, and never above what a number counts exactly. */
export function added(sum: number, by: number): number {
  return Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, sum + by));
}

/** The UTC day of a time: `2026-12-01`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The scopes that a booking counts in, by their keys. An owner's name is in none of them: it has to be forgotten with its runs. */
export function scopeKeys(
  booking: Pick<Booking, "runId" | "agent" | "at" | "workflow" | "owner">,
): Readonly<Record<BudgetScope, string | undefined>> {
  const { runId, agent, at, workflow, owner } = booking;
  const day = dayOf(at);
  return {
    run: `run ${runId}`,
    agent: `agent ${runId} ${agent}`,
    day: `day ${day} ${workflow}`,
    owner: owner === undefined ? undefined : `owner ${day} ${workflow} ${digestOf("owner", owner)}`,
  };
}

/**
 * Whether an operation fits all limits; undefined where it does. What does not fit beside what is spent is exhausted, whatever is
 * reserved; an operation without a bound fits as long as a limit is not used up.
 */
export function misfitOf(
  { limits, bound, kind }: ReserveRequest,
  sumsOf: (scope: BudgetScope) => BudgetSums | undefined,
): Exclude<ReserveResult, { kind: "reserved" }> | undefined {
  let waits: BudgetLimit | undefined;
  for (const limit of limits) {
    const sums = sumsOf(limit.scope);
    if (sums === undefined || (kind === "tool" && limit.measure !== "cost")) continue;
    const { spent, reserved } = usedOf(limit, sums);
    const need = Math.max(1, needOf(limit, bound));
    if (spent + need > limit.max) return { kind: "exhausted", limit, spent, need };
    if (spent + reserved + need > limit.max) waits ??= limit;
  }
  return waits === undefined ? undefined : { kind: "waits", limit: waits };
}

/** How many tool calls of a request are not counted yet, or the limit that they do not fit. */
export function callsToCount(
  { runTotal, limits }: CountRequest,
  sumsOf: (scope: BudgetScope) => BudgetSums | undefined,
): number | Extract<CountResult, { kind: "exhausted" }> {
  const need = runTotal - sumsOf("run")!.toolCalls;
  if (need <= 0) return 0;
  for (const limit of limits) {
    const spent = sumsOf(limit.scope)?.toolCalls;
    if (spent !== undefined && spent + need > limit.max) return { kind: "exhausted", limit, spent, need };
  }
  return need;
}

function usedOf({ measure }: BudgetLimit, sums: BudgetSums): { readonly spent: number; readonly reserved: number } {
  if (measure === "cost") return { spent: sums.cost, reserved: sums.reservedCost };
  if (measure === "tokens") return { spent: sums.tokens, reserved: sums.reservedTokens };
  return { spent: sums.modelCalls, reserved: 0 };
}

function needOf({ measure }: BudgetLimit, bound: ReserveRequest["bound"]): number {
  if (measure === "cost") return bound.costNanoUsd;
  return measure === "tokens" ? bound.inputTokens + bound.outputTokens : 1;
}
