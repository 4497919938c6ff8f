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
