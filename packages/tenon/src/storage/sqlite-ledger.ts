import { callsToCount, dayOf, misfitOf, noSums, scopeKeys, type BudgetSums } from "../finops/budget-sums.js";
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
} from "../finops/ledger.js";
import { boundUsage } from "../finops/lost-usage.js";
import type { Usage } from "../protocol/usage.js";
import type { Maybe } from "../util/class.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { changeSums, sumsOf } from "./sqlite-ledger-sums.js";
import { entryOfRow, LEDGER_FILTER, type LedgerRow } from "./sqlite-ledger-rows.js";
import { toText } from "./sqlite-text.js";

const INSERT = `INSERT INTO ledger (run, key, attempt, day, at, workflow, owner, agent, kind, name, open,
    input, output, cached, written, reasoning, cost, source, estimated, reserved_cost, reserved_tokens)
  SELECT ?1, ?2, 1 + count(*), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20
    FROM ledger WHERE run = ?1 AND key = ?2
  RETURNING attempt`;
const UPDATE = `UPDATE ledger SET open = 0, input = ?, output = ?, cached = ?, written = ?, reasoning = ?, cost = ?, source = ?,
  estimated = ? WHERE seq = ?`;

/** The ledger of a SQLite file, in the connection of its store. */
export class SqliteLedger implements Ledger {
  readonly #run: <T>(work: (connection: SqliteConnection) => T) => Maybe<T>;

  constructor(run: <T>(work: (connection: SqliteConnection) => T) => Maybe<T>) {
    this.#run = run;
  }

  reserve(request: ReserveRequest): Maybe<ReserveResult> {
    return this.#run((connection) => connection.transaction(() => reserve(connection, request)));
  }

  count(request: CountRequest): Maybe<CountResult> {
    return this.#run((connection) =>
      connection.transaction((): CountResult => {
        const keys = scopeKeys(request);
        const toolCalls = callsToCount(request, sumsIn(connection, keys));
        if (typeof toolCalls !== "number") return toolCalls;
        if (toolCalls > 0) changeSums(connection, keys, { toolCalls });
        return { kind: "counted" };
      }),
    );
  }

  settle({ runId, key, attempt, usage }: Settlement): Maybe<void> {
    return this.#run((connection) =>
      connection.transaction(() => {
        const sql = "SELECT * FROM ledger WHERE run = ? AND key = ? AND attempt = ?";
        const row = connection.row<LedgerRow>(sql, toText(runId), toText(key), attempt);
        if (row !== undefined) settleRow(connection, row, usage);
      }),
    );
  }

  book(booking: Booking, usage: Usage): Maybe<void> {
    return this.#run((connection) =>
      connection.transaction(() => {
        insert(connection, booking, usage, 0, 0, 0);
        changeSums(connection, scopeKeys(booking), {
          cost: usage.costNanoUsd ?? 0,
          tokens: usage.inputTokens + usage.outputTokens,
          modelCalls: booking.kind === "model" ? 1 : 0,
        });
      }),
    );
  }

  lose(runId: string): Maybe<void> {
    return this.#run((connection) => {
      const rows = connection.rows<LedgerRow>("SELECT * FROM ledger WHERE run = ? AND open = 1", toText(runId));
      if (rows.length === 0) return;
      connection.transaction(() => {
        for (const { seq } of rows) {
          const row = connection.row<LedgerRow>("SELECT * FROM ledger WHERE seq = ? AND open = 1", seq);
          if (row !== undefined) settleRow(connection, row, entryOfRow(row));
        }
      });
    });
  }

  entries(filter: EntryFilter): Maybe<readonly LedgerEntry[]> {
    const { from, to, workflow, owner, agent, kind, name, runId } = filter;
    const values = [from, to, workflow, given(owner), agent, kind, given(name), given(runId)];
    return this.#run((connection) =>
      connection
        .rows<LedgerRow>(
          `SELECT * FROM ledger WHERE ${LEDGER_FILTER} ORDER BY at, seq`,
          ...values.map((value) => value ?? null),
        )
        .map(entryOfRow),
    );
  }
}

function given(name: string | undefined): string | undefined {
  return name === undefined ? undefined : toText(name);
}

function sumsIn(
  connection: SqliteConnection,
  keys: ReturnType<typeof scopeKeys>,
): (scope: BudgetScope) => BudgetSums | undefined {
  return (scope) => {
    const key = keys[scope];
    return key === undefined ? undefined : (sumsOf(connection, key) ?? noSums);
  };
}

function reserve(connection: SqliteConnection, request: ReserveRequest): ReserveResult {
  const { bound } = request;
  const keys = scopeKeys(request);
  const misfit = misfitOf(request, sumsIn(connection, keys));
  if (misfit !== undefined) return misfit;
  const tokens = bound.inputTokens + bound.outputTokens;
  const attempt = insert(connection, request, boundUsage(bound), 1, bound.costNanoUsd, tokens);
  const modelCalls = request.kind === "model" ? 1 : 0;
  changeSums(connection, keys, { reservedCost: bound.costNanoUsd, reservedTokens: tokens, modelCalls });
  return { kind: "reserved", attempt };
}

function insert(
  connection: SqliteConnection,
  { runId, key, at, workflow, owner, agent, kind, name }: Booking,
  usage: Usage,
  open: 0 | 1,
  reservedCost: number,
  reservedTokens: number,
): number {
  return connection.row<{ attempt: number }>(
    INSERT,
    toText(runId),
    toText(key),
    dayOf(at),
    at,
    workflow,
    owner === undefined ? null : toText(owner),
    agent,
    kind,
    toText(name),
    open,
    ...amountsOf(usage),
    reservedCost,
    reservedTokens,
  )!.attempt;
}

type Amounts = Omit<Usage, "costNanoUsd"> & { readonly costNanoUsd: number | undefined };

function amountsOf(usage: Amounts): (number | string)[] {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens, costNanoUsd } = usage;
  const counts = [inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens];
  return [...counts, costNanoUsd ?? 0, usage.costSource, usage.estimated ? 1 : 0];
}

function settleRow(connection: SqliteConnection, row: LedgerRow, usage: Amounts): void {
  connection.change(UPDATE, ...amountsOf(usage), row.seq);
  const open = row.open === 1;
  changeSums(connection, scopeKeys(entryOfRow(row) as LedgerEntry & { runId: string }), {
    cost: (usage.costNanoUsd ?? 0) - (open ? 0 : row.cost),
    tokens: usage.inputTokens + usage.outputTokens - (open ? 0 : row.input + row.output),
    reservedCost: open ? -row.reserved_cost : 0,
    reservedTokens: open ? -row.reserved_tokens : 0,
  });
}
