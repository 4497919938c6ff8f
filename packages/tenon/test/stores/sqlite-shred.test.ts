import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ended, newRun, NOW, outcome, pause, request, type started } from "../../src/testing/store-contract-fixture.js";
import { freshPath, storeAt } from "./sqlite-fixture.js";

/** Whether a text is in any byte of the file, its log or what else is beside it. */
function isOnDisk(path: string, text: string): boolean {
  return readdirSync(dirname(path)).some((name) => readFileSync(join(dirname(path), name)).includes(text));
}

test.each(["short", "long".repeat(20_000)])(
  "what is erased or pruned is gone from the bytes too (%#)",
  async (filler) => {
    const path = freshPath();
    const store = storeAt(path);
    for (const [id, thread] of [
      ["run-1", "erased"],
      ["run-2", "pruned"],
      ["run-3", "kept"],
    ] as const) {
      const secret = `secret of ${thread} ${filler}`;
      const run = (await store.start({
        ...request(newRun(id, thread)),
        run: { ...newRun(id, thread), prompt: secret },
      })) as {
        readonly run: Awaited<ReturnType<typeof started>>;
      };
      await store.append({
        runId: id,
        epoch: 1,
        records: [{ key: "turn:1/model", type: "model", v: 1, activation: "a", value: { text: secret } }],
        opened: [{ ...pause(`pause-${id}`, run.run), input: { secret } }],
      });
      await store.signal(id, [{ id: "s", name: `pause-${id}`, value: { answer: secret, by: "ann" }, at: NOW }]);
      await ended(store, run.run, { ...outcome(), text: secret }, thread === "pruned" ? NOW + 1 : NOW + 100);
    }
    for (const thread of ["erased", "pruned", "kept"]) expect(isOnDisk(path, `secret of ${thread}`)).toBe(true);
    expect(await store.erase("erased")).toEqual({ erased: 1 });
    expect(await store.prune(NOW + 50, 100)).toBe(1);
    expect(["erased", "pruned", "kept"].map((thread) => isOnDisk(path, `secret of ${thread}`))).toEqual([
      false,
      false,
      true,
    ]);
    await store.close();
    expect(["erased", "pruned", "kept"].map((thread) => isOnDisk(path, `secret of ${thread}`))).toEqual([
      false,
      false,
      true,
    ]);
  },
);
