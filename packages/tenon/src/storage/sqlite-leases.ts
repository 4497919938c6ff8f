import type { CancelResult, Lease, ParkResult, PickUpResult, Renewed, Signal } from "../journal/store.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { OF_ID } from "./sqlite-names.js";
import { lapsePauses, openPausesOf, signalsOf } from "./sqlite-pauses.js";
import { hasEnded } from "./sqlite-positions.js";
import { recordsOf } from "./sqlite-records.js";
import { findRun, type StoredRun } from "./sqlite-runs.js";
import { forgetTail } from "./sqlite-tails.js";
import { toText } from "./sqlite-text.js";

interface RenewedRun {
  readonly run: number;
  readonly thread: string;
  readonly n: number;
  readonly woken: number;
  readonly cancel: number;
}

type Held = { readonly runId: string; readonly epoch: number };

/** See `Store.pickUp`. */
export function pickUpRun(connection: SqliteConnection, runId: string, lease: Lease, now: number): PickUpResult {
  return connection.transaction(() => {
    const found = findRun(connection, runId);
    if (found === undefined) return { kind: "absent" };
    const { seq, thread, row, open } = found;
    if (open === undefined) return { kind: "ended", run: row };
    const by = toText(lease.by);
    if (open.leaseUntil > now && open.leaseBy !== by) return { kind: "held", until: open.leaseUntil };
    if (row.status === "paused" && open.woken === 0 && open.cancel === 0)
      return { kind: "waiting", run: row, pauses: openPausesOf(connection, seq) };
    // It may be of a run that had the id before, and was forgotten by another connection.
    forgetTail(connection, runId);
    connection.change(
      "UPDATE open_runs SET status = 'running', epoch = epoch + 1, lease_by = ?, lease_until = ?, woken = 0 WHERE thread = ? AND n = ?",
      by,
      lease.until,
      thread,
      row.n,
    );
    return {
      kind: "picked-up",
      run: { ...row, status: "running", epoch: row.epoch + 1 },
      records: recordsOf(connection, seq),
      signals: signalsOf(connection, seq),
      cancelAsked: open.cancel === 1,
    };
  });
}

/** See `Store.park`. */
export function parkRun(
  connection: SqliteConnection,
  runId: string,
  epoch: number,
  waits: readonly string[],
): ParkResult {
  return connection.transaction(() => {
    const found = findRun(connection, runId);
    if (!isCurrent(found, epoch)) return "fenced";
    const signals = signalsOf(connection, found.seq);
    const cancelAsked = found.open!.cancel === 1;
    if (cancelAsked || signals.some(({ name }) => waits.includes(name))) return { signals, cancelAsked };
    connection.change(
      "UPDATE open_runs SET status = 'paused', lease_by = NULL, lease_until = 0, woken = 0 WHERE thread = ? AND n = ?",
      found.thread,
      found.row.n,
    );
    forgetTail(connection, runId);
    return "parked";
  });
}

const RELEASE = `UPDATE open_runs SET lease_by = NULL, lease_until = 0 WHERE ${OF_ID} AND epoch = ?2`;

/** See `Store.release`. */
export function releaseRun(connection: SqliteConnection, runId: string, epoch: number): void {
  forgetTail(connection, runId);
  connection.change(RELEASE, toText(runId), epoch);
}

/** See `Store.cancel`. */
export function cancelRun(
  connection: SqliteConnection,
  runId: string,
  now: number,
  lapsed: "cancelled" | "superseded",
): CancelResult {
  return connection.transaction(() => {
    const found = findRun(connection, runId);
    if (found === undefined) return { kind: "absent" };
    if (found.open === undefined) return { kind: "ended", run: found.row };
    connection.change("UPDATE open_runs SET cancel = 1 WHERE thread = ? AND n = ?", found.thread, found.row.n);
    lapsePauses(connection, found.seq, lapsed, now);
    return { kind: found.open.leaseUntil > now ? "asked" : "free" };
  });
}

const RENEW = `UPDATE open_runs SET lease_until = ?4 WHERE ${OF_ID} AND epoch = ?2 AND lease_by = ?3 AND NOT ${hasEnded("run")} RETURNING run, thread, n, woken, cancel`;

/** See `Store.renew`. */
export function renewLeases(connection: SqliteConnection, runs: readonly Held[], lease: Lease): Renewed {
  return connection.transaction(() => {
    const by = toText(lease.by);
    const lost: string[] = [];
    const cancels: string[] = [];
    const woken: { runId: string; signals: readonly Signal[] }[] = [];
    for (const { runId, epoch } of runs) {
      const renewed = connection.row<RenewedRun>(RENEW, toText(runId), epoch, by, lease.until);
      if (renewed?.cancel === 1) cancels.push(runId);
      if (renewed?.woken === 1) {
        woken.push({ runId, signals: signalsOf(connection, renewed.run) });
        connection.change("UPDATE open_runs SET woken = 0 WHERE thread = ? AND n = ?", renewed.thread, renewed.n);
      }
      // One that was parked, released or ended under this epoch has no lease to renew, and nobody took it.
      if (renewed === undefined && findRun(connection, runId)?.row.epoch !== epoch) {
        lost.push(runId);
        forgetTail(connection, runId);
      }
    }
    connection.change("UPDATE thread_queue SET until = ? WHERE by = ?", lease.until, by);
    return { lost, cancels, woken };
  });
}

function isCurrent(found: StoredRun | undefined, epoch: number): found is StoredRun {
  return found !== undefined && found.open !== undefined && found.row.epoch === epoch;
}
