import type { NewRun, RunRow, StartRequest, StartResult } from "../journal/store.js";
import { isLarge, keepLarge } from "./sqlite-blobs.js";
import type { SqliteConnection } from "./sqlite-connection.js";
import { moveEndedNames, RUN_OF_ID, runsOfThread } from "./sqlite-names.js";
import { openPausesOf } from "./sqlite-pauses.js";
import { hasEnded } from "./sqlite-positions.js";
import { findRun, runOfSeq, type RunInput } from "./sqlite-runs.js";
import { newTail } from "./sqlite-tails.js";
import { fromText, toJsonText, toText } from "./sqlite-text.js";

/** The last run of a thread; while it is open it holds the thread. */
interface Head {
  readonly seq: number;
  readonly n: number;
  readonly owner: string | null;
  readonly ended: number;
}

/** What a start meets: the run of its id, and the last run of its thread. */
interface Found {
  readonly known: number | null;
  readonly head: number | null;
}

const nothing: Found = { known: null, head: null };
const FOUND = `SELECT (${RUN_OF_ID} LIMIT 1) AS known, (SELECT run FROM (${runsOfThread("?2")}) LIMIT 1) AS head`;
const HEAD_OF_SEQ = `SELECT seq, n, thread_owner AS owner, ${hasEnded("seq")} AS ended FROM runs WHERE seq = ?`;
const HEAD_OF_THREAD = `SELECT seq, n, thread_owner AS owner, ${hasEnded("seq")} AS ended FROM runs
  WHERE seq = (SELECT run FROM (${runsOfThread("?1")}) LIMIT 1)`;
const INSERT_RUN = `INSERT INTO runs (id, thread, n, thread_owner, agent, input, created_at, loop_version) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_OPEN = `INSERT INTO open_runs (thread, n, run, id, status, epoch, lease_by, lease_until, woken, cancel)
  VALUES (?, ?, ?, ?, 'running', 1, ?, ?, 0, 0)`;

/** See `Store.start`. */
export function startRun(connection: SqliteConnection, request: StartRequest): StartResult {
  return connection.transaction(() => {
    const { run, lease } = request;
    const id = toText(run.id);
    const thread = toText(run.threadId);
    const owner = run.owner === undefined ? null : toText(run.owner);
    // The first run of a thread that is named like it, under a name that is new, meets nothing.
    const found = request.fresh === true && id === thread ? nothing : connection.row<Found>(FOUND, id, thread)!;
    if (found.known !== null) return knownRun(connection, request, owner);
    const head = found.head === null ? undefined : connection.row<Head>(HEAD_OF_SEQ, found.head);
    if (head !== undefined) {
      if (isForeign(head.owner, owner)) return { kind: "owner" };
      if (head.ended === 0 || !isNext(connection, thread, request)) return busy(connection, thread, head, request);
    }
    if (typeof request.queue === "number") giveUpPlace(connection, thread, request.queue);
    const n = head === undefined ? 1 : head.n + 1;
    const threadOwner = head === undefined ? owner : head.owner;
    const input = toJsonText(inputOf(run));
    const large = isLarge(input);
    const seq = connection.insert(
      INSERT_RUN,
      id,
      thread,
      n,
      threadOwner,
      toText(run.agent),
      large ? null : input,
      run.createdAt,
      run.loopVersion,
    );
    if (large) keepLarge(connection, seq, "input", input);
    moveEndedNames(connection);
    const ownId = n === 1 && id === thread ? null : id;
    connection.change(INSERT_OPEN, thread, n, seq, ownId, toText(lease.by), lease.until);
    newTail(connection, run.id, { run: seq, thread, n, id: ownId });
    return { kind: "started", run: startedRow(run, n) };
  });
}

/** See `Store.thread`. */
export function threadOf(
  connection: SqliteConnection,
  threadId: string,
): { readonly owner: string | undefined } | undefined {
  const head = connection.row<Head>(HEAD_OF_THREAD, toText(threadId));
  return head === undefined ? undefined : { owner: head.owner === null ? undefined : fromText(head.owner) };
}

/** See `Store.leaveQueue`. */
export function leaveQueue(connection: SqliteConnection, threadId: string, ticket: number): void {
  giveUpPlace(connection, toText(threadId), ticket);
}

/** Without an owner a thread is open to everybody. */
function isForeign(threadOwner: string | null, owner: string | null): boolean {
  return threadOwner !== null && threadOwner !== owner;
}

function knownRun(connection: SqliteConnection, request: StartRequest, owner: string | null): StartResult {
  // The place is of no more use to the caller, and nobody else could free it.
  if (typeof request.queue === "number") giveUpPlace(connection, toText(request.run.threadId), request.queue);
  const { row } = findRun(connection, request.run.id)!;
  const threadOwner = connection.row<Head>(HEAD_OF_THREAD, toText(row.threadId))!.owner;
  return isForeign(threadOwner, owner) ? { kind: "owner" } : { kind: "exists", run: row };
}

function isNext(connection: SqliteConnection, thread: string, { queue, now }: StartRequest): boolean {
  const first = connection.row<{ ticket: number }>(
    "SELECT ticket FROM thread_queue WHERE thread = ? AND (until > ? OR ticket = ?) ORDER BY ticket LIMIT 1",
    thread,
    now,
    typeof queue === "number" ? queue : -1,
  );
  return first === undefined || first.ticket === queue;
}

function busy(connection: SqliteConnection, thread: string, head: Head, request: StartRequest): StartResult {
  const ticket = placeOf(connection, thread, request);
  if (head.ended === 1) return { kind: "busy", holder: undefined, holderLeaseUntil: 0, pauses: [], ticket };
  const { row, open } = runOfSeq(connection, head.seq)!;
  const live = open!.leaseUntil > request.now;
  return {
    kind: "busy",
    holder: row,
    holderLeaseUntil: live ? open!.leaseUntil : 0,
    pauses: openPausesOf(connection, head.seq),
    ticket,
  };
}

/** Keeps the caller's place, or makes a new one where it has none (any more); the places of the dead are cleared. */
function placeOf(
  connection: SqliteConnection,
  thread: string,
  { queue, lease, now }: StartRequest,
): number | undefined {
  if (queue === false) return undefined;
  const kept =
    typeof queue === "number" &&
    connection.change(
      "UPDATE thread_queue SET until = ? WHERE ticket = ? AND thread = ?",
      lease.until,
      queue,
      thread,
    ) === 1;
  connection.change(
    "DELETE FROM thread_queue WHERE thread = ? AND until <= ? AND ticket <> ?",
    thread,
    now,
    kept ? queue : -1,
  );
  if (kept) return queue;
  return connection.insert(
    "INSERT INTO thread_queue (thread, by, until) VALUES (?, ?, ?)",
    thread,
    toText(lease.by),
    lease.until,
  );
}

function giveUpPlace(connection: SqliteConnection, thread: string, ticket: number): void {
  connection.change("DELETE FROM thread_queue WHERE ticket = ? AND thread = ?", ticket, thread);
}

function inputOf({ workflow, prompt, owner, metadata, model, toolNames, hadContext }: NewRun): RunInput {
  return { workflow, prompt, owner, metadata, model, toolNames, hadContext };
}

function startedRow(run: NewRun, n: number): RunRow {
  return { ...run, n, status: "running", endedAt: undefined, outcome: undefined, epoch: 1 };
}
