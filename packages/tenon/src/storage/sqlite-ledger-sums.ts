import type { BudgetSums } from "../finops/budget-sums.js";
import type { SqliteConnection } from "./sqlite-connection.js";

const SUMS = `SELECT cost, reserved_cost AS reservedCost, tokens, reserved_tokens AS reservedTokens, model_calls AS modelCalls,
    tool_calls AS toolCalls
  FROM ledger_sums WHERE scope = ?`;
const ADD = `INSERT INTO ledger_sums (scope, cost, reserved_cost, tokens, reserved_tokens, model_calls, tool_calls) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (scope) DO UPDATE SET cost = cost + excluded.cost, reserved_cost = reserved_cost + excluded.reserved_cost,
    tokens = tokens + excluded.tokens, reserved_tokens = reserved_tokens + excluded.reserved_tokens,
    model_calls = model_calls + excluded.model_calls, tool_calls = tool_calls + excluded.tool_calls`;

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
  for (const key of Object.values(keys)) {
    if (key === undefined) continue;
    connection.change(ADD, key, cost, reservedCost, tokens, reservedTokens, modelCalls, toolCalls);
  }
}

/** Forgets the sums of days before one: they are of no more use. */
export function forgetDays(connection: SqliteConnection, before: string): void {
  connection.change("DELETE FROM ledger_sums WHERE scope > 'day ' AND scope < 'day ' || ?", before);
  connection.change("DELETE FROM ledger_sums WHERE scope > 'owner ' AND scope < 'owner ' || ?", before);
}
