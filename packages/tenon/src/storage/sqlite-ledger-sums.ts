import type { BudgetSums } from "../finops/budget-sums.js";
import type { SqliteConnection } from "./sqlite-connection.js";

const COLUMNS = ["cost", "reserved_cost", "tokens", "reserved_tokens", "model_calls", "tool_calls"];
/** As `added`: SQLite counts further than JavaScript reads. */
const bounded = (sum: string): string => `max(0, min(${Number.MAX_SAFE_INTEGER}, ${sum}))`;
const [COST, RESERVED_COST, TOKENS, RESERVED_TOKENS, MODEL_CALLS, TOOL_CALLS] = COLUMNS.map(bounded);
const SUMS = `SELECT ${COST} AS cost, ${RESERVED_COST} AS reservedCost, ${TOKENS} AS tokens,
    ${RESERVED_TOKENS} AS reservedTokens, ${MODEL_CALLS} AS modelCalls, ${TOOL_CALLS} AS toolCalls
  FROM ledger_sums WHERE scope = ?`;
const ADD = `INSERT INTO ledger_sums (scope, ${COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (scope) DO UPDATE SET ${COLUMNS.map((name) => `${name} = ${bounded(`${name} + excluded.${name}`)}`).join(", ")}`;

/** What a scope used and reserved; undefined where nothing was. */
export function sumsOf(connection: SqliteConnection, scope: string): BudgetSums | undefined {
  return connection.row<BudgetSums>(SUMS, scope);
}

/** Adds to the sums of all scopes of a booking. */
export function changeSums(
  connection: SqliteConnection,
  keys: Readonly<Record<string, string | undefined>>,
  { cost = 0, reservedCost = 0, tokens = 0, reservedTokens = 0, modelCalls = 0, toolCalls = 0 }: Partial<BudgetSums>,
): void {
  const by = [cost, reservedCost, tokens, reservedTokens, modelCalls, toolCalls].map(exact);
  for (const key of Object.values(keys)) {
    if (key === undefined) continue;
    connection.change(ADD, key, ...by);
  }
}

/** Forgets the sums of days before one: they are of no more use. */
export function forgetDays(connection: SqliteConnection, before: string): void {
  connection.change("DELETE FROM ledger_sums WHERE scope > 'day ' AND scope < 'day ' || ?", before);
  connection.change("DELETE FROM ledger_sums WHERE scope > 'owner ' AND scope < 'owner ' || ?", before);
}

function exact(by: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, by));
}
