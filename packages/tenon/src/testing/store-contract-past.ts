import { expect } from "./vitest.js";
import type { RunRow, Store } from "../journal/store.js";
import { doubt, ended, lease, NOW, opened, outcome, pause, record, signal, started } from "./store-contract-fixture.js";

/** A run with a record and an answered pause, that ended. */
export async function pastRun(store: Store, id: string, thread: string, at: number, owner?: string): Promise<RunRow> {
  const run = await started(store, id, thread, { owner });
  await opened(store, run, pause(`pause-${id}`, run));
  await store.signal(id, [signal(`pause-${id}`)]);
  const end = { outcome: outcome(), at };
  await store.append({ runId: id, epoch: 1, records: [record("a", id)], end });
  return run;
}

/** A run that ended and left a question open. */
export async function doubtful(store: Store, id: string, thread: string, at: number): Promise<void> {
  const run = await started(store, id, thread);
  await opened(store, run, doubt(`doubt-${id}`, run));
  await ended(store, run, outcome("cancelled"), at);
}

export async function numbers(store: Store, thread: string, before = 999, count = 999): Promise<readonly number[]> {
  return (await store.window(thread, before, count)).map(({ run }) => run.n);
}

/** Nothing is left that names the run. */
export async function expectGone(store: Store, runId: string): Promise<void> {
  expect(await store.run(runId)).toBeUndefined();
  expect(await store.records(runId)).toEqual([]);
  expect(await store.audit(runId)).toEqual([]);
  expect(await store.pauses({ runId })).toEqual([]);
  expect(await store.signal(runId, [signal(`pause-${runId}`)])).toEqual({ kind: "absent" });
  expect(await store.cancel(runId, NOW, "cancelled")).toEqual({ kind: "absent" });
  expect(await store.pickUp(runId, lease("app-9"), NOW + 99_000)).toEqual({ kind: "absent" });
  expect(await store.park(runId, 1, [])).toBe("fenced");
  expect(await store.append({ runId, epoch: 1, records: [record("b")] })).toBe("fenced");
  await store.release(runId, 1);
  expect(await store.renew([{ runId, epoch: 1 }], lease())).toEqual({ lost: [runId], cancels: [], woken: [] });
}
