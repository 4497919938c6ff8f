import { setTimeout } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { defineTool } from "tenon";
import { crashEverywhere, CrashTestError, replyWith, type CrashScenario, type CrashWorld } from "tenon/testing";
import { MemoryStore } from "../../src/journal/memory-store.js";
import type { Append, AppendResult, Lease, PickUpResult } from "../../src/journal/store.js";
import { Amount, callId, desk, deskWith, go, pauseId, pay } from "./crash-desk.js";

// Hundreds of runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

/** What the test of a broken scenario fails with. */
async function failureOf(scenario: CrashScenario): Promise<CrashTestError> {
  try {
    await crashEverywhere(scenario);
  } catch (thrown) {
    if (CrashTestError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new TypeError("It passed.");
}

/** Each name has its store, which outlives its processes. */
function stores(open: () => MemoryStore): (name: string) => MemoryStore {
  const known = new Map<string, MemoryStore>();
  return (name) => known.get(name) ?? known.set(name, open()).get(name)!;
}

/** Says that it wrote a record, and did not. */
class LosingStore extends MemoryStore {
  readonly #loses: (key: string) => boolean;

  constructor(loses: (key: string) => boolean) {
    super(Infinity);
    this.#loses = loses;
  }

  override append(batch: Append): AppendResult {
    return super.append({ ...batch, records: batch.records.filter(({ key }) => !this.#loses(key)) });
  }
}

/** Gives whoever picks a run up a yes for every no. */
class TurningStore extends MemoryStore {
  override pickUp(runId: string, lease: Lease, now: number): PickUpResult {
    const result = super.pickUp(runId, lease, now);
    if (result.kind !== "picked-up") return result;
    const signals = result.signals.map((signal) => ({ ...signal, value: { approved: true, by: "ann" } }));
    return { ...result, signals };
  }
}

/** Keeps the runs of the first process from every later one. */
class HoldingStore extends MemoryStore {
  override pickUp(): PickUpResult {
    return { kind: "held", until: Infinity };
  }
}

describe("what a crash test finds", () => {
  /** A write that says its call id is the key, and does not use it. */
  const careless: CrashScenario = {
    app: (world) =>
      desk(world, [
        defineTool({
          name: "pay",
          description: "Pays.",
          input: Amount,
          access: "write",
          inDoubt: "rerun",
          run: ({ n }) => world.effect("pay", undefined, () => ({ paid: n })),
        }),
      ]),
    drive: go,
  };

  test("an effect that happens twice, with its point and how to run it alone", async () => {
    const error = await failureOf(careless);
    expect(error.message).toMatch(
      /^A crash test failed: crash (\d+) \(after effect pay\): the effects are \[pay, pay\] in place of \[pay\]\. Run it alone with `only: \1`\.$/,
    );
    const only = Number(error.data.only);
    expect(await failureOf({ ...careless, only })).toMatchObject({ message: error.message });
    expect(await crashEverywhere({ ...careless, only: only - 1 })).toMatchObject({ crashes: 1 });
    expect(await crashEverywhere({ ...careless, only: 1_000 })).toMatchObject({ crashes: 0 });
  });

  test("what only the second of two crashes brings about", async () => {
    const error = await failureOf({
      app: (world) => {
        const third = world.process > 2 ? " again" : "";
        return deskWith(world, [pay(world)], [replyWith(`done${third}`)]);
      },
      drive: go,
    });
    expect(error.message).toMatch(/crash 2 \(after start crash-run\), then crash \d+ \(/);
    expect(error.data.only).toMatch(/^\[2, \d+\]$/);
    expect(error.data.fault).toContain('"done again" in place of "done"');
  });

  test("a model call that is paid again", async () => {
    const error = await failureOf({
      app: (world) => desk(world, [pay(world)]),
      drive: go,
      store: stores(() => new LosingStore((key) => key === "turn:1/model")),
    });
    expect(error.data.fault).toMatch(/^a model call was paid again: .*go/);
  });

  test("a write that is started twice without anybody saying so", async () => {
    const error = await failureOf({
      app: (world) => desk(world, [pay(world)]),
      drive: go,
      store: stores(() => new LosingStore((key) => key.endsWith("/admit"))),
    });
    expect(error.data.fault).toContain(`the write pay was started 2 times (${callId(1)})`);
  });

  test("what runs after a no", async () => {
    const error = await failureOf({
      app: (world) => desk(world, [pay(world, { approval: true })]),
      drive: go,
      decide: () => ({ approved: false, reason: "no", by: "ann" }),
      store: stores(() => new TurningStore(Infinity)),
    });
    expect(error.message).toContain("without a crash");
    expect(error.data.fault).toContain(`ran after {"approved":false,"reason":"no","by":"ann"} to ${pauseId(1)}`);
  });

  test("a run that does not end", async () => {
    const error = await failureOf({
      app: (world) => desk(world, [pay(world)]),
      drive: go,
      store: stores(() => new HoldingStore(Infinity)),
    });
    expect(error.message).toMatch(/crash 2 \(after start crash-run\): it goes on for ever/);
  });

  test("a step that waits for nothing", async () => {
    const error = await failureOf({
      app: (world) => desk(world, [pay(world)]),
      drive: async (app, world) => {
        await go(app);
        if (world.process > 1) await new Promise(() => {});
      },
    });
    expect(error.message).toMatch(/crash 1 \(before start crash-run\): it hangs/);
  });

  test("an effect that takes real time does not make its call time out", async () => {
    const { crashes } = await crashEverywhere({
      app: (world) =>
        desk(world, [
          defineTool({
            name: "pay",
            description: "Pays.",
            input: Amount,
            access: "write",
            inDoubt: "rerun",
            timeoutMs: 1_000,
            run: ({ n }, ctx) => world.effect("pay", ctx.callId, () => setTimeout(20, { paid: n })),
          }),
        ]),
      drive: go,
      twice: false,
      compare: (end) => expect(JSON.stringify(end.runs[0]!.messages)).toContain("paid"),
    });
    expect(crashes).toBeGreaterThan(10);
  });

  test("a question that nobody answers", async () => {
    const error = await failureOf({
      app: (world) =>
        desk(world, [
          defineTool({
            name: "ask",
            description: "Asks.",
            input: Amount,
            run: (_input, ctx) => ctx.pause("Which color?"),
          }),
        ]),
      drive: go,
    });
    expect(error.data.fault).toContain('nobody answers the question "Which color?"');
  });

  test("a step of users that fails after a crash", async () => {
    const error = await failureOf({
      app: (world) => desk(world, [pay(world)]),
      drive: async (app, world) => {
        if (world.process > 1) throw new TypeError("no second time");
        await go(app);
      },
    });
    expect(error.message).toMatch(/crash 1 \(before start crash-run\): no second time/);
  });

  test("a scenario that gives something else each time", async () => {
    let times = 0;
    const error = await failureOf({
      app: (world) => deskWith(world, [pay(world)], [replyWith(`${++times}`)]),
      drive: go,
    });
    expect(error.message).toContain("something else each time");
    expect(error.data.fault).toContain('"2" in place of "1"');
  });

  test("what `compare` throws, of the undisturbed end first", async () => {
    const scenario: CrashScenario = { app: (world) => desk(world, [pay(world)]), drive: go };
    const wrong = await failureOf({ ...scenario, compare: (end) => expect(end.effects).toHaveLength(2) });
    expect(wrong.message).toContain("without a crash");
    expect(wrong.cause).toBeInstanceOf(Error);
    let ends = 0;
    const later = await failureOf({ ...scenario, compare: () => expect(++ends).toBe(1) });
    expect(later.message).toContain("crash 1 (before start crash-run)");
  });
});

describe("what is no scenario", () => {
  const app: CrashScenario["app"] = (world) => deskWith(world, [pay(world)], [replyWith("done")]);

  test.each([
    [undefined, "options"],
    [{}, "app must be a function"],
    [{ app: "desk" }, "app must be a function"],
    [{ app, drives: go }, "did you mean `drive`"],
    [{ app, drive: [] }, "drive must be"],
    [{ app, drive: [go, 1] }, "drive must be"],
    [{ app, decide: {} }, "decide must be"],
    [{ app, store: new MemoryStore(1) }, "store must be"],
    [{ app, compare: true }, "compare must be"],
    [{ app, twice: 2 }, "twice must be"],
    [{ app, only: 0 }, "only must be"],
    [{ app, only: [1, 2, 3] }, "only must be"],
    [{ app, only: "17" }, "only must be"],
  ])("%o", async (scenario, fault) => {
    await expect(crashEverywhere(scenario as never)).rejects.toThrow(fault);
  });

  test("a script without steps", async () => {
    await expect(crashEverywhere({ app: (world) => deskWith(world, [pay(world)], []), drive: go })).rejects.toThrow(
      "A script takes steps",
    );
    await expect(
      crashEverywhere({ app: (world) => deskWith(world, [pay(world)], ["hello"] as never), drive: go }),
    ).rejects.toThrow("A script takes steps");
  });

  test("an app that cannot be put together rejects as it does anywhere", async () => {
    const nameless = (world: CrashWorld) => deskWith(world, [pay(world, { name: "no name" })], [replyWith("done")]);
    await expect(crashEverywhere({ app: nameless, drive: go })).rejects.toMatchObject({ code: "assembly_error" });
  });
});
