import type { JsonValue } from "../protocol/json.js";
import type { Lapsed, Pause, PauseAudit } from "../protocol/pause.js";
import type { PauseFilter, Signal, SignalResult } from "../journal/store.js";
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
  readonly at: number;
}

const PAUSE = "SELECT seq, open, expires_at AS expiresAt FROM pauses WHERE run = ? AND id = ?";
const PAUSE_JSON = wholeText("p.json", "p.run", "'pause ' || p.seq");
const SIGNAL_JSON = wholeText("s.json", "s.run", "'signal ' || s.seq");

/** Opens a pause, once by its id. Of a run that is to be ended (`canceled`), only what is in doubt waits. */
export function openPause(connection: SqliteConnection, run: number, pause: Pause, canceled: boolean): void {
  const id = toText(pause.id);
  if (connection.row(PAUSE, run, id) !== undefined) return;
  const json = toJsonText(pause);
  const large = isLarge(json);
  const seq = connection.insert(
    "INSERT INTO pauses (run, id, open, doubt, expires_at, json) VALUES (?, ?, 1, ?, ?, ?)",
    run,
    id,
    pause.kind === "in-doubt" ? 1 : 0,
    pause.expiresAt ?? null,
    large ? null : json,
  );
  if (large) keepLarge(connection, run, `pause ${seq}`, json);
  if (canceled && pause.kind !== "in-doubt") lapse(connection, "p.seq = ?", seq, "cancelled", pause.openedAt);
}

/** Answers the open pauses of a run that has ended, or is to be ended; what is in doubt stays open. */
export function lapsePauses(connection: SqliteConnection, run: number, lapsed: Lapsed["lapsed"], at: number): void {
  lapse(connection, "p.run = ? AND p.doubt = 0", run, lapsed, at);
}

/** See `Store.expire`. */
export function expirePauses(connection: SqliteConnection, now: number): void {
  connection.transaction(() => lapse(connection, "p.expires_at <= ?", now, "expired", now));
}

function lapse(connection: SqliteConnection, where: string, value: number, lapsed: Lapsed["lapsed"], at: number): void {
  const open = connection.rows<{ seq: number; run: number; id: string }>(
    `SELECT p.seq, p.run, p.id FROM pauses p WHERE p.open = 1 AND ${where} ORDER BY p.seq`,
    value,
  );
  for (const { seq, run, id } of open) {
    insertSignal(connection, run, id, { id: fromText(id), value: { lapsed }, at });
    connection.change("UPDATE pauses SET open = 0 WHERE seq = ?", seq);
    connection.change(
      "UPDATE open_runs SET woken = 1 WHERE (thread, n) IN (SELECT thread, n FROM runs WHERE seq = ?)",
      run,
    );
  }
}

const AUDIT_OF_RUN = `SELECT ${PAUSE_JSON} AS json, ${SIGNAL_JSON} AS decision, s.at
  FROM pauses p LEFT JOIN signals s ON s.run = p.run AND s.name = p.id WHERE p.run = ? ORDER BY p.seq`;

/** See `Store.audit`. */
export function auditOf(connection: SqliteConnection, run: number): readonly PauseAudit[] {
  return connection
    .rows<{ json: string | null; decision: string | null; at: number | null }>(AUDIT_OF_RUN, run)
    .map(({ json, decision, at }) => ({
      pause: fromJsonText<Pause>(json),
      decision: at === null ? undefined : fromJsonText<NonNullable<PauseAudit["decision"]>>(decision),
      decidedAt: at ?? undefined,
    }));
}

const OPEN_OF_RUN = `SELECT ${PAUSE_JSON} AS json FROM pauses p WHERE p.run = ? AND p.open = 1 ORDER BY p.seq`;

/** The open pauses of one run, oldest first. */
export function openPausesOf(connection: SqliteConnection, run: number): readonly Pause[] {
  return toPauses(connection.rows(OPEN_OF_RUN, run));
}

/** See `Store.pauses`. */
export function listPauses(connection: SqliteConnection, filter: PauseFilter): readonly Pause[] {
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

const SIGNALS_OF_RUN = `SELECT s.id, s.name, s.at, ${SIGNAL_JSON} AS json FROM signals s WHERE s.run = ? ORDER BY s.seq`;

/** The signals of a run in the order they came. */
export function signalsOf(connection: SqliteConnection, run: number): readonly Signal[] {
  return connection
    .rows<SignalColumns>(SIGNALS_OF_RUN, run)
    .map(({ id, name, json, at }) => ({ id: fromText(id), name: fromText(name), value: fromJsonText(json), at }));
}

/** See `Store.signal`. */
export function recordSignals(connection: SqliteConnection, runId: string, signals: readonly Signal[]): SignalResult {
  return connection.transaction(() => {
    const found = findRun(connection, runId);
    if (found === undefined) return { kind: "absent" };
    const fresh = new Map<string, Signal>();
    for (const signal of signals) {
      const refused = refusalOf(connection, found.seq, signal, fresh);
      if (refused !== undefined) return { kind: "refused", name: signal.name, ...refused };
    }
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

function insertSignal(connection: SqliteConnection, run: number, name: string, signal: Omit<Signal, "name">): void {
  const json = toJsonText(signal.value);
  const large = isLarge(json);
  const seq = connection.insert(
    "INSERT INTO signals (run, name, id, at, json) VALUES (?, ?, ?, ?, ?)",
    run,
    name,
    toText(signal.id),
    signal.at,
    large ? null : json,
  );
  if (large) keepLarge(connection, run, `signal ${seq}`, json);
}

const KNOWN_SIGNAL = `SELECT ${SIGNAL_JSON} AS json FROM signals s WHERE s.run = ? AND s.name = ?`;

type Refusal = { readonly why: "unknown" } | { readonly why: "answered"; readonly known: JsonValue };

/** Why a signal cannot be taken. One that can be, and is not there yet, is added to `fresh`. A pause whose time is over expires. */
function refusalOf(
  connection: SqliteConnection,
  run: number,
  { name, value, at, id }: Signal,
  fresh: Map<string, Signal>,
): Refusal | undefined {
  const pause = connection.row<{ seq: number; open: number; expiresAt: number | null }>(PAUSE, run, toText(name));
  if (pause === undefined) return { why: "unknown" };
  if (pause.open === 1 && pause.expiresAt !== null && pause.expiresAt <= at)
    lapse(connection, "p.seq = ?", pause.seq, "expired", at);
  const known = connection.row<{ json: string | null }>(KNOWN_SIGNAL, run, toText(name));
  const before = known === undefined ? fresh.get(name)?.value : fromJsonText(known.json);
  if (before !== undefined)
    return canonicalJson(before) === canonicalJson(value) ? undefined : { why: "answered", known: before };
  fresh.set(name, { id, name, value, at });
  return undefined;
}

function toPauses(rows: readonly { readonly json: string | null }[]): readonly Pause[] {
  return rows.map(({ json }) => fromJsonText<Pause>(json));
}
