import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  createApp,
  defineTool,
  memoryStore,
  type App,
  type Decision,
  type LanguageModel,
  type Pause,
  type RunResult,
  type Store,
} from "../../src/doors/tenon/index.js";
import { Flag, Int } from "../../src/doors/dto/index.js";
import { agentOf, assertValid, type Sent } from "../known-failures/wire.js";
import { someUsage } from "../known-failures/models.js";
import { mortal } from "./mortal-store.js";

/**
 * Whatever a model asks for, whatever becomes of it, whoever says no, and wherever the process dies: each request that a model
 * gets is one that providers take, in that run and in the next one of its thread.
 */

const LEASE_MS = 300;

class Order {
  @Int() n!: number;
  @Flag({ optional: true }) hang?: boolean;
}

const never = () => new Promise<never>(() => {});

const tools = [
  defineTool({ name: "look", description: "Looks.", input: Order, run: ({ n }) => ({ n }) }),
  defineTool({
    name: "boom",
    description: "Fails.",
    run() {
      throw new Error("");
    },
  }),
  defineTool({ name: "slow", description: "Hangs.", timeoutMs: 3, run: never }),
  defineTool({ name: "pay", description: "Pays.", input: Order, access: "write", approval: true, run: ({ n }) => n }),
  defineTool({
    name: "send",
    description: "Sends.",
    input: Order,
    access: "write",
    timeoutMs: 3,
    run: ({ n, hang }) => (hang === true ? never() : n),
  }),
  defineTool({
    name: "repeatable",
    description: "May run twice.",
    input: Order,
    access: "write",
    inDoubt: "rerun",
    timeoutMs: 3,
    run: ({ n, hang }) => (hang === true ? never() : n),
  }),
  defineTool({
    name: "ask",
    description: "Asks.",
    run: async (_input, ctx) => [await ctx.pause("One?"), await ctx.pause("Two?")],
  }),
  defineTool({
    name: "job",
    description: "Works in steps.",
    access: "write",
    durable: true,
    async run(_input, ctx) {
      const one = await ctx.step("one", () => 1);
      return [one, await ctx.pause("Go on?"), await ctx.step("two", () => 2)];
    },
  }),
];

const call = fc.record({
  name: fc.constantFrom(...tools.map(({ name }) => name), "nobody", "functions.look"),
  arguments: fc.constantFrom('{"n":1}', '{"n":2}', '{"n":1,"hang":true}', "", "{", '{"n":"x"}', "[]", "null"),
  id: fc.constantFrom("a", "b", "", "c"),
});
const turn = fc.record({
  calls: fc.array(call, { minLength: 0, maxLength: 4 }),
  text: fc.constantFrom("", " ", "I look."),
  finish: fc.constantFrom("tool-calls", "tool-calls", "tool-calls", "stop", "length", "error"),
});
const decision = fc.constantFrom("yes", "no", "edit", "other");
const disturbance = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("crash" as const),
      method: fc.constantFrom("append" as const, "park" as const, "signal" as const, "pickUp" as const),
      at: fc.integer({ min: 1, max: 8 }),
      when: fc.constantFrom("before" as const, "after" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("abort" as const), at: fc.integer({ min: 1, max: 6 }) }) },
);
const script = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  decisions: fc.array(decision, { minLength: 1, maxLength: 6 }),
  disturbances: fc.array(disturbance, { minLength: 1, maxLength: 5 }),
});
type Script = typeof script extends fc.Arbitrary<infer S> ? S : never;

function answer(pause: Pause, kind: string): Decision {
  const no: Decision = { approved: false, reason: "no", by: "ann" };
  switch (pause.kind) {
    case "approval":
      if (kind === "no") return no;
      return kind === "edit" ? { approved: true, by: "ann", edit: { n: 7 } } : { approved: true, by: "ann" };
    case "question":
      return kind === "no" ? no : { answer: kind, by: "ann" };
    case "in-doubt":
      if (kind === "yes") return { action: "done", result: 1, by: "ann" };
      return kind === "edit" ? { action: "rerun", by: "ann" } : { action: "give-up", by: "ann" };
  }
}

/** A store for which time runs ahead, so that the lease of a process that died is over. */
function shifted(inner: Store, ahead: () => number): Store {
  const later = (lease: Parameters<Store["pickUp"]>[1]): typeof lease => ({ ...lease, until: lease.until + ahead() });
  return new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: any[]): unknown => {
        if (name === "start") args[0] = { ...args[0], now: args[0].now + ahead(), lease: later(args[0].lease) };
        if (name === "pickUp") args = [args[0], later(args[1]), args[2] + ahead()];
        if (name === "renew") args[1] = later(args[1]);
        if (name === "cancel") args[1] += ahead();
        if (name === "runs" && args[0].runnableAt !== undefined)
          args[0] = { ...args[0], runnableAt: args[0].runnableAt + ahead() };
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
}

/** Answers by how often its calls have had results since the last message of the user; keeps the first request that is not valid. */
function modelOf(turns: Script["turns"], faults: unknown[]): LanguageModel {
  const generate = async ({ prompt }: { readonly prompt: Sent["messages"] }): Promise<unknown> => {
    try {
      assertValid({ messages: prompt });
    } catch (fault) {
      faults.push(fault);
    }
    const since = prompt.slice(prompt.findLastIndex(({ role }) => role === "user"));
    const made = turns[since.filter(({ role }) => role === "tool").length];
    const content: object[] = [];
    if (made !== undefined && made.text !== "") content.push({ type: "text", text: made.text });
    for (const { id, name, arguments: input } of made?.calls ?? [])
      content.push({ type: "tool-call", toolCallId: id, toolName: name, input });
    if (content.length === 0) content.push({ type: "text", text: "done" });
    const finish = made?.finish ?? "stop";
    return { content, finishReason: { unified: finish, raw: finish }, usage: someUsage, warnings: [] };
  };
  return {
    specificationVersion: "v4",
    provider: "random",
    modelId: "random",
    doGenerate: generate as never,
    doStream: () => Promise.reject(new Error("nobody listens")),
  };
}

let interrupted = 0;
let waited = 0;
let processes = 0;

async function play({ turns, decisions, disturbances }: Script): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  const inner = memoryStore();
  let ahead = 0;
  const open = async (disturbed: Script["disturbances"][number]) => {
    processes++;
    const process = mortal(shifted(inner, () => ahead));
    if (disturbed?.kind === "crash") process.dieAt(disturbed.method, disturbed.at, disturbed.when);
    const stop = new AbortController();
    let started = 0;
    // An answer that fails is the end of the run: this is about what it leaves, not about asking again.
    const app = await createApp(agentOf(tools, { modelCall: { retries: 0 } }), {
      store: process.store,
      models: { default: modelOf(turns, faults) },
      env: {},
      leaseMs: LEASE_MS,
    });
    const onEvent = (): void => {
      if (disturbed?.kind === "abort" && ++started === disturbed.at * 3) stop.abort();
    };
    return { app, process, options: disturbed?.kind === "abort" ? { signal: stop.signal, onEvent } : {} };
  };
  let step = 0;
  let result: RunResult | undefined;
  for (let at = 0; at < 40 && (result === undefined || result.status === "paused"); at++) {
    const { app, process, options } = await open(disturbances[at]);
    const given: Record<string, Decision> = {};
    for (const pause of result?.pauses ?? []) {
      // A call that hangs each time is given up in the end.
      const kind = step < 12 ? decisions[step % decisions.length]! : "no";
      step++;
      given[pause.id] = answer(pause, kind);
      waited++;
      // One at a time, or all of them.
      if (step % 2 === 0) break;
    }
    const known = inner.run("run-random") !== undefined;
    const work: Promise<RunResult> = known
      ? app.resume("run-random", given, options)
      : app.run({ prompt: "go" }, { runId: "run-random", threadId: "t", ...options });
    const end = await Promise.race([work, untilDead(process)]);
    if (end === undefined) {
      interrupted++;
      ahead += LEASE_MS + 1;
      work.catch(() => {});
      result = undefined;
      continue;
    }
    result = end;
    await app.close();
  }
  expect(result, "the run ends").toBeDefined();
  expect(["completed", "failed", "cancelled"]).toContain(result!.status);
  const { app } = await open(undefined);
  await nextRun(app);
  return faults;
}

async function nextRun(app: App): Promise<void> {
  let next = await app.run({ prompt: "more" }, { threadId: "t" });
  for (let at = 0; at < 40 && next.status === "paused"; at++) {
    const given = Object.fromEntries(next.pauses.map((pause) => [pause.id, answer(pause, "no")]));
    next = await app.resume(next.runId, given);
  }
  expect(next.status).not.toBe("paused");
  await app.close();
}

async function untilDead(process: { readonly dead: boolean }): Promise<undefined> {
  for (let idle = 0; ;) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    // What the process was about to do outside of the store is done by then.
    if (process.dead && ++idle > 3) return undefined;
  }
}

const SEED = Number(process.env["TENON_SEED"] ?? Date.now() % 2 ** 31);

test(`the history is always valid (seed ${SEED}; set TENON_SEED to repeat)`, { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(script, async (made) => {
      const [fault] = await play(made);
      expect(fault).toBeUndefined();
    }),
    { numRuns: 150, seed: SEED, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false },
  );
});

afterAll(() => {
  // The property is about these: without them it would show nothing.
  expect({ crashes: interrupted > 5, pauses: waited > 5, processes: processes > 50 }).toEqual({
    crashes: true,
    pauses: true,
    processes: true,
  });
});
