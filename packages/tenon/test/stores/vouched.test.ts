import { expect, test } from "vitest";
import { memoryStore } from "../../src/journal/memory-store.js";
import type { Store } from "../../src/journal/store.js";
import { record, request, newRun } from "../../src/testing/store-contract-fixture.js";
import { freshPath, storeAt } from "./sqlite-fixture.js";

const stores: readonly (readonly [string, () => Store])[] = [
  ["memory", () => memoryStore()],
  ["sqlite", () => storeAt(freshPath())],
];

/** A long run: most of its records are known to be new. */
async function longRun(store: Store): Promise<readonly string[]> {
  await store.start({ ...request(newRun("run-1", "run-1")), fresh: true });
  const keys = Array.from({ length: 40 }, (_, i) => `turn:${i}/model`);
  for (const key of keys)
    expect(await store.append({ runId: "run-1", epoch: 1, records: [record(key)], distinct: true })).toBe("written");
  return keys;
}

test.each(stores)("%s keeps what is known to be new as it keeps all else", async (_kind, make) => {
  const store = make();
  const keys = await longRun(store);
  expect(await store.run("run-1")).toMatchObject({ id: "run-1", n: 1, status: "running" });
  expect((await store.records("run-1")).map(({ key }) => key)).toEqual(keys);
  expect(await store.start(request(newRun("run-1", "run-1")))).toMatchObject({ kind: "exists" });
  await store.close();
});

test.each(stores)("%s refuses a key that is there, where nobody said that it is new", async (_kind, make) => {
  const store = make();
  const keys = await longRun(store);
  const append = async (key: string): Promise<unknown> =>
    store.append({ runId: "run-1", epoch: 1, records: [record(key)] });
  for (const key of [keys[0]!, keys.at(-1)!])
    await expect(append(key)).rejects.toThrow("An operation was recorded twice");
  expect(await append("turn:40/model")).toBe("written");
  await expect(append("turn:40/model")).rejects.toThrow("An operation was recorded twice");
  expect(await store.records("run-1")).toHaveLength(41);
  await store.close();
});
