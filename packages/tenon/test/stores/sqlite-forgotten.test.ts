import { expect, test } from "vitest";
import {
  ended,
  newRun,
  NOW,
  outcome,
  pickedUp,
  record,
  request,
  started,
} from "../../src/testing/store-contract-fixture.js";
import { freshPath, storeAt } from "./sqlite-fixture.js";

test("a frozen writer of an erased run does not write to the run that has its number and its place now", async () => {
  const path = freshPath();
  const [frozen, other] = [storeAt(path), storeAt(path)];
  await started(frozen, "run-1", "thread-1");
  expect(await frozen.append({ runId: "run-1", epoch: 1, records: [record("a")] })).toBe("written");
  await ended(other, (await pickedUp(other, "run-1", "app-2", NOW + 20_000)).run, outcome("cancelled"));
  expect(await other.erase("thread-1")).toEqual({ erased: 1 });
  const next = await other.start(request(newRun("run-2", "thread-1")));
  expect(next).toMatchObject({ kind: "started", run: { n: 1, epoch: 1 } });

  expect(await frozen.append({ runId: "run-1", epoch: 1, records: [record("b")] })).toBe("fenced");
  const end = { outcome: outcome(), at: NOW + 1 };
  expect(await frozen.append({ runId: "run-1", epoch: 1, records: [], end })).toBe("fenced");
  expect(await other.records("run-2")).toEqual([]);
  expect((await other.run("run-2"))!.status).toBe("running");
});

test("a run that has the id of an erased one is no run of the erased one's writer, until that picks it up", async () => {
  const path = freshPath();
  const [frozen, other] = [storeAt(path), storeAt(path)];
  const until = NOW + 20_000;
  for (const runId of ["run-1", "run-2"]) {
    await started(frozen, runId, "thread-1");
    expect(await frozen.append({ runId, epoch: 1, records: [record("a")] })).toBe("written");
    await ended(other, (await pickedUp(other, runId, "app-2", until)).run, outcome("cancelled"));
    expect(await other.erase("thread-1")).toEqual({ erased: 1 });
    await started(other, runId, `thread-of-${runId}`);
  }
  expect(await frozen.append({ runId: "run-1", epoch: 1, records: [record("b")] })).toBe("fenced");
  expect(await other.records("run-1")).toEqual([]);

  expect((await pickedUp(frozen, "run-2", "app-1", until)).run.epoch).toBe(2);
  expect(await frozen.append({ runId: "run-2", epoch: 2, records: [record("a")] })).toBe("written");
  expect(await other.records("run-2")).toEqual([record("a")]);
});
