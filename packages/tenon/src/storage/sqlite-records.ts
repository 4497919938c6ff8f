import { JournalError, StoreError } from "../errors/run-errors.js";
import type { Append, AppendResult, JournalRecord, PastRun } from "../journal/store.js";
import { isLarge, keepLarge, wholeText } from "./sqlite-blobs.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { isConstraint } from "./sqlite-errors.js";
import { lapsePauses, openPause } from "./sqlite-pauses.js";
import { atRun, END_KEY, hasEnded, POSITIONS } from "./sqlite-positions.js";
import { endedRunsBefore } from "./sqlite-runs.js";
import { forgetTail, readTail } from "./sqlite-tails.js";
import { fromJsonText, fromText, toJsonText, toText } from "./sqlite-text.js";
import type { Tail } from "./sqlite-written-runs.js";

interface Columns {
  readonly key: string;
  readonly type: string;
  readonly v: number;
  readonly activation: string;
  readonly json: string;
}

/** One statement fences and writes: it inserts nothing where the epoch is not the current one of the run. */
const INSERT = `INSERT INTO records (at, key, epoch, type, v, activation, json) SELECT ?, ?, epoch, ?, ?, ?, ?
  FROM open_runs WHERE thread = ? AND n = ? AND run = ? AND id IS ? AND epoch = ?`;
/** The same for the last record and the end of a run at once, where no pause of it is open. */
const INSERT_END = `INSERT INTO records (at, key, epoch, type, v, activation, json)
  SELECT column1, column2, epoch, column3, column4, column5, column6
  FROM open_runs CROSS JOIN (VALUES (?, ?, ?, ?, ?, ?), (?, '${END_KEY}', ?, 1, '', ?))
  WHERE thread = ? AND n = ? AND run = ? AND id IS ? AND epoch = ?
    AND NOT EXISTS (SELECT 1 FROM pauses WHERE pauses.open = 1 AND pauses.run = open_runs.run)`;
const CURRENT = `SELECT 1 FROM open_runs WHERE thread = ? AND n = ? AND run = ? AND id IS ? AND epoch = ? AND NOT ${hasEnded("run")}`;
const OF_RUN = `SELECT key, type, v, activation, ${wholeText("json", "?1", "'record ' || at")} AS json
  FROM records WHERE at ${atRun("?1")} AND key <> '${END_KEY}' ORDER BY at`;

const CANCEL = "SELECT cancel FROM open_runs WHERE thread = ? AND n = ?";

/** See `Store.append`. */
export function appendRecords(connection: SqliteConnection, batch: Append): AppendResult {
  const { runId, epoch } = batch;
  const tail = connection.written.tails.get(runId);
  try {
    if (tail !== undefined) return write(connection, tail, batch);
  } catch (thrown) {
    forgetTail(connection, runId);
    // The position is taken: another connection has written to the run, so what is known of it is old.
    if (!isConstraint(thrown)) throw thrown;
  }
  try {
    return connection.transaction(() => {
      const read = readTail(connection, runId, epoch);
      return read === undefined ? "fenced" : writeAll(connection, read, batch);
    });
  } catch (thrown) {
    forgetTail(connection, runId);
    throw thrown;
  }
}

/** The records of a run in the order they were written. */
export function recordsOf(connection: SqliteConnection, seq: number): readonly JournalRecord[] {
  return connection.rows<Columns>(OF_RUN, seq).map(({ key, type, v, activation, json }) => ({
    key: fromText(key),
    type: fromText(type),
    v,
    activation: fromText(activation),
    value: fromJsonText(json),
  }));
}

/** See `Store.window`. What has ended never changes, so its parts are read one after the other. */
export function windowOf(
  connection: SqliteConnection,
  threadId: string,
  before: number,
  count: number,
): readonly PastRun[] {
  if (before <= 1 || count <= 0) return [];
  const past = endedRunsBefore(connection, threadId, before, count).map(({ row, seq }) => ({
    run: row,
    records: recordsOf(connection, seq),
  }));
  return past.reverse();
}

function write(connection: SqliteConnection, tail: Tail, batch: Append): AppendResult {
  const { records, opened, end } = batch;
  if (records.length === 1 && opened === undefined) {
    const record = records[0]!;
    const json = toJsonText(record.value);
    // A statement alone is a transaction.
    if (end !== undefined) {
      if (insertEnd(connection, tail, batch, record, json)) return ended(connection, tail, batch.runId);
    } else if (!isLarge(json)) return insertRecord(connection, tail, batch, record, json);
  }
  return connection.transaction(() => writeAll(connection, tail, batch));
}

/** False where nothing was written, and it takes more than this to do so, or to say why. */
function insertEnd(
  connection: SqliteConnection,
  { thread, n, run, id, last, keys }: Tail,
  { epoch, end }: Append,
  { key, type, v, activation }: JournalRecord,
  json: string,
): boolean {
  const endJson = toJsonText(end);
  if (isLarge(json) || isLarge(endJson) || keys.has(key) || last % POSITIONS > POSITIONS - 3) return false;
  const record = [last + 1, toText(key), toText(type), v, toText(activation), json];
  const values = [...record, last + 2, end!.outcome.status, endJson, thread, n, run, id, epoch];
  return connection.change(INSERT_END, ...values) > 0;
}

function ended(connection: SqliteConnection, { thread, n }: Tail, runId: string): "written" {
  connection.written.ended.push([thread, n]);
  forgetTail(connection, runId);
  return "written";
}

function writeAll(connection: SqliteConnection, tail: Tail, batch: Append): AppendResult {
  const { records, opened, end, runId, epoch } = batch;
  // A record, and the end alone, are fenced by the statement that writes them; pauses that come first are not.
  if (records.length === 0 && (end === undefined || opened !== undefined) && !isCurrent(connection, tail, epoch))
    return fenced(connection, runId);
  for (const record of records) {
    const json = toJsonText(record.value);
    if (insertRecord(connection, tail, batch, record, json) === "fenced") return "fenced";
  }
  if (opened !== undefined) {
    const canceled = connection.row<{ cancel: number }>(CANCEL, tail.thread, tail.n)?.cancel === 1;
    for (const pause of opened) openPause(connection, tail.run, pause, canceled);
  }
  if (end !== undefined) {
    const row = { key: END_KEY, type: end.outcome.status, v: 1, activation: "", json: toJsonText(end) };
    if (insertText(connection, tail, epoch, row) === "fenced") return fenced(connection, runId);
    lapsePauses(connection, tail.run, "cancelled", end.at);
    return ended(connection, tail, runId);
  }
  return "written";
}

function insertRecord(
  connection: SqliteConnection,
  tail: Tail,
  { runId, epoch }: Append,
  { key, type, v, activation }: JournalRecord,
  json: string,
): AppendResult {
  if (tail.keys.has(key) && isCurrent(connection, tail, epoch)) {
    throw new JournalError(
      "An operation was recorded twice",
      `${key} of run ${runId}`,
      "Nothing was written. Operations of a run need different keys.",
    );
  }
  const result = insertText(connection, tail, epoch, {
    key: toText(key),
    type: toText(type),
    v,
    activation: toText(activation),
    json,
  });
  if (result === "fenced") return fenced(connection, runId);
  tail.keys.add(key);
  return result;
}

function insertText(connection: SqliteConnection, tail: Tail, epoch: number, row: Columns): AppendResult {
  const { key, type, v, activation, json } = row;
  const at = tail.last + 1;
  if (at % POSITIONS === 0) {
    throw new StoreError(
      "A run has more records than the store can count",
      `${POSITIONS - 1}, ${key}`,
      "Nothing was written. Split the work into several runs.",
    );
  }
  const large = isLarge(json);
  const { thread, n, run, id } = tail;
  const text = large ? null : json;
  if (connection.change(INSERT, at, key, type, v, activation, text, thread, n, run, id, epoch) === 0) return "fenced";
  if (large) keepLarge(connection, run, `record ${at}`, json);
  tail.last = at;
  return "written";
}

function isCurrent(connection: SqliteConnection, { thread, n, run, id }: Tail, epoch: number): boolean {
  return connection.row(CURRENT, thread, n, run, id, epoch) !== undefined;
}

function fenced(connection: SqliteConnection, runId: string): "fenced" {
  forgetTail(connection, runId);
  return "fenced";
}
