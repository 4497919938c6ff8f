import type { MemoryRun, MemoryThread, MemoryTicket } from "./memory-run.js";
import type { NewRun, PastRun } from "./store.js";
import { TurnoverMap } from "./turnover-map.js";

const NONE: readonly PastRun[] = [];

/** The threads of a `MemoryStore` and their queues. */
export class MemoryThreads {
  readonly #threads: TurnoverMap<MemoryThread> = new TurnoverMap();
  #queued: Set<MemoryThread> | undefined;
  #lastTicket = 0;

  get(id: string): MemoryThread | undefined {
    return this.#threads.get(id);
  }

  /** The thread that a run starts. One that is named like its run is found with it, and kept only once that is forgotten. */
  make({ id, threadId, owner }: NewRun): MemoryThread {
    const thread: MemoryThread = {
      key: threadId,
      forgotten: false,
      owner,
      head: 0,
      holder: undefined,
      oldest: undefined,
      newest: undefined,
      queue: undefined,
    };
    if (threadId !== id) this.#threads.add(thread);
    return thread;
  }

  /** Whether somebody who lives waits for the thread since earlier than the caller. */
  isAhead(thread: MemoryThread, queue: boolean | number, now: number): boolean {
    if (thread.queue === undefined) return false;
    for (const ticket of thread.queue.values()) {
      if (ticket.number === queue) return false;
      if (ticket.until > now) return true;
    }
    return false;
  }

  /** Keeps the caller's place, or makes a new one where it has none (any more); the places of the dead are cleared. */
  placeOf(thread: MemoryThread, queue: boolean | number, by: string, until: number, now: number): number | undefined {
    if (queue === false) return undefined;
    const tickets = (thread.queue ??= new Map<number, MemoryTicket>());
    for (const ticket of tickets.values()) {
      if (ticket.number === queue) ticket.until = until;
      else if (ticket.until <= now) tickets.delete(ticket.number);
    }
    if (typeof queue === "number" && tickets.has(queue)) return queue;
    const number = ++this.#lastTicket;
    tickets.set(number, { number, by, until });
    (this.#queued ??= new Set()).add(thread);
    return number;
  }

  leave(thread: MemoryThread | undefined, ticket: number): void {
    if (thread?.queue === undefined) return;
    thread.queue.delete(ticket);
    if (thread.queue.size === 0) this.clearQueue(thread);
  }

  /** Nobody has a place any more. */
  clearQueue(thread: MemoryThread | undefined): void {
    if (thread?.queue === undefined) return;
    thread.queue = undefined;
    this.#queued?.delete(thread);
    this.#dropIfUnused(thread);
  }

  /** Clears the places that ended before `at`. */
  clearDead(at: number): void {
    for (const thread of this.#queued ?? [])
      for (const { number, until } of thread.queue?.values() ?? []) if (until <= at) this.leave(thread, number);
  }

  /** Whether it is all that keeps the order in which others wait. */
  isLastAndWaitedFor({ thread, newer }: MemoryRun): boolean {
    return thread.queue !== undefined && thread.holder === undefined && newer === undefined;
  }

  /** Renews the places of `by` in all queues. */
  renew(by: string, until: number): void {
    if (this.#queued === undefined) return;
    for (const { queue } of this.#queued)
      for (const ticket of queue?.values() ?? []) if (ticket.by === by) ticket.until = until;
  }

  /** A run that ended frees its thread and joins the thread's chain. */
  ended(run: MemoryRun): void {
    const { thread } = run;
    thread.holder = undefined;
    run.older = thread.newest;
    if (thread.newest === undefined) thread.oldest = run;
    else thread.newest.newer = run;
    thread.newest = run;
  }

  /** Takes an ended run out of its thread. A thread that nothing is left of is forgotten. */
  forget(run: MemoryRun): void {
    const { thread, older, newer } = run;
    if (older === undefined) thread.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) thread.newest = older;
    else newer.older = older;
    run.older = run.newer = undefined;
    this.#dropIfUnused(thread);
    if (run.key === thread.key && !thread.forgotten) this.#threads.add(thread);
  }

  /** The threads of an owner that are kept by their own name. */
  of(owner: string): readonly string[] {
    return [...this.#threads.values()].filter((thread) => thread.owner === owner).map(({ key }) => key);
  }

  window(thread: MemoryThread | undefined, before: number, count: number): readonly PastRun[] {
    let run = thread?.newest;
    if (run === undefined || count <= 0) return NONE;
    const past: PastRun[] = [];
    for (; run !== undefined && past.length < count; run = run.older)
      if (run.row.n < before) past.push({ run: run.row, records: run.records });
    return past.reverse();
  }

  #dropIfUnused(thread: MemoryThread): void {
    if (thread.holder === undefined && thread.oldest === undefined && thread.queue === undefined)
      thread.forgotten = true;
  }
}
