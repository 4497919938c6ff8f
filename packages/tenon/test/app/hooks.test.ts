import { describe, expect, test } from "vitest";
import {
  Agent,
  createApp,
  defineTool,
  Tool,
  toolOf,
  Workflow,
  type CallHook,
  type OnAfterCall,
  type OnBeforeCall,
  type RunEvent,
} from "../../src/doors/tenon/index.js";
import { Int, Text } from "../../src/doors/dto/index.js";
import { thenable } from "../known-failures/models.js";
import { callTool, rawCall, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

class Amount {
  @Int({ max: 100 }) amount!: number;
  @Text({ optional: true }) note?: string;
}

interface Caller {
  readonly user?: string;
  readonly log: string[];
}

/** The order in which everything happens is in the caller's log. */
@Tool({ name: "pay", description: "Pays.", input: Amount, hooks: [named("option")] })
class Pay {
  onBeforeCall: OnBeforeCall<Caller> = (ctx, call) => {
    ctx.context.log.push(`before own ${JSON.stringify(call.input)}`);
  };
  onAfterCall: OnAfterCall<Caller> = (ctx, call) => {
    ctx.context.log.push(`after own ${call.ok}`);
  };
  run(input: Amount, ctx: { readonly executionContext: Caller }): string {
    ctx.executionContext.log.push(`run ${input.amount}`);
    return `paid ${input.amount}`;
  }
}

function named(name: string): CallHook<Caller> {
  return {
    onBeforeCall(ctx, call) {
      ctx.context.log.push(`before ${name} ${call.toolName}`);
    },
    onAfterCall(ctx, call) {
      ctx.context.log.push(`after ${name} ${call.ok ? "ok" : call.error}`);
    },
  };
}

async function runWith(hook: CallHook, input: unknown = { amount: 5 }) {
  @Agent({ name: "payer", description: "Pays.", tools: [Pay], hooks: [hook] })
  class Payer {}
  const model = scriptedModel(rawCall({ id: "a", name: "pay", arguments: JSON.stringify(input) }), replyWith("done"));
  await using app = await createApp(Payer, { models: { default: model } });
  const context: Caller = { log: [] };
  const events: RunEvent[] = [];
  const result = await app.run(
    { prompt: "go" },
    { executionContext: context, onEvent: (event) => void events.push(event) },
  );
  expect(result.status).toBe("completed");
  return { log: context.log, events, told: JSON.stringify(model.requests[1]!.messages.at(-1)) };
}

test("before: the app's, the workflow's, the agent's, the tool's; after: the other way round", async () => {
  @Agent({ name: "payer", description: "Pays.", tools: [Pay], hooks: [named("agent")] })
  class Payer {}
  class FromClass implements CallHook<Caller> {
    onBeforeCall: OnBeforeCall<Caller> = (ctx) => void ctx.context.log.push("before class");
  }
  @Workflow({ name: "w", agents: [Payer], hooks: [named("workflow"), FromClass] })
  class Flow {}
  const log: string[] = [];
  await using app = await createApp(Flow, {
    models: { default: scriptedModel(callTool(Pay, { amount: 1 }), replyWith("done")) },
    hooks: [named("app")],
  });
  await app.run({ prompt: "go" }, { executionContext: { log } });
  expect(log).toEqual([
    "before app pay",
    "before workflow pay",
    "before class",
    "before agent pay",
    "before option pay",
    'before own {"amount":1}',
    "run 1",
    "after own true",
    "after option ok",
    "after agent ok",
    "after workflow ok",
    "after app ok",
  ]);
});

describe("hooks fail closed: the tool does not run, and the model reads why", () => {
  const hostile: [string, CallHook["onBeforeCall"], RegExp][] = [
    ["a denial", () => ({ action: "deny", reason: "no money" }), /no money/],
    ["a denial without a reason", () => ({ action: "deny" }) as never, /no reason was given/],
    [
      "a throw",
      () => {
        throw new Error("boom");
      },
      /check before the call failed \(boom\)/,
    ],
    ["a rejection", () => Promise.reject(new Error("boom")), /failed \(boom\)/],
    ["true", () => true as never, /no clear answer/],
    ["null", () => null as never, /no clear answer/],
    ["an unknown action", () => ({ action: "alow" }) as never, /no clear answer/],
    ["a modify without input", () => ({ action: "modify" }) as never, /no clear answer/],
    ["a modify that does not fit", () => ({ action: "modify", input: { amount: 1000 } }), /does not fit.*amount/],
    [
      "a modify that is no JSON",
      () => {
        const input: Record<string, unknown> = {};
        input["self"] = input;
        return { action: "modify", input };
      },
      /does not fit/,
    ],
  ];
  test.each(hostile)("%s", async (_name, onBeforeCall, why) => {
    const { log, told } = await runWith({ onBeforeCall });
    expect(log.filter((line) => line.startsWith("run"))).toEqual([]);
    expect(told).toMatch(why);
    expect(log.filter((line) => line.startsWith("after own"))).toEqual(["after own false"]);
  });
});

test("a hook's modification is validated, seen by the next hook, and run", async () => {
  const { log, told } = await runWith({
    onBeforeCall: () => ({ action: "modify", input: { amount: "7", note: null } }),
  });
  expect(log).toContain('before own {"amount":7}');
  expect(log).toContain("run 7");
  expect(told).toContain("paid 7");
});

test("each hook has its own frozen copy of the input", async () => {
  let seen: unknown;
  const { log, events } = await runWith({
    onBeforeCall(_ctx, call) {
      seen = call.input;
      (call.input as { amount: number }).amount = 99;
    },
  });
  expect(Object.isFrozen(seen)).toBe(true);
  expect(log.filter((line) => line.startsWith("run"))).toEqual([]);
  expect(events.filter(({ type }) => type === "hook-error")).toMatchObject([{ hook: "onBeforeCall" }]);
});

test("an after-hook that throws changes nothing, and is an event", async () => {
  const { told, events, log } = await runWith({
    onAfterCall() {
      throw new Error("boom");
    },
  });
  expect(told).toContain("paid 5");
  expect(log).toContain("after own true");
  expect(events.filter(({ type }) => type === "hook-error")).toMatchObject([{ hook: "onAfterCall", message: "boom" }]);
});

test("after-hooks hear of every call that gets a result, whatever it is", async () => {
  const heard: string[] = [];
  const slow = defineTool({ name: "slow", description: "Slow.", timeoutMs: 20, run: () => new Promise(() => {}) });
  @Agent({
    name: "payer",
    description: "Pays.",
    tools: [Pay, slow],
    hooks: [{ onAfterCall: (_ctx, call) => void heard.push(`${call.toolName}: ${call.error ?? "ok"}`) }],
  })
  class Payer {}
  const calls = [
    { id: "a", name: "ghost", arguments: "{}" },
    { id: "b", name: "pay", arguments: "{broken" },
    { id: "c", name: "pay", arguments: '{"amount":1}' },
    { id: "d", name: "slow", arguments: "{}" },
  ];
  await using app = await createApp(Payer, {
    models: { default: scriptedModel(rawTurn({ calls }), replyWith("done")) },
  });
  await app.run({ prompt: "go" }, { executionContext: { log: [] } });
  expect(heard.sort()).toEqual([
    expect.stringMatching(/^ghost: There is no tool/),
    "pay: ok",
    expect.stringMatching(/^pay: pay: The arguments/),
    expect.stringMatching(/^slow: slow gave no answer within 20 ms/),
  ]);
});

const no = (): never => {
  throw new Error("boom");
};
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

describe("whatever a hook is or gives, its run goes on", () => {
  const answers: [string, () => unknown][] = [
    ["an answer whose action throws", () => Object.defineProperty({}, "action", { get: no })],
    ["a denial whose reason throws", () => Object.defineProperty({ action: "deny" }, "reason", { get: no })],
    ["a modification whose input throws", () => Object.defineProperty({ action: "modify" }, "input", { get: no })],
    ["a proxy that throws", () => new Proxy({}, { get: no })],
    ["a proxy that cannot be asked", () => new Proxy({ action: "modify" }, { has: no })],
    ["a revoked proxy", () => revoked],
    ["a then that cannot be read", () => Object.defineProperty({}, "then", { get: no })],
    ["a then that throws", () => thenable(no)],
    ["a then that fails with nothing", () => thenable((_give, fail) => fail(undefined as never))],
    ["a then that gives a proxy that throws", () => thenable((give) => give(new Proxy({}, { get: no })))],
    ["a promise that breaks its then", () => Object.assign(Promise.resolve(), { then: no })],
    ["a promise of an answer that throws", async () => Object.defineProperty({}, "action", { get: no })],
    [
      "a throw of a proxy that throws",
      () => Promise.reject(new Proxy(new Error("x"), { getPrototypeOf: no, get: no })),
    ],
    ["a function", () => () => ({ action: "allow" })],
    ["a symbol as reason", () => ({ action: "deny", reason: Symbol("s") })],
  ];
  test.each(answers)("%s: a denial before the call, and nothing after it", async (_name, give) => {
    const before = await runWith({ onBeforeCall: give as never });
    expect(before.log.filter((line) => line.startsWith("run"))).toEqual([]);
    expect(before.told).toMatch(/was not allowed/);
    const after = await runWith({ onAfterCall: give as never });
    expect(after.told).toContain("paid 5");
    expect(after.log).toContain("after own true");
  });

  test("members that throw, or are no functions", async () => {
    for (const hook of [
      Object.defineProperty({}, "onBeforeCall", { get: no }),
      { onBeforeCall: null },
      { onBeforeCall: 5 },
    ]) {
      const { log, told, events } = await runWith(hook as never);
      expect(log.filter((line) => line.startsWith("run"))).toEqual([]);
      expect(told).toMatch(/check before the call failed/);
      expect(events.filter(({ type }) => type === "hook-error")).toMatchObject([{ hook: "onBeforeCall" }]);
    }
    for (const hook of [
      Object.defineProperty({}, "onAfterCall", { get: no }),
      { onAfterCall: null },
      { onAfterCall: 5 },
    ]) {
      const { log, told, events } = await runWith(hook as never);
      expect(told).toContain("paid 5");
      expect(log).toContain("after own true");
      expect(events.filter(({ type }) => type === "hook-error")).toMatchObject([{ hook: "onAfterCall" }]);
    }
  });

  test("a tool's own members that throw", async () => {
    @Tool({ name: "own", description: "Has hooks of its own." })
    class Own {
      ran = 0;
      get onBeforeCall(): OnBeforeCall {
        return no();
      }
      get onAfterCall(): OnAfterCall {
        return no();
      }
      run(): void {
        this.ran++;
      }
    }
    const own = new Own();
    expect(await toolOf(own).invoke({})).toMatchObject({ kind: "error", code: "denied" });
    expect(own.ran).toBe(0);
  });
});

describe.each(["signal", "cancel"] as const)(
  "a hook that never answers does not hold a run that is stopped (%s)",
  (how) => {
    async function stopDuring(hook: (log: string[], asked: () => void) => CallHook) {
      const log: string[] = [];
      const asked = Promise.withResolvers<void>();
      const look = defineTool({ name: "look", description: "Looks.", run: () => void log.push("run") });
      @Agent({ name: "looker", description: "Looks.", tools: [look], hooks: [hook(log, asked.resolve)] })
      class Looker {}
      const model = scriptedModel(callTool(look), replyWith("next"));
      await using app = await createApp(Looker, { models: { default: model }, env: {} });
      const controller = new AbortController();
      const running = app.run(
        { prompt: "go" },
        { runId: "run-00001", threadId: "t", signal: controller.signal, onEvent: ({ type }) => void log.push(type) },
      );
      await asked.promise;
      if (how === "signal") controller.abort();
      else void app.cancel("run-00001");
      expect(await running).toMatchObject({ status: "cancelled" });
      expect((await app.run({ prompt: "again" }, { threadId: "t" })).text).toBe("next");
      return { log, told: JSON.stringify(model.requests[1]!.messages) };
    }

    test("before the call: it does not run", async () => {
      const { log, told } = await stopDuring((lines, asked) => ({
        onBeforeCall: () => (asked(), new Promise<never>(() => {})),
        onAfterCall: () => void lines.push("after"),
      }));
      expect(log).not.toContain("run");
      expect(log).not.toContain("hook-error");
      expect(log).toContain("after");
      expect(told).toMatch(/the run was stopped/);
    });

    test("after the call: its result stays, and the other hooks are told", async () => {
      const { log, told } = await stopDuring((_lines, asked) => ({
        onAfterCall: () => (asked(), new Promise<never>(() => {})),
      }));
      expect(log).toContain("run");
      expect(log).not.toContain("hook-error");
      expect(told).not.toMatch(/the run was stopped/);
    });
  },
);
