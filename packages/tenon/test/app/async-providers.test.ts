import { describe, expect, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import {
  Agent,
  createApp,
  defineTool,
  inject,
  memoryStore,
  token,
  Tool,
  Workflow,
  type App,
  type AppOptions,
  type CallHook,
  type Providers,
} from "../../src/doors/tenon/index.js";
import {
  callTool,
  callTools,
  replyWith,
  scriptedModel,
  testClock,
  type ScriptedModel,
} from "../../src/doors/testing/index.js";
import { resultsIn } from "../known-failures/wire.js";

interface Db {
  readonly id: number;
}
const DB = token<Db>("DB");

@Tool({ name: "query", description: "Queries.", deps: [DB], timeoutMs: 30 })
class Query {
  constructor(private readonly db: Db) {}
  run(): string {
    return `db ${this.db.id}`;
  }
}
const count = defineTool({
  name: "count",
  description: "Counts.",
  deps: [DB],
  access: "write",
  run: (_input, _ctx, db) => `counted in db ${db.id}`,
});

@Agent({ name: "clerk", description: "d", tools: [Query, count] })
class Clerk {}
@Workflow({ name: "w", agents: [Clerk] })
class Flow {}

function appWith(
  model: ScriptedModel,
  providers: readonly unknown[],
  options: Omit<AppOptions, "providers"> = {},
): Promise<App> {
  return createApp(Flow, {
    models: { default: model },
    env: {},
    ...options,
    providers: providers as Providers,
  });
}

test("createApp and describe make nothing; two runs share one pending creation, and later calls are served at once", async () => {
  let made = 0;
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(
    callTools([
      [Query, {}],
      [count, {}],
    ]),
    callTool(Query),
    replyWith("a"),
    replyWith("b"),
    callTool(Query),
    replyWith("c"),
  );
  const factory = async (): Promise<Db> => {
    const id = ++made;
    await gate.promise;
    return { id };
  };
  await using app = await appWith(model, [{ provide: DB, useFactory: factory }]);
  app.describe();
  expect(made).toBe(0);
  const runs = [app.run({ prompt: "one" }), app.run({ prompt: "two" })];
  await expect.poll(() => model.requests.length).toBe(2);
  gate.resolve();
  expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect((await app.run({ prompt: "three" })).text).toBe("c");
  const results = model.requests.flatMap((request) => resultsIn(request).map(({ text }) => text)).toSorted();
  expect(results).toEqual(["counted in db 1", "db 1", "db 1", "db 1"]);
  expect(made).toBe(1);
});

test("a factory that rejects is that call's error, once for each call, and is tried again by the next", async () => {
  let tries = 0;
  const factory = async (): Promise<Db> => {
    if (++tries < 3) throw new Error(`no network (${tries})`);
    return { id: tries };
  };
  const model = scriptedModel(callTool(Query), callTool(count), callTool(Query), replyWith("done"));
  const told: string[] = [];
  await using app = await appWith(model, [{ provide: DB, useFactory: factory }], {
    hooks: [{ onAfterCall: (_ctx, call) => void told.push(call.error ?? String(call.result)) }],
  });
  expect((await app.run({ prompt: "go" })).status).toBe("completed");
  expect(resultsIn(model.requests[3])).toMatchObject([
    { isError: true, text: expect.stringMatching(/query could not be made ready.*no network \(1\).*Query -> DB/s) },
    { isError: true, text: expect.stringMatching(/count could not be made ready.*no network \(2\)/s) },
    { isError: false, text: "db 3" },
  ]);
  expect(told).toHaveLength(3);
  expect(tries).toBe(3);
});

test("a factory that hangs is waited for as long as the tool may take; when it is there, it serves the next call", async () => {
  const gate = Promise.withResolvers<Db>();
  let made = 0;
  const model = scriptedModel(callTool(Query), callTool(Query), replyWith("done"), callTool(Query), replyWith("done"));
  await using app = await appWith(model, [
    {
      provide: DB,
      useFactory: () => {
        made++;
        return gate.promise;
      },
    },
  ]);
  const run = await app.run({ prompt: "go" });
  expect(run.status).toBe("completed");
  expect(resultsIn(model.requests[2])).toMatchObject([
    { isError: true, text: "Tool error: query was not started: what it needs was not ready in 30 ms" },
    { isError: true, text: "Tool error: query was not started: what it needs was not ready in 30 ms" },
  ]);
  expect(await app.tool(Query).invoke()).toMatchObject({ kind: "error", code: "timeout" });
  gate.resolve({ id: 7 });
  await app.run({ prompt: "again" });
  expect(resultsIn(model.requests[4])).toMatchObject([{ text: "db 7" }]);
  expect(made).toBe(1);
});

test("a run that is stopped while it waits ends at once; its thread goes on", async () => {
  const gate = Promise.withResolvers<Db>();
  const model = scriptedModel(callTool(count), callTool(count), replyWith("done"));
  await using app = await appWith(model, [{ provide: DB, useFactory: () => gate.promise }]);
  const stop = new AbortController();
  const running = app.run({ prompt: "go" }, { signal: stop.signal, threadId: "t" });
  await expect.poll(() => model.requests.length).toBe(1);
  stop.abort();
  expect((await running).status).toBe("cancelled");
  gate.resolve({ id: 1 });
  expect((await app.run({ prompt: "again" }, { threadId: "t" })).status).toBe("completed");
  expect(resultsIn(model.requests[2])).toMatchObject([
    { isError: true, text: expect.stringContaining("count was not started") },
    { isError: false, text: "counted in db 1" },
  ]);
});

test("a hook that needs what takes its time is waited for, and fails closed", async () => {
  const asked: number[] = [];
  class Gate implements CallHook {
    readonly #db: Db;
    constructor(db: Db) {
      this.#db = db;
    }
    onBeforeCall(): undefined {
      asked.push(this.#db.id);
    }
  }
  let tries = 0;
  const providers = [
    {
      provide: Gate,
      deps: [DB],
      useFactory: (db: Db) => {
        if (++tries === 1) throw new Error("not yet");
        return new Gate(db);
      },
    },
    { provide: DB, useFactory: async () => ({ id: 5 }) },
  ] as const;
  class Hook implements CallHook {
    readonly gate: Gate;
    constructor(gate: Gate) {
      this.gate = gate;
    }
    onBeforeCall(): undefined {
      return this.gate.onBeforeCall();
    }
  }
  inject(Gate)(Hook, undefined, 0);
  const model = scriptedModel(callTool(Query), callTool(Query), replyWith("done"));
  await using app = await appWith(model, providers, { hooks: [Hook] });
  await app.run({ prompt: "go" });
  expect(resultsIn(model.requests[2])).toMatchObject([
    { isError: true, text: expect.stringMatching(/not allowed.*not yet/s) },
    { isError: false, text: "db 5" },
  ]);
  expect(asked).toEqual([5]);
});

test("what is of a run and takes its time is made for each run, and ends with it", async () => {
  const log: string[] = [];
  let made = 0;
  const model = scriptedModel(callTool(Query), callTool(count), replyWith("a"), callTool(count), replyWith("b"));
  const factory = async () => {
    const id = ++made;
    return {
      id,
      onStart: async () => void log.push(`${id} starts`),
      onStop: async () => void log.push(`${id} stops`),
    };
  };
  await using app = await appWith(model, [{ provide: DB, scope: "run", useFactory: factory }]);
  await app.run({ prompt: "one" });
  await app.run({ prompt: "two" });
  expect(model.requests.slice(0, 3).flatMap((request) => resultsIn(request).map(({ text }) => text))).toEqual([
    "db 1",
    "db 1",
    "counted in db 1",
  ]);
  expect(await app.tool(Query).invoke()).toEqual({ kind: "ok", value: "db 3" });
  await expect.poll(() => log).toEqual(["1 starts", "1 stops", "2 starts", "2 stops", "3 starts", "3 stops"]);
});

test("a function tool of a run takes a transient value once, however often it is called", async () => {
  let made = 0;
  const RUN = token<object>("RUN");
  const part = defineTool({
    name: "part",
    description: "d",
    deps: [DB, RUN],
    run: (_input, _ctx, db) => db.id,
  });
  @Agent({ name: "parts", description: "d", tools: [part] })
  class Parts {}
  const model = scriptedModel(callTool(part), callTool(part), replyWith("a"), callTool(part), replyWith("b"));
  await using app = await createApp(Parts, {
    models: { default: model },
    env: {},
    providers: [
      { provide: DB, scope: "transient", useFactory: () => ({ id: ++made }) },
      { provide: RUN, scope: "run", useFactory: () => ({}) },
    ],
  });
  await app.run({ prompt: "one" });
  await app.run({ prompt: "two" });
  expect(resultsIn(model.requests[2]).map(({ text }) => text)).toEqual(["1", "1"]);
  expect(resultsIn(model.requests[4]).map(({ text }) => text)).toEqual(["2"]);
});

test("[B115] close waits for what is still being made, then closes it too; a run's own part goes first", async () => {
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const store = memoryStore();
  const providers = [
    {
      provide: DB,
      useFactory: async () => {
        await gate.promise;
        return { id: 1, onStart: () => void log.push("starts"), onStop: () => void log.push("stops") };
      },
    },
  ];
  const app = await appWith(scriptedModel(callTool(Query)), providers, { store });
  const stop = new AbortController();
  const running = app.run({ prompt: "go" }, { signal: stop.signal });
  await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  await running;
  const closing = app.close();
  gate.resolve();
  await closing;
  expect(log).toEqual(["starts", "stops"]);
});

test("a tool's own onStart and onStop are called around its life in the app", async () => {
  const log: string[] = [];
  @Tool({ name: "warm", description: "d" })
  class Warm {
    async onStart(): Promise<void> {
      log.push("starts");
    }
    onStop(): void {
      log.push("stops");
    }
    run(): string {
      log.push("runs");
      return "ok";
    }
  }
  @Agent({ name: "warmer", description: "d", tools: [Warm] })
  class Warmer {}
  const model = scriptedModel(callTool(Warm), callTool(Warm), replyWith("done"));
  const app = await createApp(Warmer, { models: { default: model }, env: {} });
  await app.run({ prompt: "go" });
  await app.close();
  expect(log).toEqual(["starts", "runs", "runs", "stops"]);
});

describe("what hangs while it is made", () => {
  const hanging = token<object>("HANGING");
  const good = token<object>("GOOD");
  const use = defineTool({ name: "use", description: "d", deps: [good, hanging], timeoutMs: 1_000, run: () => "used" });
  @Agent({ name: "user", description: "d", tools: [use] })
  class User {}

  test.each(["singleton", "run"] as const)(
    "[B115] delays a close by ten seconds, and keeps nothing else from being closed: %s",
    async (scope) => {
      const log: string[] = [];
      const clock = testClock();
      const gate = Promise.withResolvers<object>();
      const part = (name: string) => ({ onStop: () => void log.push(`${name} stops`) });
      const model = scriptedModel(callTool(use), replyWith("done"));
      const app = await createAppWith(
        User,
        {
          models: { default: model },
          env: {},
          providers: [
            { provide: good, scope, useFactory: () => part("good") },
            { provide: hanging, scope, useFactory: () => gate.promise },
          ],
        },
        { clock },
      );
      const running = app.run({ prompt: "go" });
      await clock.advance(1_000);
      expect((await running).status).toBe("completed");
      expect(resultsIn(model.requests[1])).toMatchObject([{ isError: true, text: expect.stringMatching(/not ready/) }]);
      const closing = app.close().then(
        () => undefined,
        (error: unknown) => error,
      );
      await clock.advance(9_999);
      expect(log).toEqual([]);
      await clock.advance(1);
      const error = await closing;
      expect(log).toEqual(["good stops"]);
      if (scope === "singleton")
        expect(error).toMatchObject({
          code: "dispose_error",
          data: { names: ["providers that are still being made"] },
        });
      else expect(error).toBeUndefined();
      // What comes too late ends at once, and is never started.
      gate.resolve({
        onStart: () => void log.push("late starts"),
        [Symbol.dispose]: () => void log.push("late is gone"),
      });
      await expect.poll(() => log).toEqual(["good stops", "late is gone"]);
    },
  );
});
