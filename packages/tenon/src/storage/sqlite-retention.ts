import type { RunRow } from "../journal/store.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { END_KEY, runOfSeq, toLimit } from "./sqlite-runs.js";
import { fromText, toText } from "./sqlite-text.js";

const OLD = `SELECT r.seq FROM runs r JOIN records e ON e.run = r.seq AND e.key = '${END_KEY}'
  WHERE json_extract(e.json, '$.at') < ? AND NOT EXISTS (SELECT 1 FROM pauses p WHERE p.run = r.seq AND p.open = 1)
  AND (NOT EXISTS (SELECT 1 FROM thread_queue q WHERE q.thread = r.thread)
    OR EXISTS (SELECT 1 FROM runs l WHERE l.thread = r.thread AND l.n > r.n))
  ORDER BY r.seq LIMIT ?`;

/** See `Store.prune`. */
export function pruneRuns(connection: SqliteConnection, endedBefore: number, limit: number): number {
  return connection.transaction(() => {
    connection.change("DELETE FROM thread_queue WHERE until <= ?", endedBefore);
    const old = connection.rows<{ seq: number }>(OLD, endedBefore, toLimit(limit));
    for (const { seq } of old) forget(connection, seq);
    return old.length;
  });
}

/** See `Store.erase`. */
export function eraseThread(
  connection: SqliteConnection,
  threadId: string,
): { readonly erased: number } | { readonly open: RunRow } {
  return connection.transaction(() => {
    const runs = connection.rows<{ seq: number; open: number | null }>(
      "SELECT r.seq, o.run AS open FROM runs r LEFT JOIN open_runs o ON o.run = r.seq WHERE r.thread = ?",
      toText(threadId),
    );
    const open = runs.find((run) => run.open !== null);
    if (open !== undefined) return { open: runOfSeq(connection, open.seq)!.row };
    for (const { seq } of runs) forget(connection, seq);
    connection.change("DELETE FROM thread_queue WHERE thread = ?", toText(threadId));
    return { erased: runs.length };
  });
}

/** See `Store.threadsOf`. */
export function threadsOf(connection: SqliteConnection, owner: string): readonly string[] {
  return connection
    .rows<{ thread: string }>("SELECT DISTINCT thread FROM runs WHERE thread_owner = ?", toText(owner))
    .map(({ thread }) => fromText(thread));
}

/** A run with all that belongs to it. */
function forget(connection: SqliteConnection, run: number): void {
  for (const table of ["records", "signals", "pauses"]) connection.change(`DELETE FROM ${table} WHERE run = ?`, run);
  connection.change("DELETE FROM runs WHERE seq = ?", run);
}
