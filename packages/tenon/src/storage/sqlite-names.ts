import type { SqliteConnection } from "./sqlite-connection.js";
import { hasEnded } from "./sqlite-positions.js";

/** How many ended runs of a connection wait in `open_runs` until they move together. */
const TOGETHER = 32;

/** SQL of the number of the run whose id is `?1`. */
export const RUN_OF_ID = `SELECT run FROM open_runs WHERE thread = ?1 AND n = 1 AND id IS NULL
  UNION ALL SELECT run FROM open_runs WHERE id = ?1
  UNION ALL SELECT run FROM run_names WHERE thread = ?1 AND n = 1 AND id IS NULL
  UNION ALL SELECT run FROM run_names WHERE id = ?1`;

/** SQL of a condition on the columns of `open_runs`: the run whose id is `?1`. */
export const OF_ID = `((thread = ?1 AND n = 1 AND id IS NULL) OR id = ?1)`;

/** SQL of the numbers of a thread's runs, newest first. The arguments are SQL too. */
export function runsOfThread(thread: string, before?: string): string {
  const where = `thread = ${thread}${before === undefined ? "" : ` AND n < ${before}`}`;
  return `SELECT run, n FROM open_runs WHERE ${where} UNION ALL SELECT run, n FROM run_names WHERE ${where} ORDER BY n DESC`;
}

const MOVE = "INSERT INTO run_names (thread, n, run, id) SELECT thread, n, run, id FROM open_runs";
// A place may be that of a newer run by now, where its thread was erased: only what has ended moves, and once.
const MOVE_SOME = `INSERT INTO run_names (thread, n, run, id) SELECT DISTINCT o.thread, o.n, o.run, o.id
  FROM json_each(?) AS place CROSS JOIN open_runs o ON o.thread = place.value ->> 0 AND o.n = place.value ->> 1
  WHERE ${hasEnded("o.run")}`;
const DELETE_SOME = `DELETE FROM open_runs WHERE (thread, n) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
  AND ${hasEnded("run")}`;
const MOVE_ENDED = `${MOVE} WHERE ${hasEnded("run")}`;
const DELETE_ENDED = `DELETE FROM open_runs WHERE ${hasEnded("run")}`;

/**
 * Moves names of ended runs from `open_runs` to `run_names`, many at a time: each alone would write a page of its own for
 * it. Called in the transaction of a start, which writes `open_runs` anyway. A connection's first call takes what others
 * left behind.
 */
export function moveEndedNames(connection: SqliteConnection): void {
  const { written } = connection;
  if (!written.tidied) {
    connection.change(MOVE_ENDED);
    connection.change(DELETE_ENDED);
    written.tidied = true;
  } else if (written.ended.length >= TOGETHER) {
    const places = JSON.stringify(written.ended);
    connection.change(MOVE_SOME, places);
    connection.change(DELETE_SOME, places);
    written.ended = [];
  }
}
