import { describe, expect, test } from "vitest";
import {
  Agent,
  createApp,
  defineTool,
  memoryStore,
  toolOf,
  Workflow,
  type RunEvent,
  type Store,
} from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { LookUp, SaveNote, Support, WaitLong, type Diary } from "./desk.js";

/** A store whose methods answer only after `open` resolves. */
function late(store: Store, methods: readonly (keyof Store)[], gate: () => Promise<unknown>): Store {
  for (const method of methods) {
    const original = (store[method] as (...args: unknown[]) => unknown).bind(store);
    (store as unknown as Record<string, unknown>)[method] = async (...args: unknown[]) => {
      await gate();
      return original(...args);
    };
  }
  return store;
}

describe("a stop is kept", () => {
  test("a cancel of a run that is active here survives the process", async () => {
    const store = memoryStore();
    const diary: Diary = { lines: [] };
    let asked = (): void => {};
    const hanging = new Promise<void>((resolve) => (asked = resolve));
    @Agent({ name: "clerk", description: "d", tools: [SaveNote, WaitLong] })
    class Clerk {}
    const stuck = { onBeforeCall: () => (asked(), new Promise<never>(() => {})) };
    const first = await createApp(Clerk, {
      models: { default: scriptedModel(callTool(SaveNote, { title: "x" })) },
      store,
      hooks: [stuck],
    });
    const running = first.run({ prompt: "go" }, { runId: "run-00001", executionContext: diary }).catch(() => {});
    await hanging;
    const canceled = first.cancel("run-00001").catch(() => {});
    await first.close({ graceMs: 0 });
    await Promise.all([running, canceled]);

    await using next = await createApp(Clerk, {
      models: { default: scriptedModel(replyWith("never")) },
      store,
      restore: () => ({ executionContext: diary }),
    });
    await next.recover();
    expect((await store.run("run-00001"))?.status).toBe("cancelled");
    expect(diary.lines).toEqual([]);
  });

  test.each(["approval-request", "tool-call", "tool-start", "turn-start"] as const)(
    "made by a listener at %s: nothing starts after it",
    async (at) => {
      const diary: Diary = { lines: [] };
      const go = defineTool({
        name: "go",
        description: "Goes.",
        access: "write",
        run: () => void diary.lines.push("go ran"),
      });
      @Agent({ name: "clerk", description: "d", tools: [SaveNote, go] })
      class Clerk {}
      const call = at === "approval-request" ? callTool(SaveNote, { title: "x" }) : callTool(go);
      await using app = await createApp(Clerk, { models: { default: scriptedModel(call, replyWith("never")) } });
      const result = await app.run(
        { prompt: "go" },
        {
          runId: "run-00001",
          executionContext: diary,
          onEvent: (event: RunEvent) => {
            if (event.type === at) void app.cancel("run-00001");
          },
        },
      );
      expect(result.status).toBe("cancelled");
      expect(diary.lines).toEqual([]);
      expect(await app.pauses()).toEqual([]);
    },
  );

  test("made by the handler itself before its first wait: its signal is aborted and the run ends", async () => {
    const seen: boolean[] = [];
    const self = defineTool({
      name: "self",
      description: "Stops its own run.",
      run: (_input, ctx) => {
        void app.cancel(ctx.run.runId);
        seen.push(ctx.signal.aborted);
        return new Promise(() => {});
      },
    });
    @Agent({ name: "clerk", description: "d", tools: [self] })
    class Clerk {}
    const app = await createApp(Clerk, { models: { default: scriptedModel(callTool(self)) } });
    expect((await app.run({ prompt: "go" })).status).toBe("cancelled");
    expect(seen).toEqual([true]);
    await app.close();
  });

  test("a handler does not start after its call was settled", async () => {
    let ran = 0;
    let validations = 0;
    let letGo = (): void => {};
    let waiting = (): void => {};
    const asked = new Promise<void>((resolve) => (waiting = resolve));
    const slow = {
      "~standard": {
        version: 1,
        vendor: "slow",
        jsonSchema: {
          input: () => ({ type: "object", properties: {} }),
          output: () => ({ type: "object", properties: {} }),
        },
        validate: (value: unknown) => {
          if (++validations === 1) return { value };
          waiting();
          return new Promise((resolve) => (letGo = () => resolve({ value })));
        },
      },
    };
    const write = defineTool({
      name: "write",
      description: "Writes.",
      access: "write",
      input: slow as never,
      run: () => void ran++,
    });
    @Agent({ name: "clerk", description: "d", tools: [write as never] })
    class Clerk {}
    await using app = await createApp(Clerk, {
      models: { default: scriptedModel(callTool(write as never, {} as never)) },
    });
    const running = app.run({ prompt: "go" }, { runId: "run-00001" });
    await asked;
    expect((await app.cancel("run-00001")).status).toBe("cancelled");
    letGo();
    await running;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ran).toBe(0);
  });

  test.each(["input", "output"] as const)(
    "a check of the %s that never answers holds no run: it times out, and a stop ends it",
    async (side) => {
      const hanging = (hangs: boolean) => ({
        "~standard": {
          version: 1,
          vendor: "hanging",
          jsonSchema: {
            input: () => ({ type: "object", properties: {} }),
            output: () => ({ type: "object", properties: {} }),
          },
          validate: (value: unknown) => (hangs ? new Promise(() => {}) : { value }),
        },
      });
      const tool = (timeoutMs: number): never =>
        defineTool({
          name: "check",
          description: "Is checked.",
          input: hanging(side === "input") as never,
          output: hanging(side === "output") as never,
          timeoutMs,
          run: () => ({}) as never,
        }) as never;
      for (const timeoutMs of [20, 60_000]) {
        const checked = tool(timeoutMs);
        @Agent({ name: "clerk", description: "d", tools: [checked] })
        class Clerk {}
        const model = scriptedModel(callTool(checked, {} as never), replyWith("done"));
        await using app = await createApp(Clerk, { models: { default: model } });
        const running = app.run({ prompt: "go" }, { runId: "run-00001" });
        if (timeoutMs === 60_000) {
          await expect.poll(() => model.requests.length).toBe(1);
          expect((await app.cancel("run-00001")).status).toBe("cancelled");
        } else {
          expect((await running).status).toBe("completed");
          expect(JSON.stringify(model.requests[1])).toContain("was not checked within 20 ms");
        }
      }
    },
  );

  test("cancel ends a paused run whose agent, tools, context or model are gone", async () => {
    const ways = [
      { restore: () => Promise.reject(new Error("no context")) },
      { restore: () => new Promise<never>(() => {}) },
      { restore: () => ({ tools: [undefined as never] }) },
    ];
    @Agent({ name: "another", description: "d" })
    class Another {}
    for (const target of [Support, Another]) {
      for (const way of ways) {
        const store = memoryStore();
        const first = await createApp(Support, {
          models: { default: scriptedModel(callTool(SaveNote, { title: "x" })) },
          store,
        });
        const paused = await first.run({ prompt: "go" }, { threadId: "t", executionContext: {} });
        await first.close();
        await using next = await createApp(target, {
          models: { default: scriptedModel(replyWith("next")) },
          store,
          ...(way as object),
        });
        expect(await next.cancel(paused.runId)).toMatchObject({ status: "cancelled" });
        expect(await next.resume(paused.runId)).toMatchObject({ status: "cancelled" });
        expect((await next.run({ prompt: "on" }, { threadId: "t" })).text).toBe("next");
      }
    }
  });

  test("only somebody's name allows a tool that asks", async () => {
    let ran = 0;
    const wipe = defineTool({
      name: "wipe",
      description: "Wipes.",
      access: "write",
      approval: true,
      run: () => void ran++,
    });
    for (const approvedBy of [null, false, "", 0, "  ", {}])
      expect(await toolOf(wipe).invoke({}, { approvedBy: approvedBy as never })).toMatchObject({
        code: "approval_required",
      });
    expect(ran).toBe(0);
  });
});

describe("slow stores", () => {
  test("a run that is picked up several times at once here runs once", async () => {
    const store = memoryStore();
    const first = await createApp(Support, {
      models: { default: scriptedModel(callTool(SaveNote, { title: "x" })) },
      store,
    });
    const paused = await first.run({ prompt: "go" });
    await first.close();
    const model = scriptedModel(replyWith("done"));
    await using app = await createApp(Support, {
      models: { default: model },
      store: late(store, ["pickUp", "signal"], () => new Promise((resolve) => setTimeout(resolve, 20))),
    });
    const decision = { [paused.pauses[0]!.id]: { approved: true, by: "ann" } } as const;
    const results = await Promise.all([1, 2, 3].map(() => app.resume(paused.runId, decision)));
    for (const result of results) expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(model.requests).toHaveLength(1);
  });

  test("a start that comes back after close starts nothing, and its run is left for recover", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const store = memoryStore();
    const model = scriptedModel(replyWith("never"));
    const app = await createApp(Support, { models: { default: model }, store: late(store, ["start"], () => gate) });
    const running = expect(app.run({ prompt: "go" }, { runId: "run-00001" })).rejects.toMatchObject({
      code: "app_closed",
    });
    const closing = app.close({ graceMs: 0 });
    open();
    await Promise.all([running, closing]);
    expect(model.requests).toHaveLength(0);
    await using next = await createApp(Support, {
      models: { default: scriptedModel(replyWith("done")) },
      store: await Promise.resolve(store),
    });
    expect((await next.recover()).continued).toMatchObject([{ text: "done" }]);
  });
});

test("a caller gives up while a left run of its thread is continued", async () => {
  const store = memoryStore();
  const first = await createApp(Support, { models: { default: scriptedModel(callTool(WaitLong)) }, store });
  const left = first.run({ prompt: "go" }, { threadId: "t" }).catch(() => {});
  await expect.poll(async () => (await store.runs({ threadId: "t" })).length).toBe(1);
  await first.close({ graceMs: 0 });
  await left;
  await using second = await createApp(Support, { models: { default: scriptedModel(callTool(WaitLong)) }, store });
  expect(await second.run({ prompt: "more" }, { threadId: "t", signal: AbortSignal.timeout(50) })).toMatchObject({
    status: "cancelled",
  });
  const [holder] = await store.runs({ threadId: "t" });
  await second.cancel(holder!.id);
});

test("every reader of a stream is answered, also when it is left", async () => {
  await using app = await createApp(Support, { models: { default: scriptedModel(callTool(WaitLong)) } });
  const stream = app.stream({ prompt: "go" });
  const reads = Array.from({ length: 20 }, () => stream.next());
  await expect.poll(() => app.health().then(({ activeRuns }) => activeRuns)).toBe(1);
  await stream.return();
  const last = await Promise.all(reads);
  expect(last.at(-1)).toEqual({ value: undefined, done: true });
  expect((await stream.result).status).toBe("cancelled");
});

test("a signal that lives long keeps no listeners of streams and calls", async () => {
  await using app = await createApp(Support, {
    models: { default: scriptedModel(...Array.from({ length: 5 }, () => replyWith("x"))) },
  });
  const controller = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = controller.signal;
  controller.signal.addEventListener = (...args: unknown[]) => (
    listeners++,
    addEventListener.apply(controller.signal, args as never)
  );
  controller.signal.removeEventListener = (...args: unknown[]) => (
    listeners--,
    removeEventListener.apply(controller.signal, args as never)
  );
  for (let i = 0; i < 5; i++) await app.stream({ prompt: "go" }, { signal: controller.signal }).result;
  await toolOf(new LookUp()).invoke({ q: "x" }, { signal: controller.signal });
  await app.tool(LookUp).invoke({ q: "x" }, { signal: controller.signal });
  expect(listeners).toBe(0);
});

test("a second caller of a run that goes on hears its events", async () => {
  await using app = await createApp(Support, { models: { default: scriptedModel(callTool(WaitLong)) } });
  const diary: Diary = { lines: [] };
  const heard: string[] = [];
  const first = app.run({ prompt: "go" }, { runId: "run-00001", executionContext: diary });
  await expect.poll(() => diary.lines.length).toBe(1);
  const second = app.run(
    { prompt: "go" },
    { runId: "run-00001", executionContext: diary, onEvent: ({ type }) => void heard.push(type) },
  );
  await app.cancel("run-00001");
  expect(await first).toEqual(await second);
  expect(heard.at(-1)).toBe("run-end");
});

describe("doors", () => {
  test("after close everything says so", async () => {
    const app = await createApp(Support, { models: { default: scriptedModel() } });
    await app.close();
    await app.close();
    const doors = [
      () => app.run({ prompt: "x" }),
      () => app.resume("run-00001"),
      () => app.cancel("run-00001"),
      () => app.recover(),
      () => app.pauses(),
      () => app.tool(LookUp).invoke({ q: "x" }),
      () => app.stream({ prompt: "x" }).result,
    ];
    for (const door of doors) await expect(door()).rejects.toMatchObject({ code: "app_closed" });
  });

  test("what cannot be meant is bad input, and is never thrown at once", async () => {
    await using app = await createApp(Support, { models: { default: scriptedModel() } });
    const odd = Object.create(null) as never;
    const doors: (() => Promise<unknown>)[] = [
      () => app.stream({ prompt: "x" }, null as never).result,
      () => app.stream({ prompt: "x" }, { signal: "x" as never }).result,
      () => app.stream({ prompt: "x" }, 5 as never).result,
      () => app.run({ prompt: "x", tools: 5 as never }),
      () => app.run({ prompt: "x" }, { agent: odd }),
      () => app.pauses(null as never),
      () => app.cancel(Symbol("x") as never),
      () => app.cancel(undefined as never),
      () => app.resume(5 as never),
      () => app.resume("run-00001", new Map() as never),
      () => app.close({ graceMs: "x" as never }),
    ];
    for (const [i, door] of doors.entries())
      await expect(door(), `door ${i}`).rejects.toMatchObject({ code: "bad_input" });
    expect(() => defineTool(null as never)).toThrow(/defineTool takes a plain object/);
    expect((await app.health()).closed).toBe(false);
  });

  test("a part that does not close is told, and the others are closed", async () => {
    class Bad {
      [Symbol.dispose](): void {
        throw new Error("stuck");
      }
    }
    const use = defineTool({ name: "use", description: "Uses.", deps: [Bad], run: () => "used" });
    @Agent({ name: "user", description: "d", tools: [use] })
    class User {}
    @Workflow({ name: "w", agents: [User], providers: [Bad] })
    class Flow {}
    const store = memoryStore();
    let closed = false;
    store.close = () => void (closed = true);
    const app = await createApp(Flow, { models: { default: scriptedModel(callTool(use), replyWith("x")) }, store });
    await app.run({ prompt: "go" });
    await expect(app.close()).rejects.toMatchObject({ code: "dispose_error" });
    expect(closed).toBe(true);
  });
});
