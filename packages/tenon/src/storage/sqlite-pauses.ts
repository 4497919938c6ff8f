import type { JsonValue } from "../protocol/json.js";
import type { Pause } from "../protocol/pause.js";
import type { Signal } from "../journal/store.js";
import type { SignalResult } from "../journal/store.js";
import { canonicalJson } from "../util/canonical-json.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { findRun } from "./sqlite-runs.js";
import { fromJsonText, fromText, toJsonText, toText } from "./sqlite-text.js";

interface SignalColumns {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

/** Opens a pause, once by its id. */
export function openPause(connection: SqliteConnection, run: number, pause: Pause): void {
  connection.change(
    "INSERT OR IGNORE INTO pauses (run, id, open, json) VALUES (?, ?, 1, ?)",
    run,
    toText(pause.id),
    toJsonText(pause),
  );
}

/** Closes the open pauses of a run that ends. */
export function closePauses(connection: SqliteConnection, run: number): void {
  connection.change("UPDATE pauses SET open = 0 WHERE run = ? AND open = 1", run);
}

/** The open pauses of one run, oldest first. */
export function openPausesOf(connection: SqliteConnection, run: number): readonly Pause[] {
  return toPauses(connection.rows("SELECT json FROM pauses WHERE run = ? AND open = 1 ORDER BY seq", run));
}

/** See `Store.pauses`. */
export function listPauses(
  connection: SqliteConnection,
  filter: { readonly runId?: string | undefined; readonly threadId?: string | undefined },
): readonly Pause[] {
  let sql = "SELECT p.json FROM pauses p WHERE p.open = 1";
  const values: string[] = [];
  if (filter.runId !== undefined) {
    sql += " AND p.run = (SELECT seq FROM runs WHERE id = ?)";
    values.push(toText(filter.runId));
  }
  if (filter.threadId !== undefined) {
    sql += " AND p.run IN (SELECT seq FROM runs WHERE thread = ?)";
    values.push(toText(filter.threadId));
  }
  return toPauses(connection.rows(`${sql} ORDER BY p.seq`, ...values));
}

/** The signals of a run in the order they came. */
export function signalsOf(connection: SqliteConnection, run: number): readonly Signal[] {
  return connection
    .rows<SignalColumns>("SELECT id, name, json FROM signals WHERE run = ? ORDER BY seq", run)
    .map(({ id, name, json }) => ({ id: fromText(id), name: fromText(name), value: fromJsonText(json) }));
}

/** See `Store.signal`. */
export function recordSignals(connection: SqliteConnection, runId: string, signals: readonly Signal[]): SignalResult {
  return connection.transaction(() => {
    const found = findRun(connection, runId);
    if (found === undefined) return { kind: "absent" };
    const fresh = new Map<string, Signal>();
    for (const signal of signals) {
      const why = refusalOf(connection, found.seq, signal, fresh);
      if (why !== undefined) return { kind: "refused", name: signal.name, why };
    }
    if (found.open === undefined && fresh.size > 0) return { kind: "ended" };
    for (const signal of fresh.values()) {
      const name = toText(signal.name);
      connection.change(
        "INSERT INTO signals (run, name, id, json) VALUES (?, ?, ?, ?)",
        found.seq,
        name,
        toText(signal.id),
        toJsonText(signal.value),
      );
      connection.change("UPDATE pauses SET open = 0 WHERE run = ? AND id = ?", found.seq, name);
    }
    if (fresh.size > 0) connection.change("UPDATE open_runs SET woken = 1 WHERE run = ?", found.seq);
    return { kind: "recorded" };
  });
}

/** Why a signal cannot be taken. One that can be, and is not there yet, is added to `fresh`. */
function refusalOf(
  connection: SqliteConnection,
  run: number,
  signal: Signal,
  fresh: Map<string, Signal>,
): "answered" | "unknown" | undefined {
  const name = toText(signal.name);
  if (connection.row("SELECT 1 FROM pauses WHERE run = ? AND id = ?", run, name) === undefined) return "unknown";
  const known = connection.row<{ json: string }>("SELECT json FROM signals WHERE run = ? AND name = ?", run, name);
  const sibling = fresh.get(signal.name);
  if (known === undefined && sibling === undefined) {
    fresh.set(signal.name, signal);
    return undefined;
  }
  const value: JsonValue = known === undefined ? sibling!.value : fromJsonText(known.json);
  return canonicalJson(value) === canonicalJson(signal.value) ? undefined : "answered";
}

function toPauses(rows: readonly { readonly json: string }[]): readonly Pause[] {
  return rows.map(({ json }) => JSON.parse(json) as Pause);
}
