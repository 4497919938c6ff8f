import { describe, expect, test } from "vitest";
import {
  Agent,
  createApp,
  defineTool,
  Tool,
  Workflow,
  type CallHook,
  type OnAfterCall,
  type OnBeforeCall,
  type RunEvent,
} from "../../src/doors/tenon/index.js";
import { Int, Text } from "../../src/doors/dto/index.js";
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
