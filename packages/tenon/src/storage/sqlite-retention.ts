import { dayOf } from "../finops/budget-sums.js";
import type { RunRow } from "../journal/store.js";
import { wholeText } from "./sqlite-blobs.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { forgetDays } from "./sqlite-ledger-sums.js";
import { runsOfThread } from "./sqlite-names.js";
import { END_KEY, hasEnded, lastOf } from "./sqlite-positions.js";
import { runOfSeq, toLimit } from "./sqlite-runs.js";
import { fromText, toText } from "./sqlite-text.js";

const OLD = `SELECT r.seq FROM runs r JOIN records e ON e.at = ${lastOf("r.seq")} AND e.key = '${END_KEY}'
  WHERE json_extract(${wholeText("e.json", "r.seq", "'record ' || e.at")}, '$.at') < ?1
  AND NOT EXISTS (SELECT 1 FROM pauses p WHERE p.run = r.seq AND p.open = 1)
  AND (NOT EXISTS (SELECT 1 FROM thread_queue q WHERE q.thread = r.thread)
    OR EXISTS (SELECT 1 FROM (${runsOfThread("r.thread")}) l WHERE l.n > r.n))
  ORDER BY r.seq LIMIT ?2`;
const OF_THREAD = `SELECT run AS seq, ${hasEnded("run")} AS ended FROM (${runsOfThread("?1")})`;

/** See `Store.prune`. */
export function pruneRuns(connection: SqliteConnection, endedBefore: number, limit: number): number {
  const pruned = connection.transaction(() => {
    connection.change("DELETE FROM thread_queue WHERE until <= ?", endedBefore);
    const old = connection.rows<{ seq: number }>(OLD, endedBefore, toLimit(limit));
    for (const { seq } of old) forget(connection, seq);
    if (Number.isFinite(endedBefore)) forgetDays(connection, dayOf(endedBefore));
    return old.length;
  });
  if (pruned > 0) connection.emptyLog();
  return pruned;
}

type Erased = { readonly erased: number } | { readonly open: RunRow };

/** See `Store.erase`. */
export function eraseThread(connection: SqliteConnection, threadId: string): Erased {
  const done = connection.transaction((): Erased => {
    const runs = connection.rows<{ seq: number; ended: number }>(OF_THREAD, toText(threadId));
    const open = runs.find((run) => run.ended === 0);
    if (open !== undefined) return { open: runOfSeq(connection, open.seq)!.row };
    for (const { seq } of runs) forget(connection, seq);
    connection.change("DELETE FROM thread_queue WHERE thread = ?", toText(threadId));
    return { erased: runs.length };
  });
  if ("erased" in done && done.erased > 0) connection.emptyLog();
  return done;
}

/** See `Store.threadsOf`. */
export function threadsOf(connection: SqliteConnection, owner: string): readonly string[] {
  return connection
    .rows<{ thread: string }>("SELECT DISTINCT thread FROM runs WHERE thread_owner = ?", toText(owner))
    .map(({ thread }) => fromText(thread));
}

/** A run with all that belongs to it: the trigger removes that. */
function forget(connection: SqliteConnection, run: number): void {
  connection.change("DELETE FROM runs WHERE seq = ?", run);
}
