import type { SqliteConnection } from "./sqlite-connection.js";
import { OF_ID } from "./sqlite-names.js";
import { atRun, END_KEY, POSITIONS } from "./sqlite-positions.js";
import { fromText, toText } from "./sqlite-text.js";
import type { Tail } from "./sqlite-written-runs.js";

const OPEN = `SELECT run, thread, n, id FROM open_runs WHERE ${OF_ID} AND epoch = ?2`;
const KEYS = `SELECT at, key FROM records WHERE at ${atRun("?1")} ORDER BY at`;

/** The tail of a run that was started just now. */
export function newTail(
  connection: SqliteConnection,
  runId: string,
  { run, thread, n, id }: Pick<Tail, "run" | "thread" | "n" | "id">,
): void {
  connection.written.tails.set(runId, { run, thread, n, id, last: run * POSITIONS, keys: new Set() });
}

/** Reads the tail of a run, or gives `undefined` where the epoch is not its current one or it has ended. */
export function readTail(connection: SqliteConnection, runId: string, epoch: number): Tail | undefined {
  const open = connection.row<{ run: number; thread: string; n: number; id: string | null }>(
    OPEN,
    toText(runId),
    epoch,
  );
  if (open === undefined) return undefined;
  const records = connection.rows<{ at: number; key: string }>(KEYS, open.run);
  const last = records.at(-1);
  if (last?.key === END_KEY) return undefined;
  const tail = {
    run: open.run,
    thread: open.thread,
    n: open.n,
    id: open.id,
    last: last?.at ?? open.run * POSITIONS,
    keys: new Set(records.map(({ key }) => fromText(key))),
  };
  connection.written.tails.set(runId, tail);
  return tail;
}

/** The connection writes nothing more of a run, or what it knows is wrong. */
export function forgetTail(connection: SqliteConnection, runId: string): void {
  connection.written.tails.delete(runId);
}
