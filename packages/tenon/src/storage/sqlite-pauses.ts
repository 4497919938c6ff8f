import type { JsonValue } from "../protocol/json.js";
import type { Pause } from "../protocol/pause.js";
import type { Signal, SignalResult } from "../journal/store.js";
import { canonicalJson } from "../util/canonical-json.js";
import { isLarge, keepLarge, wholeText } from "./sqlite-blobs.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { RUN_OF_ID, runsOfThread } from "./sqlite-names.js";
import { findRun } from "./sqlite-runs.js";
import { fromJsonText, fromText, toJsonText, toText } from "./sqlite-text.js";

interface SignalColumns {
  readonly id: string;
  readonly name: string;
  readonly json: string | null;
}

const PAUSE = "SELECT 1 FROM pauses WHERE run = ? AND id = ?";
const PAUSE_JSON = wholeText("p.json", "p.run", "'pause ' || p.seq");
const SIGNAL_JSON = wholeText("s.json", "s.run", "'signal ' || s.seq");

/** Opens a pause, once by its id. */
export function openPause(connection: SqliteConnection, run: number, pause: Pause): void {
  const id = toText(pause.id);
  if (connection.row(PAUSE, run, id) !== undefined) return;
  const json = toJsonText(pause);
  const large = isLarge(json);
  const seq = connection.insert(
    "INSERT INTO pauses (run, id, open, json) VALUES (?, ?, 1, ?)",
    run,
    id,
    large ? null : json,
  );
  if (large) keepLarge(connection, run, `pause ${seq}`, json);
}

/** Closes the open pauses of a run that ends. */
export function closePauses(connection: SqliteConnection, run: number): void {
  connection.change("UPDATE pauses SET open = 0 WHERE run = ? AND open = 1", run);
}

const OPEN_OF_RUN = `SELECT ${PAUSE_JSON} AS json FROM pauses p WHERE p.run = ? AND p.open = 1 ORDER BY p.seq`;

/** The open pauses of one run, oldest first. */
export function openPausesOf(connection: SqliteConnection, run: number): readonly Pause[] {
  return toPauses(connection.rows(OPEN_OF_RUN, run));
}

/** See `Store.pauses`. */
export function listPauses(
  connection: SqliteConnection,
  filter: { readonly runId?: string | undefined; readonly threadId?: string | undefined },
): readonly Pause[] {
  let sql = `SELECT ${PAUSE_JSON} AS json FROM pauses p WHERE p.open = 1`;
  const values: string[] = [];
  if (filter.runId !== undefined) {
    sql += ` AND p.run = (${RUN_OF_ID} LIMIT 1)`;
    values.push(toText(filter.runId));
  }
  if (filter.threadId !== undefined) {
    sql += ` AND p.run IN (SELECT run FROM (${runsOfThread("?")}))`;
    const thread = toText(filter.threadId);
    values.push(thread, thread);
  }
  // Without it the order would be reason enough for SQLite to go through the closed ones too.
  else if (filter.runId === undefined) sql += " AND p.seq IN (SELECT seq FROM pauses WHERE open = 1)";
  return toPauses(connection.rows(`${sql} ORDER BY p.seq`, ...values));
}

const SIGNALS_OF_RUN = `SELECT s.id, s.name, ${SIGNAL_JSON} AS json FROM signals s WHERE s.run = ? ORDER BY s.seq`;

/** The signals of a run in the order they came. */
export function signalsOf(connection: SqliteConnection, run: number): readonly Signal[] {
  return connection
    .rows<SignalColumns>(SIGNALS_OF_RUN, run)
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
      insertSignal(connection, found.seq, name, signal);
      connection.change("UPDATE pauses SET open = 0 WHERE run = ? AND id = ?", found.seq, name);
    }
    if (fresh.size > 0)
      connection.change("UPDATE open_runs SET woken = 1 WHERE thread = ? AND n = ?", found.thread, found.row.n);
    return { kind: "recorded" };
  });
}

function insertSignal(connection: SqliteConnection, run: number, name: string, signal: Signal): void {
  const json = toJsonText(signal.value);
  const large = isLarge(json);
  const seq = connection.insert(
    "INSERT INTO signals (run, name, id, json) VALUES (?, ?, ?, ?)",
    run,
    name,
    toText(signal.id),
    large ? null : json,
  );
  if (large) keepLarge(connection, run, `signal ${seq}`, json);
}

const KNOWN_SIGNAL = `SELECT ${SIGNAL_JSON} AS json FROM signals s WHERE s.run = ? AND s.name = ?`;

/** Why a signal cannot be taken. One that can be, and is not there yet, is added to `fresh`. */
function refusalOf(
  connection: SqliteConnection,
  run: number,
  signal: Signal,
  fresh: Map<string, Signal>,
): "answered" | "unknown" | undefined {
  const name = toText(signal.name);
  if (connection.row(PAUSE, run, name) === undefined) return "unknown";
  const known = connection.row<{ json: string | null }>(KNOWN_SIGNAL, run, name);
  const sibling = fresh.get(signal.name);
  if (known === undefined && sibling === undefined) {
    fresh.set(signal.name, signal);
    return undefined;
  }
  const value: JsonValue = known === undefined ? sibling!.value : fromJsonText(known.json);
  return canonicalJson(value) === canonicalJson(signal.value) ? undefined : "answered";
}

function toPauses(rows: readonly { readonly json: string | null }[]): readonly Pause[] {
  return rows.map(({ json }) => fromJsonText<Pause>(json));
}
