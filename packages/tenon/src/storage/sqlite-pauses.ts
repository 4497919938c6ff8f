import type { JsonValue } from "../protocol/json.js";
import type { Lapsed, Pause, PauseAudit } from "../protocol/pause.js";
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
  readonly at: number;
}

/** Opens a pause, once by its id. */
export function openPause(connection: SqliteConnection, run: number, pause: Pause): void {
  connection.change(
    "INSERT OR IGNORE INTO pauses (run, id, open, json, doubt, expires_at) VALUES (?, ?, 1, ?, ?, ?)",
    run,
    toText(pause.id),
    toJsonText(pause),
    pause.kind === "in-doubt" ? 1 : 0,
    pause.expiresAt ?? null,
  );
}

/** Closes the open pauses of a run that ends; what is in doubt stays open. */
export function closePauses(connection: SqliteConnection, run: number): void {
  connection.change("UPDATE pauses SET open = 0 WHERE run = ? AND open = 1 AND doubt = 0", run);
}

/** Answers the open pauses of a run that is to be ended; what is in doubt stays open. */
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
    connection.change(
      "INSERT INTO signals (run, name, id, json, at) VALUES (?, ?, ?, ?, ?)",
      run,
      id,
      id,
      toJsonText({ lapsed }),
      at,
    );
    connection.change("UPDATE pauses SET open = 0 WHERE seq = ?", seq);
    connection.change("UPDATE open_runs SET woken = 1 WHERE run = ?", run);
  }
}

/** See `Store.audit`. */
export function auditOf(connection: SqliteConnection, run: number): readonly PauseAudit[] {
  return connection
    .rows<{ json: string; decision: string | null; at: number | null }>(
      `SELECT p.json, s.json AS decision, s.at FROM pauses p LEFT JOIN signals s ON s.run = p.run AND s.name = p.id
       WHERE p.run = ? ORDER BY p.seq`,
      run,
    )
    .map(({ json, decision, at }) => ({
      pause: JSON.parse(json) as Pause,
      decision: decision === null ? undefined : (fromJsonText(decision) as unknown as PauseAudit["decision"]),
      decidedAt: at ?? undefined,
    }));
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
    .rows<SignalColumns>("SELECT id, name, json, at FROM signals WHERE run = ? ORDER BY seq", run)
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
      connection.change(
        "INSERT INTO signals (run, name, id, json, at) VALUES (?, ?, ?, ?, ?)",
        found.seq,
        name,
        toText(signal.id),
        toJsonText(signal.value),
        signal.at,
      );
      connection.change("UPDATE pauses SET open = 0 WHERE run = ? AND id = ?", found.seq, name);
    }
    if (fresh.size > 0) connection.change("UPDATE open_runs SET woken = 1 WHERE run = ?", found.seq);
    return { kind: "recorded" };
  });
}

type Refusal = { readonly why: "unknown" | "closed" } | { readonly why: "answered"; readonly known: JsonValue };

/** Why a signal cannot be taken. One that can be, and is not there yet, is added to `fresh`. A pause whose time is over expires. */
function refusalOf(
  connection: SqliteConnection,
  run: number,
  { name, value, at, id }: Signal,
  fresh: Map<string, Signal>,
): Refusal | undefined {
  const pause = connection.row<{ seq: number; open: number; expiresAt: number | null }>(
    "SELECT seq, open, expires_at AS expiresAt FROM pauses WHERE run = ? AND id = ?",
    run,
    toText(name),
  );
  if (pause === undefined) return { why: "unknown" };
  if (pause.open === 1 && pause.expiresAt !== null && pause.expiresAt <= at)
    lapse(connection, "p.seq = ?", pause.seq, "expired", at);
  const known = connection.row<{ json: string }>(
    "SELECT json FROM signals WHERE run = ? AND name = ?",
    run,
    toText(name),
  );
  const before = known === undefined ? fresh.get(name)?.value : fromJsonText(known.json);
  if (before !== undefined)
    return canonicalJson(before) === canonicalJson(value) ? undefined : { why: "answered", known: before };
  if (pause.open === 0) return { why: "closed" };
  fresh.set(name, { id, name, value, at });
  return undefined;
}

function toPauses(rows: readonly { readonly json: string }[]): readonly Pause[] {
  return rows.map(({ json }) => JSON.parse(json) as Pause);
}
