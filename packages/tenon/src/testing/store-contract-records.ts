import { describe, expect, test } from "./vitest.js";
import { JournalError } from "../errors/run-errors.js";
import type { JsonValue } from "../protocol/json.js";
import {
  ended,
  newRun,
  NOW,
  openStore,
  outcome,
  pause,
  pickedUp,
  record,
  request,
  signal,
  started,
  type OpenStore,
} from "./store-contract-fixture.js";

const HALF = "\ud83d";
const OTHER_HALF = "\udc00";

/** Strings that stores like to lose. Different from each other in every store. */
const HOSTILE: readonly string[] = [
  "",
  " ",
  "'; DROP TABLE runs; --",
  '"quoted"',
  '"end',
  '"\\"end"',
  "\0",
  "a\0b",
  "a\0c",
  "a",
  HALF,
  OTHER_HALF,
  `x${HALF}`,
  "\ufffd",
  "x\ufffd",
  "😀 ñ é e\u0301 日本",
  "__proto__",
  "constructor",
  "null",
  "line\nbreak\r\n\t\u2028",
  "%_?1:name@x$y",
  "z".repeat(100_000),
];

/** Writing and reading records. */
export function recordContract(open: OpenStore): void {
  describe("append", () => {
    test("records come back in the order they were written, in one batch or in many", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      const all = [
        record("z"),
        { ...record("a"), type: "wait", v: 3, activation: "other" },
        record("m"),
        record("b"),
        record("k"),
      ];
      expect(await store.append({ runId: "run-1", epoch: 1, records: [all[0]!] })).toBe("written");
      expect(await store.append({ runId: "run-1", epoch: 1, records: [all[1]!, all[2]!] })).toBe("written");
      expect(await store.append({ runId: "run-1", epoch: 1, records: [] })).toBe("written");
      expect(await store.append({ runId: "run-1", epoch: 1, records: [all[3]!] })).toBe("written");
      const { run } = await pickedUp(store, "run-1", "app-1");
      expect(await store.append({ runId: "run-1", epoch: run.epoch, records: [all[4]!] })).toBe("written");
      expect(await store.records("run-1")).toEqual(all);
      expect((await pickedUp(store, "run-1", "app-1")).records).toEqual(all);
    });

    test("what was read stays as it was read", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      const before = await store.records("run-1");
      const { records } = await pickedUp(store, "run-1", "app-1");
      await store.append({ runId: "run-1", epoch: 2, records: [record("a")] });
      expect(before).toEqual([]);
      expect(records).toEqual([]);
    });

    test("an older epoch, a newer one and an unknown run are fenced off and write nothing", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      await pickedUp(store, "run-1", "app-1");
      const end = { outcome: outcome(), at: NOW };
      for (const epoch of [1, 3, 0]) {
        expect(await store.append({ runId: "run-1", epoch, records: [record("a")] })).toBe("fenced");
        expect(await store.append({ runId: "run-1", epoch, records: [record("a"), record("b")] })).toBe("fenced");
        expect(
          await store.append({ runId: "run-1", epoch, records: [record("a")], opened: [pause("pause-1", run)], end }),
        ).toBe("fenced");
      }
      expect(await store.append({ runId: "nobody", epoch: 1, records: [record("a")] })).toBe("fenced");
      expect(await store.append({ runId: "nobody", epoch: 1, records: [], end })).toBe("fenced");
      expect(await store.records("run-1")).toEqual([]);
      expect(await store.pauses({})).toEqual([]);
      expect(await store.run("run-1")).toMatchObject({ status: "running", epoch: 2 });
    });

    test("the end comes with the last records and frees thread and lease", async () => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1");
      const result = {
        ...outcome("failed", "no"),
        error: { code: "model_error", message: "m", data: { status: 500 } },
      };
      await store.append({
        runId: "run-1",
        epoch: 1,
        records: [record("a")],
        opened: [pause("pause-1", run)],
        end: { outcome: result, at: NOW + 7 },
      });
      expect(await store.run("run-1")).toEqual({ ...run, status: "failed", endedAt: NOW + 7, outcome: result });
      expect(await store.records("run-1")).toEqual([record("a")]);
      expect(await store.pauses({})).toEqual([]);
      expect((await started(store, "run-2", "thread-1")).n).toBe(2);
    });

    test("an ended run takes nothing more", async () => {
      const store = await openStore(open);
      await ended(store, await started(store, "run-1", "thread-1"));
      expect(await store.append({ runId: "run-1", epoch: 1, records: [record("a")] })).toBe("fenced");
      expect(
        await store.append({ runId: "run-1", epoch: 1, records: [], end: { outcome: outcome("failed"), at: NOW + 9 } }),
      ).toBe("fenced");
      expect(await store.run("run-1")).toMatchObject({ status: "completed", endedAt: NOW + 1 });
      expect(await store.records("run-1")).toEqual([]);
    });

    test.each([0, 3, 20])(
      "a key that is there is an error, and nothing of its batch is written (after %i others)",
      async (others) => {
        const store = await openStore(open);
        await started(store, "run-1", "thread-1");
        const before = [...Array.from({ length: others }, (_, i) => record(`other-${i}`)), record("a", 1)];
        await store.append({ runId: "run-1", epoch: 1, records: before });
        const refused = async (keys: readonly string[]): Promise<void> => {
          const write = async (): Promise<unknown> =>
            store.append({
              runId: "run-1",
              epoch: 1,
              records: keys.map((key) => record(key)),
              end: { outcome: outcome(), at: NOW },
            });
          await expect(write()).rejects.toSatisfy((thrown) => JournalError.is(thrown));
        };
        await refused(["b", "a"]);
        await refused(["b", "c", "b"]);
        await expect(
          (async () => store.append({ runId: "run-1", epoch: 1, records: [record("a", 2)] }))(),
        ).rejects.toThrow("recorded twice: a of run run-1");
        expect(await store.records("run-1")).toEqual(before);
        expect(await store.append({ runId: "run-1", epoch: 1, records: [record("b")] })).toBe("written");
        expect(await store.records("run-1")).toEqual([...before, record("b")]);
      },
    );

    test("keys are of one run", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      await started(store, "run-2", "thread-2");
      await store.append({ runId: "run-1", epoch: 1, records: [record("a", 1)] });
      await store.append({ runId: "run-2", epoch: 1, records: [record("a", 2)] });
      expect(await store.records("run-1")).toEqual([record("a", 1)]);
      expect(await store.records("run-2")).toEqual([record("a", 2)]);
    });

    test("10,000 records of one run", async () => {
      const store = await openStore(open);
      await started(store, "run-1", "thread-1");
      const all = Array.from({ length: 10_000 }, (_, i) => record(`turn:${i}/model`, i));
      for (let i = 0; i < all.length; i += 1000)
        await store.append({ runId: "run-1", epoch: 1, records: all.slice(i, i + 1000) });
      await store.append({ runId: "run-1", epoch: 1, records: [record("last")] });
      expect(await store.records("run-1")).toEqual([...all, record("last")]);
    });
  });

  describe("values and ids", () => {
    const values: readonly JsonValue[] = [
      null,
      true,
      false,
      0,
      -1.5e-300,
      Number.MAX_SAFE_INTEGER,
      1.7976931348623157e308,
      [],
      {},
      [[[]], { a: [null, { b: "" }] }],
      JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null,"":2}') as JsonValue,
      "y".repeat(1_000_000),
      HOSTILE,
      Object.fromEntries(HOSTILE.map((text) => [`k${text}`, text])),
    ];

    test.each(values.map((value, i) => ({ i, value })))("value $i comes back deep-equal", async ({ value }) => {
      const store = await openStore(open);
      const run = await started(store, "run-1", "thread-1", { metadata: { value } });
      await store.append({
        runId: "run-1",
        epoch: 1,
        records: [record("a", value)],
        opened: [{ ...pause("pause-1", run), input: value }],
      });
      await store.signal("run-1", [signal("pause-1", value)]);
      const { run: row, records, signals } = await pickedUp(store, "run-1", "app-1");
      expect(row.metadata).toEqual({ value });
      expect(records).toEqual([record("a", value)]);
      // Members keep their order, too.
      expect(JSON.stringify(records[0]?.value) === JSON.stringify(value)).toBe(true);
      expect(signals).toEqual([signal("pause-1", value)]);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    });

    test("hostile ids stay apart and come back as they were", async () => {
      const store = await openStore(open);
      for (const text of HOSTILE) {
        const given = newRun(`r${text}`, text, {
          owner: text,
          agent: text,
          prompt: text,
          workflow: text,
          model: text,
          toolNames: [text],
        });
        const start = await store.start(request(given));
        expect(start).toMatchObject({ kind: "started", run: { ...given, n: 1 } });
        const opened = [pause(text, given)];
        const writing = { key: text, type: text, v: 1, activation: text, value: text };
        expect(await store.append({ runId: given.id, epoch: 1, records: [writing], opened })).toBe("written");
      }
      for (const text of HOSTILE) {
        const run = (await store.run(`r${text}`))!;
        expect(run).toMatchObject({ id: `r${text}`, threadId: text, owner: text, agent: text, prompt: text });
        expect(await store.thread(text)).toEqual({ owner: text });
        expect(await store.records(run.id)).toEqual([{ key: text, type: text, v: 1, activation: text, value: text }]);
        expect(await store.pauses({ threadId: text })).toEqual([pause(text, run)]);
        expect(await store.signal(run.id, [signal(text, text, text)])).toEqual({ kind: "recorded" });
        const again = await pickedUp(store, run.id, "app-1");
        expect(again.signals).toEqual([signal(text, text, text)]);
        await ended(store, again.run);
        expect((await store.window(text, 2, 1))[0]?.run.id).toBe(run.id);
      }
    });
  });
}
