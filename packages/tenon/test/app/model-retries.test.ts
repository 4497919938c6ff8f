import { describe, expect, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import {
  AssemblyError,
  BadInputError,
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  memoryStore,
  usd,
  type AgentOptions,
  type App,
  type ErrorData,
  type LanguageModel,
  type ModelCallOptions,
  type RunEvent,
} from "../../src/doors/tenon/index.js";
import {
  callTool,
  failWith,
  hang,
  lostReply,
  rawTurn,
  replyWith,
  scriptedModel,
  testClock,
  type ModelStep,
  type ScriptedModel,
  type TestClock,
} from "../../src/doors/testing/index.js";
import type { Clock } from "../../src/util/clock.js";
import { fakeModel, streamOf, textAnswer } from "../llm/request.js";

const busy = failWith(new Error("too busy"), { status: 429 });
const down = failWith(new Error("down"), { status: 503 });

function named(id: string, ...steps: readonly ModelStep[]): ScriptedModel {
  return Object.assign(scriptedModel(...steps), { modelId: id });
}

interface Setup {
  readonly app: App;
  readonly clock: TestClock;
  readonly events: RunEvent[];
}

async function setUp(
  model: AgentOptions["model"],
  options: Partial<AgentOptions> = {},
  more: Parameters<typeof createApp>[1] = {},
): Promise<Setup> {
  const clock = testClock();
  const agent = defineAgent({ name: "clerk", description: "d", model, ...options });
  const app = await createAppWith(agent, { env: {}, ...more }, { clock });
  return { app, clock, events: [] };
}

/** A run whose clock moves on until it has ended. */
function run({ app, clock, events }: Setup, listens: boolean, options: Parameters<App["run"]>[1] = {}) {
  const onEvent = listens ? (event: RunEvent) => void events.push(event) : undefined;
  return clock.runUntil(app.run({ prompt: "hi" }, { ...options, onEvent }));
}

function statusOf(error: ErrorData | undefined): string {
  return error === undefined ? "answered" : JSON.stringify(error.data["status"]);
}

const ways = [
  ["whole", false],
  ["streamed", true],
] as const;

describe.each(ways)("%s", (_way, listens) => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504, 529])(
    "status %i is asked again, twice at most",
    async (status) => {
      const refused = failWith(new Error("no"), { status });
      const setup = await setUp(named("a", refused, refused, replyWith("at last"), refused, refused, refused));
      expect(await run(setup, listens)).toMatchObject({ status: "completed", text: "at last" });
      const failed = await run(setup, listens);
      expect(failed).toMatchObject({ status: "failed", error: { code: "model_error", data: { status } } });
      expect(failed.usage).toMatchObject({ modelCalls: 1, costUsd: 0 });
      expect(failed.usage.calls).toHaveLength(3);
    },
  );

  test.each([400, 401, 403, 404, 413, 422])("status %i is not asked again", async (status) => {
    const setup = await setUp(named("a", failWith(new Error("no"), { status })));
    expect(await run(setup, listens)).toMatchObject({ status: "failed", error: { data: { status } } });
  });

  test("a connection that fails is asked again; an error of another kind is not", async () => {
    const refused = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
    });
    const setup = await setUp(named("a", failWith(refused), replyWith("yes"), failWith(new Error("a bug"))));
    expect((await run(setup, listens)).text).toBe("yes");
    expect((await run(setup, listens)).error!.message).toContain("a bug");
  });

  test("the waiting is what the provider asks for, or half a second and then a second, less a bit of chance", async () => {
    const at: number[] = [];
    const setup = await setUp(named("unused"), {}, { models: (id) => (id === "timed" ? timed : undefined) });
    const { clock } = setup;
    const steps = scriptedModel(
      failWith(new Error("busy"), { status: 429, retryAfterMs: 7_000 }),
      down,
      replyWith("ok"),
    );
    const timed = Object.assign(fakeModel(), {
      doGenerate: (options: never) => (at.push(clock.now()), steps.doGenerate(options)),
      doStream: (options: never) => (at.push(clock.now()), steps.doStream(options)),
    });
    expect((await run(setup, listens, { model: "timed" })).text).toBe("ok");
    const waits = [at[1]! - at[0]!, at[2]! - at[1]!];
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThanOrEqual(7_800);
    expect(waits[1]).toBeGreaterThanOrEqual(500);
    expect(waits[1]).toBeLessThanOrEqual(1_000);
  });

  test("a provider that wants more than a minute is not waited for: a fallback is asked, or the call fails", async () => {
    const gone = failWith(new Error("come back later"), { status: 429, retryAfterMs: 3_600_000 });
    const alone = await setUp(named("a", gone));
    expect(await run(alone, listens)).toMatchObject({ status: "failed", error: { data: { retryAfterMs: 3_600_000 } } });
    const two = await setUp([named("a", gone), named("b", replyWith("from b"))]);
    expect((await run(two, listens)).text).toBe("from b");
  });

  test("fallbacks are asked in order, each with its own retries, and the record says who answered", async () => {
    const a = named("a", busy, busy, busy);
    const b = named("b", failWith(new Error("no such model"), { status: 404 }));
    const c = named("c", down, replyWith("from c"));
    const setup = await setUp([a, b, c]);
    const { runId, text, usage } = await run(setup, listens);
    expect(text).toBe("from c");
    expect(usage).toMatchObject({ modelCalls: 1, costUsd: 0 });
    expect(usage.calls).toHaveLength(6);
    const [turn] = (await setup.app.inspect(runId)).turns;
    expect(turn).toMatchObject({ model: "c", text: "from c" });
    expect(turn!.failedAttempts.map(({ model, error }) => `${model} ${statusOf(error)}`)).toEqual([
      "a 429",
      "a 429",
      "a 429",
      "b 404",
      "c 503",
    ]);
  });

  test("[B68] a retry repeats no tool: the call of the turn before ran once", async () => {
    const charged: string[] = [];
    const charge = defineTool({
      name: "charge",
      description: "Charges.",
      access: "write",
      run: (_input, ctx) => {
        charged.push(ctx.callId);
        ctx.reportCost(0.25);
        return "charged";
      },
    });
    const model = named("a", callTool(charge), down, down, replyWith("done"));
    const setup = await setUp(model, { tools: [charge], modelCall: { retries: 2 } });
    const result = await run(setup, listens);
    expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(charged).toHaveLength(1);
    expect(result.usage).toMatchObject({ toolCalls: 1, toolCostUsd: 0.25, modelCalls: 2 });
    const sent = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages));
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
  });

  test("[B68] retries that are used up leave a thread that goes on, without the call again", async () => {
    const charged: string[] = [];
    const charge = defineTool({
      name: "charge",
      description: "Charges.",
      access: "write",
      run: (_input, ctx) => `charged ${charged.push(ctx.callId)}`,
    });
    const model = named("a", callTool(charge), down, down, down, replyWith("on we go"));
    const setup = await setUp(model, { tools: [charge] });
    const { status, threadId } = await run(setup, listens);
    expect(status).toBe("failed");
    expect((await run(setup, listens, { threadId })).text).toBe("on we go");
    expect(charged).toHaveLength(1);
  });

  test("an attempt that takes too long is aborted and made again, with a signal of its own", async () => {
    const signals: AbortSignal[] = [];
    const model = Object.assign(fakeModel(), { modelId: "slow" });
    const pending = ({ abortSignal }: { abortSignal: AbortSignal }) => {
      signals.push(abortSignal);
      return new Promise<never>(() => {});
    };
    model.doGenerate = pending;
    model.doStream = pending;
    const setup = await setUp([model, named("b", replyWith("from b"))], {
      modelCall: { retries: 1, timeoutMs: 2_000 },
    });
    const { runId, text } = await run(setup, listens);
    expect(text).toBe("from b");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(signals[0]).not.toBe(signals[1]);
    const [turn] = (await setup.app.inspect(runId)).turns;
    expect(turn!.failedAttempts.map(({ error }) => error.data["timeoutMs"])).toEqual([2_000, 2_000]);
  });

  test("the deadline ends a call, whatever attempts and fallbacks are left", async () => {
    const started = testClock().now();
    const setup = await setUp([named("a", hang(), hang()), named("b", replyWith("never"))], {
      modelCall: { retries: 5, timeoutMs: 60_000, deadlineMs: 90_000 },
    });
    const failed = await run(setup, listens);
    expect(failed).toMatchObject({ status: "failed", error: { code: "model_error", data: { timeoutMs: 90_000 } } });
    expect(setup.clock.now() - started).toBe(90_000);
  });

  test("a wait that would pass the deadline is not begun", async () => {
    const wish = failWith(new Error("busy"), { status: 429, retryAfterMs: 20_000 });
    const setup = await setUp([named("a", wish), named("b", wish)], { modelCall: { deadlineMs: 10_000 } });
    const before = setup.clock.now();
    expect(await run(setup, listens)).toMatchObject({ status: "failed", error: { data: { status: 429 } } });
    expect(setup.clock.now()).toBe(before);
  });

  test("a stop while it waits ends the run at once, and nothing is asked any more", async () => {
    const model = named("a", failWith(new Error("busy"), { status: 429, retryAfterMs: 30_000 }), replyWith("never"));
    const { app, clock } = await setUp(model);
    const stop = new AbortController();
    const running = app.run({ prompt: "hi" }, { signal: stop.signal, onEvent: listens ? () => {} : undefined });
    await clock.advance(10_000);
    stop.abort();
    const { status, runId, usage } = await running;
    expect(status).toBe("cancelled");
    expect(usage.calls).toHaveLength(2);
    expect(usage.costUsd).toBe(0);
    await clock.advance(600_000);
    expect(model.requests).toHaveLength(1);
    expect((await app.inspect(runId)).turns).toMatchObject([{ failedAttempts: [{ model: "a" }], error: undefined }]);
  });

  test("close while it waits leaves the run, and the next process asks again", async () => {
    const model = named("a", failWith(new Error("busy"), { status: 429, retryAfterMs: 30_000 }), replyWith("later"));
    const store = memoryStore();
    const agent = defineAgent({ name: "clerk", description: "d", model });
    const clock = testClock();
    const first = await createAppWith(agent, { env: {}, store: proxied(store) }, { clock });
    const running = first.run({ prompt: "hi" }, { runId: "run-00001", onEvent: listens ? () => {} : undefined });
    const settled = running.then(
      () => "ended",
      () => "left",
    );
    await clock.advance(1_000);
    await clock.runUntil(first.close({ graceMs: 0 }));
    await settled;
    expect(model.requests).toHaveLength(1);
    const second = await createAppWith(agent, { env: {}, store: proxied(store) }, { clock });
    await clock.runUntil(second.recover());
    expect(await second.result("run-00001")).toMatchObject({ status: "completed", text: "later" });
    expect(model.requests).toHaveLength(2);
  });

  test("an answer that broke off before anything of it was told is asked for again", async () => {
    const broken = rawTurn({ calls: [{ id: "c", name: "t", arguments: '{"a":' }], finish: "interrupted" });
    const setup = await setUp(named("a", broken, rawTurn({ finish: "error" }), replyWith("whole")));
    expect((await run(setup, listens)).text).toBe("whole");
  });

  test("with a money limit an attempt that may have cost something unknown is the last", async () => {
    const model = Object.assign(fakeModel({ provider: "openrouter" }), { modelId: "paid" });
    const calls: string[] = [];
    const refuse = (error: Error) => () => {
      calls.push(error.message);
      return Promise.reject(error);
    };
    const broken = Object.assign(new Error("cut"), { code: "ECONNRESET" });
    model.doGenerate = refuse(broken);
    model.doStream = refuse(broken);
    const agent = defineAgent({ name: "clerk", description: "d", model });
    const workflow = defineWorkflow({ name: "w", agents: [agent], limits: { perRun: { cost: usd(1) } } });
    const clock = testClock();
    const app = await createAppWith(workflow, { env: {} }, { clock });
    const setup = { app, clock, events: [] };
    expect(await run(setup, listens)).toMatchObject({ status: "failed", error: { code: "model_error" } });
    expect(calls).toHaveLength(1);
    const refused = Object.assign(new Error("busy"), { statusCode: 429 });
    model.doGenerate = refuse(refused);
    model.doStream = refuse(refused);
    const { usage } = await run(setup, listens);
    expect(calls).toHaveLength(4);
    expect(usage.costUsd).toBe(0);
  });

  test("an attempt says why it failed and what came next; only the last one that the run failed", async () => {
    const wish = failWith(new Error("busy"), { status: 429, retryAfterMs: 7_000 });
    const setup = await setUp([named("a", wish, busy), named("b", failWith(new Error("gone"), { status: 404 }))], {
      modelCall: { retries: 1 },
    });
    const { runId, error, usage } = await run(setup, listens);
    const [turn] = (await setup.app.inspect(runId)).turns;
    const messages = turn!.failedAttempts.map(({ error: why }) => why.message);
    expect(messages).toEqual([
      expect.stringMatching(/^The model a did not answer: status 429, busy\. Trying again in 7(\.\d)? s\.$/),
      "The model a did not answer: status 429, too busy. Asking b next.",
    ]);
    expect(setup.events.flatMap((event) => (event.type === "usage" ? (event.failed?.message ?? []) : []))).toEqual(
      listens ? messages : [],
    );
    expect(error!.message).toMatch(/^The model b did not answer: status 404, gone\. The run failed here/);
    // Refused is not free.
    expect(usage).toMatchObject({ costUsd: 0, modelCalls: 1 });
    expect(usage.calls.map(({ costSource }) => costSource)).toEqual(["none", "none", "none"]);
  });

  test("limits of model calls count each attempt, and name themselves where they allow no other one", async () => {
    const model = named("a", busy, busy, replyWith("never"));
    const agent = defineAgent({ name: "clerk", description: "d", model });
    const workflow = defineWorkflow({ name: "w", agents: [agent], limits: { perRun: { modelCalls: 2 } } });
    const clock = testClock();
    const app = await createAppWith(workflow, { env: {} }, { clock });
    const { error, usage } = await run({ app, clock, events: [] }, listens);
    expect(model.requests).toHaveLength(2);
    expect(usage).toMatchObject({ modelCalls: 1 });
    expect(error).toMatchObject({
      code: "model_error",
      data: { status: 429, limit: "limits.perRun.modelCalls", max: 2 },
    });
    expect(error!.message).toMatch(
      /^The model a did not answer: status 429, too busy\. No other attempt was made: Run budget exhausted: 2 model calls were made, each attempt counted: limits\.perRun\.modelCalls = 2\. Raise /,
    );
  });

  test("what failed attempts cost counts, and none is made when the money is spent", async () => {
    const broken = rawTurn({ finish: "interrupted", usage: { costUsd: 0.6 } });
    const model = named("a", broken, broken, replyWith("never"));
    const agent = defineAgent({ name: "clerk", description: "d", model, modelCall: { retries: 5 } });
    const workflow = defineWorkflow({ name: "w", agents: [agent], limits: { perRun: { cost: usd(1) } } });
    const clock = testClock();
    const app = await createAppWith(workflow, { env: {} }, { clock });
    const { status, usage } = await run({ app, clock, events: [] }, listens);
    expect(status).toBe("failed");
    expect(model.requests).toHaveLength(2);
    expect(usage.costUsd).toBeCloseTo(1.2, 9);
  });
});

/** The same store, which nobody closes. */
function proxied(store: ReturnType<typeof memoryStore>): ReturnType<typeof memoryStore> {
  return new Proxy(store, {
    get(target, member) {
      if (member === "close") return () => undefined;
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("never after content reached the caller: a stream that told a delta fails the call", async () => {
  for (const delta of ["text", "reasoning"]) {
    const parts = [
      { type: `${delta}-start`, id: "1" },
      { type: `${delta}-delta`, id: "1", delta: "half of " },
      { type: "error", error: Object.assign(new Error("overloaded"), { statusCode: 529 }) },
    ];
    const model = fakeModel({ stream: () => Promise.resolve({ stream: streamOf(parts) }) });
    const setup = await setUp([model, named("b", replyWith("never"))]);
    expect(await run(setup, true)).toMatchObject({ status: "failed", error: { data: { status: 529 } } });
    expect(model.asked).toHaveLength(1);
    expect(setup.events.filter(({ type }) => type === `${delta}-delta`)).toHaveLength(1);
  }
});

test("an error inside a stream that has told nothing yet is tried again", async () => {
  let asked = 0;
  const model = fakeModel({
    stream: () => {
      const parts =
        ++asked === 1
          ? [{ type: "stream-start" }, { type: "error", error: { statusCode: 502, message: "bad gateway" } }]
          : [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: "whole" },
              { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} },
            ];
      return Promise.resolve({ stream: streamOf(parts) });
    },
  });
  const setup = await setUp(model);
  expect((await run(setup, true)).text).toBe("whole");
  expect(asked).toBe(2);
});

test("a lost reply is asked for again as long as nothing of it was told", async () => {
  const lost = lostReply(replyWith("one two three four"));
  const whole = await setUp(named("a", lost, replyWith("again")));
  expect((await run(whole, false)).text).toBe("again");
  const streamed = await setUp(named("a", lost));
  expect((await run(streamed, true)).error!.message).toContain("the reply was lost");
});

test("each attempt is a usage event that says why it failed; who watches later reads the same", async () => {
  const setup = await setUp([named("a", busy, busy, busy), named("b", replyWith("from b"))]);
  const { runId } = await run(setup, true);
  const told = (events: readonly RunEvent[]) =>
    events.flatMap((event) => (event.type === "usage" ? [`${event.model} ${statusOf(event.failed)}`] : []));
  const wanted = ["a 429", "a 429", "a 429", "b answered"];
  expect(told(setup.events)).toEqual(wanted);
  const watched: RunEvent[] = [];
  for await (const event of setup.app.watch(runId)) watched.push(event);
  expect(told(watched)).toEqual(wanted);
  expect(watched.filter(({ type }) => type === "text-delta")).toHaveLength(1);
});

test("a listener that stops the run when it hears of an attempt ends it", async () => {
  const model = named("a", busy, replyWith("never"));
  const { app } = await setUp(model);
  const stop = new AbortController();
  const { status } = await app.run(
    { prompt: "hi" },
    { signal: stop.signal, onEvent: (event) => void (event.type === "usage" && stop.abort()) },
  );
  expect(status).toBe("cancelled");
  expect(model.requests).toHaveLength(1);
});

describe("what may be set", () => {
  const answer = (): LanguageModel => named("m", replyWith("ok"));

  test("the agent's own bounds win over the workflow's, one by one; describe shows them", async () => {
    const own = defineAgent({ name: "own", description: "d", model: answer(), modelCall: { retries: 0 } });
    const other = defineAgent({ name: "other", description: "d", model: [answer(), named("n")] });
    const workflow = defineWorkflow({
      name: "w",
      agents: [own, other],
      defaults: { modelCall: { retries: 4, timeoutMs: 1_000, deadlineMs: 5_000 } },
    });
    await using app = await createApp(workflow, { env: {} });
    expect(app.describe().agents).toMatchObject([
      { model: "m", fallbacks: [], modelCall: { retries: 0, timeoutMs: 1_000, deadlineMs: 5_000 } },
      { model: "m", fallbacks: ["n"], modelCall: { retries: 4, timeoutMs: 1_000, deadlineMs: 5_000 } },
    ]);
    await using plain = await createApp(defineAgent({ name: "a", description: "d", model: answer() }), { env: {} });
    expect(plain.describe().agents[0]!.modelCall).toEqual({ retries: 2, timeoutMs: 600_000, deadlineMs: undefined });
  });

  test.each([
    [{ retries: -1 }, /retries must be a whole number/],
    [{ retries: 1.5 }, /retries must be/],
    [{ retries: 11 }, /retries must be/],
    [{ timeoutMs: 0 }, /timeoutMs must be a whole number of milliseconds/],
    [{ deadlineMs: "1s" }, /deadlineMs must be/],
    [{ retry: 1 }, /unknown option `retry`/],
    [5, /modelCall: the options must be a plain object, not 5/],
  ])("bad bounds are assembly errors, on an agent and as a default: %j", async (modelCall, message) => {
    const bad = { name: "a", description: "d", model: answer(), modelCall: modelCall as ModelCallOptions };
    await expect(createApp(defineAgent(bad), { env: {} })).rejects.toThrow(message);
    const agent = defineAgent({ name: "a", description: "d", model: answer() });
    const workflow = defineWorkflow({ name: "w", agents: [agent], defaults: { modelCall: modelCall as never } });
    await expect(createApp(workflow, { env: {} })).rejects.toThrow(message);
  });

  test("every string of a list must resolve, and every one that does not is named", async () => {
    const agent = (model: AgentOptions["model"]) => defineAgent({ name: "a", description: "d", model });
    const models = { here: answer() };
    await using app = await createApp(agent(["here", "vendor/model"]), { models, env: {} });
    expect(app.describe().agents[0]).toMatchObject({ model: "m", fallbacks: ["vendor/model"] });
    const faulty: any = await createApp(agent(["gone", "here", "lost", 5 as never]), { models, env: {} }).then(
      undefined,
      (thrown: unknown) => thrown,
    );
    expect(faulty).toBeInstanceOf(AssemblyError);
    for (const part of ["model[0]: ", '"gone"', "model[2]: ", '"lost"', "model[3]: "])
      expect(faulty.message).toContain(part);
    await expect(createApp(agent([]), { models, env: {} })).rejects.toThrow("A list of models is empty");
  });

  test("a run may bring a list; ids are stored with it, so that another process has them", async () => {
    const store = memoryStore();
    const models = { default: answer(), a: named("a", down, down, down), b: named("b", replyWith("from b")) };
    const clock = testClock();
    const agent = defineAgent({ name: "clerk", description: "d" });
    const app = await createAppWith(agent, { models, store, env: {} }, { clock });
    const { text, runId } = await clock.runUntil(app.run({ prompt: "hi" }, { model: ["a", "b"] }));
    expect(text).toBe("from b");
    expect((await store.run(runId))!.model).toEqual(["a", "b"]);
    const object = await clock.runUntil(app.run({ prompt: "hi" }, { model: [named("c", replyWith("c")), "b"] }));
    expect(object.text).toBe("c");
    expect((await store.run(object.runId))!.model).toBeUndefined();
    await expect(app.run({ prompt: "hi" }, { model: ["a", "gone"] })).rejects.toThrow(BadInputError);
    await expect(app.run({ prompt: "hi" }, { model: [] })).rejects.toThrow(BadInputError);
  });

  test("a list is free, or has known costs, only where all of it has", async () => {
    const paid = Object.assign(fakeModel(), { modelId: "paid" });
    const agent = defineAgent({ name: "clerk", description: "d", model: [answer(), paid] });
    const workflow = defineWorkflow({ name: "w", agents: [agent], limits: { perRun: { cost: usd(1) } } });
    await using app = await createApp(workflow, { env: {} });
    expect(await app.run({ prompt: "hi" })).toMatchObject({ status: "failed", error: { code: "cost_unknown" } });
  });

  test("health asks every model of a list", async () => {
    const agent = defineAgent({ name: "clerk", description: "d", model: [answer(), named("n", down)] });
    await using app = await createApp(agent, { env: {} });
    expect((await app.health({ models: true })).models).toMatchObject([
      { model: "m", ok: true },
      { model: "n", ok: false },
    ]);
  });
});

test("failWith takes how the provider refuses, and nothing else", () => {
  for (const refusal of [{ status: 200 }, { retryAfterMs: -1 }, { code: 5 }, 429])
    expect(() => failWith(new Error("x"), refusal as never)).toThrow(BadInputError);
});

describe.each(ways)("an attempt whose time is over while its provider is being asked, %s", (_way, listens) => {
  test.each<[what: string, give: () => unknown]>([
    ["answers at once", () => Promise.resolve({ ...textAnswer("too late"), stream: streamOf([]) })],
    ["is never heard of again", () => new Promise(() => {})],
  ])("is made again where that one %s", async (_what, give) => {
    let elapsedMs = 0;
    const timers = new Set<() => void>();
    const clock: Clock = {
      now: () => 0,
      elapsedMs: () => elapsedMs,
      setTimer(fire) {
        timers.add(fire);
        return { clear: () => void timers.delete(fire), hold() {}, release() {} };
      },
    };

    const next = scriptedModel(replyWith("in time"));
    let asked = 0;
    const ask = (options: any, goOn: "doGenerate" | "doStream"): any => {
      if (asked++ > 0) return next[goOn](options);
      elapsedMs = 2_000;
      for (const fire of [...timers]) fire();
      return give();
    };
    const model = {
      ...fakeModel(),
      doGenerate: (options: any) => ask(options, "doGenerate"),
      doStream: (options: any) => ask(options, "doStream"),
    };
    const modelCall = { timeoutMs: 1_000, retries: 0 };
    const agent = defineAgent({
      name: "clerk",
      description: "d",
      model: [model, { ...model, modelId: "second" }],
      modelCall,
    });
    const app = await createAppWith(agent, { env: {} }, { clock });
    const result = await app.run({ prompt: "hi" }, { onEvent: listens ? () => {} : undefined });
    expect(result).toMatchObject({ status: "completed", text: "in time" });
    expect(asked).toBe(2);
  });
});
