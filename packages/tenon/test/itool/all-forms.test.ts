import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assert, decorator, type ITool } from "../../src/doors/itool/index.js";
import {
  Agent,
  createApp,
  defineAgent,
  defineTool,
  Tool,
  toolOf,
  type CallHook,
  type InvocableTool,
  type OnAfterCall,
  type OnBeforeCall,
  type RunEvent,
  type ToolContext,
  type ToolDefinition,
  type ToolEntry,
} from "../../src/doors/tenon/index.js";
import { Int } from "../../src/doors/dto/index.js";
import { McpTool, mcpTools, type McpServerClient } from "../../src/doors/mcp/index.js";
import { createAppWith } from "../../src/app/create-app.js";
import { rawCall, replyWith, scriptedModel, testClock, type TestClock } from "../../src/doors/testing/index.js";
import { accept, declaresServers, serverOf } from "../mcp/client/declared.js";
import { loopbackServer, type LoopbackServer } from "../mcp/client/loopback-server.js";

declaresServers();

/** What happened, in order. */
let log: string[] = [];
const say = (line: string): void => void log.push(line);

class Amount {
  @Int({ max: 100 }) amount!: number;
}
const AmountOfB = Assert({ amount: "number.integer <= 100" });

/** A form makes a tool `pay`, and one without arguments, with these hooks of its own. */
interface Form {
  readonly name: string;
  readonly pay: (own: CallHook) => ToolEntry;
  readonly wipe: (own: CallHook) => ToolEntry;
  /** `wipe` as an object that can be called by hand. */
  readonly alone: (wipe: ToolEntry) => InvocableTool;
}

/** The server of the last two forms, whose tools do the same. */
let server: LoopbackServer;
let Payments: new () => McpServerClient;
beforeAll(async () => {
  const amount = { type: "object", properties: { amount: { type: "integer", maximum: 100 } }, required: ["amount"] };
  server = await loopbackServer({
    pay: {
      description: "Pays.",
      input: { ...amount, additionalProperties: false },
      run: (input: Amount) => {
        say(`ran ${input.amount}`);
        return `paid ${input.amount}`;
      },
    },
    wipe: {
      description: "Wipes.",
      input: { type: "object", properties: {}, additionalProperties: false },
      run: () => {
        say("ran");
        return "";
      },
    },
  });
  Payments = serverOf({ name: "payments", url: server.url, tools: ["pay", "wipe"] });
  await accept(Payments);
});
afterAll(() => server.close());

const fakePayments = { call: async () => say("ran") } as unknown as McpServerClient;
const aloneByClass = (tool: ToolEntry): InvocableTool => toolOf(new (tool as new () => ITool)());
/** What a result says: of a server's tool that is taken as it is, its text. */
const said = (result: unknown): string => String((result as { text?: unknown } | undefined)?.text ?? result);

const forms: readonly Form[] = [
  {
    name: "A, the decorated class",
    pay: (own) => {
      @Tool({ name: "pay", description: "Pays.", input: Amount })
      class Pay {
        onBeforeCall = own.onBeforeCall;
        onAfterCall = own.onAfterCall;
        run({ amount }: Amount): string {
          say(`ran ${amount}`);
          return `paid ${amount}`;
        }
      }
      return Pay;
    },
    wipe: (own) => {
      @Tool({ name: "wipe", description: "Wipes." })
      class Wipe {
        onBeforeCall = own.onBeforeCall;
        onAfterCall = own.onAfterCall;
        run(): void {
          say("ran");
        }
      }
      return Wipe;
    },
    alone: aloneByClass,
  },
  {
    name: "B, the interface class",
    pay: (own) => {
      @decorator.tool()
      class Pay implements ITool<{ amount: number }, string> {
        getName = (): string => "pay";
        getDescription = (): string => "Pays.";
        getInputSchema = () => AmountOfB;
        onBeforeCall = own.onBeforeCall;
        onAfterCall = own.onAfterCall;
        handler = ({ amount }: { amount: number }): string => {
          say(`ran ${amount}`);
          return `paid ${amount}`;
        };
      }
      return Pay;
    },
    wipe: (own) => {
      @decorator.tool()
      class Wipe implements ITool<Record<string, never>, void> {
        getName(): string {
          return "wipe";
        }
        getDescription(): string {
          return "Wipes.";
        }
        onBeforeCall(...[ctx, call]: Parameters<OnBeforeCall>): ReturnType<OnBeforeCall> {
          return own.onBeforeCall?.(ctx, call);
        }
        onAfterCall(...[ctx, call]: Parameters<OnAfterCall>): ReturnType<OnAfterCall> {
          return own.onAfterCall?.(ctx, call);
        }
        handler(): void {
          say("ran");
        }
      }
      return Wipe;
    },
    alone: aloneByClass,
  },
  {
    name: "C, the function",
    pay: (own) =>
      defineTool({
        name: "pay",
        description: "Pays.",
        input: Amount,
        hooks: [own],
        run: ({ amount }) => {
          say(`ran ${amount}`);
          return `paid ${amount}`;
        },
      }),
    wipe: (own) => defineTool({ name: "wipe", description: "Wipes.", hooks: [own], run: () => say("ran") }),
    alone: (tool) => toolOf(tool as ToolDefinition),
  },
  {
    name: "D, the class of a server's tool",
    pay: (own) => {
      @McpTool({ server: Payments, tool: "pay", description: "Pays.", input: Amount })
      class Pay {
        onBeforeCall = own.onBeforeCall;
        onAfterCall = own.onAfterCall;
        constructor(private readonly payments: McpServerClient) {}
        async run(input: Amount, ctx: ToolContext): Promise<string> {
          return (await this.payments.call<{ text: string }>("pay", input, ctx)).text;
        }
      }
      return Pay;
    },
    wipe: (own) => {
      @McpTool({ server: Payments, tool: "wipe", description: "Wipes." })
      class Wipe {
        onBeforeCall = own.onBeforeCall;
        onAfterCall = own.onAfterCall;
        constructor(private readonly payments: McpServerClient) {}
        run(_input: unknown, ctx: ToolContext): Promise<unknown> {
          return this.payments.call("wipe", {}, ctx);
        }
      }
      return Wipe;
    },
    alone: (tool) => toolOf(new (tool as new (payments: McpServerClient) => ITool)(fakePayments)),
  },
  {
    name: "E, a server's tool as it is",
    pay: (own) => mcpTools(Payments, { only: ["pay"], access: { pay: "read" }, hooks: [own] })[0]!,
    wipe: (own) => mcpTools(Payments, { only: ["wipe"], access: { wipe: "read" }, hooks: [own] })[0]!,
    alone: (tool) => toolOf(tool as ToolDefinition, fakePayments),
  },
];

/** Where the hook under test stands. */
const places = ["app", "agent", "tool"] as const;
type Place = (typeof places)[number];

const watching: CallHook = {
  onAfterCall: (_ctx, call) => say(`told ${call.ok ? "ok" : "error"}`),
};

const none: CallHook = { onBeforeCall: undefined };

/** One call of the tool in a run; the hook stands at `place`, a watching one at the others. */
async function called(
  tool: (own: CallHook) => ToolEntry,
  place: Place,
  hook: CallHook,
  input: unknown,
  clock?: TestClock,
): Promise<{ readonly told: string; readonly events: RunEvent[] }> {
  log = [];
  asked = 0;
  const at = (here: Place): CallHook => (here === place ? hook : here === "tool" ? none : watching);
  const entry = tool(at("tool"));
  const name = entry === undefined ? "" : toolName(entry);
  const agent = defineAgent({ name: "payer", description: "Pays.", tools: [entry], hooks: [at("agent")] });
  const model = scriptedModel(rawCall({ id: "a", name, arguments: JSON.stringify(input) }), replyWith("done"));
  const events: RunEvent[] = [];
  const options = { models: { default: model }, hooks: [at("app")], env: {} };
  await using app = await createAppWith(agent, options, clock === undefined ? {} : { clock });
  const running = app.run({ prompt: "go" }, { onEvent: (event) => void events.push(event) });
  if (clock !== undefined) {
    await expect.poll(() => asked).toBe(1);
    await clock.advance(5_000);
  }
  expect((await running).status).toBe("completed");
  return { told: JSON.stringify(model.requests[1]!.messages.at(-1)), events };
}

const toolName = (entry: ToolEntry): string => ("kind" in entry ? entry.name : entry.name.toLowerCase());
/** How many hooks were asked that never answer. */
let asked = 0;
const never = (): Promise<never> => {
  asked++;
  return new Promise(() => {});
};
const thrown = (): never => {
  throw new Error("boom");
};

const refusals: readonly [string, () => unknown, RegExp][] = [
  ["deny", () => ({ action: "deny", reason: "no money" }), /no money/],
  ["a promise of deny", async () => ({ action: "deny", reason: "no money" }), /no money/],
  ["deny without a reason", () => ({ action: "deny" }), /no reason was given/],
  ["deny with a reason that is no text", () => ({ action: "deny", reason: 5 }), /no reason was given/],
  ["null", () => null, /no clear answer/],
  ["a number", () => 1, /no clear answer/],
  ["true", () => true, /no clear answer/],
  ["a text", () => "allow", /no clear answer/],
  ["a list", () => [{ action: "allow" }], /no clear answer/],
  ["an empty object", () => ({}), /no clear answer/],
  ["a misspelled action", () => ({ action: "alow" }), /no clear answer/],
  ["a modify without input", () => ({ action: "modify" }), /no clear answer/],
  ["a question that is no text", () => ({ action: "ask", question: 5 }), /no clear answer/],
  ["a promise of null", async () => null, /no clear answer/],
  ["a promise of a list", async () => [], /no clear answer/],
  ["a promise of a misspelled action", async () => ({ action: "alow" }), /no clear answer/],
  ["a throw", thrown, /check before the call failed \(boom\)/],
  ["a rejection", () => Promise.reject(new Error("boom")), /failed \(boom\)/],
];

describe.each(forms)("form $name", ({ pay, wipe, alone }) => {
  describe.each(places)("a hook of the %s", (place) => {
    test.each(refusals)(
      "denies with %s: the tool does not run, with or without arguments",
      async (_name, answer, why) => {
        const hook: CallHook = { onBeforeCall: answer as OnBeforeCall, onAfterCall: watching.onAfterCall };
        for (const [tool, input] of [
          [wipe, {}],
          [pay, { amount: 5 }],
        ] as const) {
          const { told, events } = await called(tool, place, hook, input);
          expect(log.filter((line) => line.startsWith("ran"))).toEqual([]);
          expect(told).toMatch(why);
          expect(log, "each after-hook hears of it once").toEqual(
            place === "tool" ? ["told error", "told error", "told error"] : ["told error", "told error"],
          );
          expect(events.filter(({ type }) => type === "tool-start")).toEqual([]);
          expect(events.find((event) => event.type === "tool-end")).toMatchObject({
            result: { kind: "error", code: "denied" },
          });
        }
      },
    );

    test("denies where it does not answer within five seconds", async () => {
      const { told, events } = await called(wipe, place, { onBeforeCall: never }, {}, testClock());
      expect(log.filter((line) => line.startsWith("ran"))).toEqual([]);
      expect(told).toMatch(/no answer in 5000 ms/);
      expect(events.filter(({ type }) => type === "hook-error")).toHaveLength(1);
    });

    test.each([
      ["nothing", () => undefined],
      ["allow", () => ({ action: "allow" }) as const],
      ["a promise of allow", async () => ({ action: "allow" }) as const],
    ])("lets the call go on with %s", async (_name, answer) => {
      await called(wipe, place, { onBeforeCall: answer }, {});
      expect(log.filter((line) => line.startsWith("ran"))).toEqual(["ran"]);
    });

    test("a modified input is validated, and is what runs", async () => {
      await called(pay, place, { onBeforeCall: () => ({ action: "modify", input: { amount: "7" } }) }, { amount: 5 });
      expect(log[0]).toBe("ran 7");
      const { told } = await called(
        pay,
        place,
        { onBeforeCall: async () => ({ action: "modify", input: { amount: 1_000 } }) },
        { amount: 5 },
      );
      expect(log.filter((line) => line.startsWith("ran"))).toEqual([]);
      expect(told).toMatch(/does not fit.*amount/);
      await called(wipe, place, { onBeforeCall: () => ({ action: "modify", input: { all: true } }) }, {});
      expect(log.filter((line) => line.startsWith("ran"))).toEqual([]);
    });

    test.each([
      ["throws", thrown],
      ["rejects", async () => Promise.reject(new Error("boom"))],
    ])("an after-hook that %s changes nothing and doubles nothing", async (_name, onAfterCall) => {
      const { told, events } = await called(pay, place, { onAfterCall }, { amount: 5 });
      expect(told).toContain("paid 5");
      expect(log.filter((line) => line.startsWith("ran"))).toEqual(["ran 5"]);
      expect(log.filter((line) => line === "told ok")).toHaveLength(place === "tool" ? 2 : 1);
      expect(events.filter(({ type }) => type === "tool-end")).toHaveLength(1);
      expect(events.filter((event) => event.type === "hook-error")).toMatchObject([
        { hook: "onAfterCall", message: "boom" },
      ]);
    });

    test("an after-hook that never settles holds the call for five seconds at most", async () => {
      const { told } = await called(pay, place, { onAfterCall: never }, { amount: 5 }, testClock());
      expect(told).toContain("paid 5");
      expect(log.filter((line) => line.startsWith("ran"))).toEqual(["ran 5"]);
    });
  });

  test("before: app, agent, tool; after: tool, agent, app; each sees what the one before it made of the input", async () => {
    log = [];
    const named = (name: string): CallHook => ({
      onBeforeCall: (_ctx, call) => {
        const { amount } = call.input as Amount;
        say(`before ${name} ${amount}`);
        return { action: "modify", input: { amount: amount + 1 } };
      },
      onAfterCall: (_ctx, call) => say(`after ${name} ${(call.input as Amount).amount} ${said(call.result)}`),
    });
    const tool = pay(named("tool"));
    @Agent({ name: "payer", description: "Pays.", tools: [tool], hooks: [named("agent")] })
    class Payer {}
    const model = scriptedModel(rawCall({ id: "a", name: "pay", arguments: '{"amount":1}' }), replyWith("done"));
    await using app = await createApp(Payer, { models: { default: model }, hooks: [named("app")] });
    await app.run({ prompt: "go" });
    expect(log).toEqual([
      "before app 1",
      "before agent 2",
      "before tool 3",
      "ran 4",
      "after tool 4 paid 4",
      "after agent 4 paid 4",
      "after app 4 paid 4",
    ]);
    log = [];
    const result = await app.tool(tool as never).invoke({ amount: 1 } as never);
    expect(said((result as { value: unknown }).value)).toBe("paid 3");
    expect(log).toEqual(["before app 1", "before tool 2", "ran 3", "after tool 3 paid 3", "after app 3 paid 3"]);
  });

  test("the first no counts, and no hook after it is asked; all are told", async () => {
    log = [];
    const tool = wipe({ onBeforeCall: () => say("asked tool"), onAfterCall: () => say("told tool") });
    const agent = defineAgent({
      name: "payer",
      description: "Pays.",
      tools: [tool],
      hooks: [{ onBeforeCall: () => ({ action: "deny", reason: "no" }), onAfterCall: () => say("told agent") }],
    });
    const model = scriptedModel(rawCall({ id: "a", name: "wipe", arguments: "" }), replyWith("done"));
    await using app = await createApp(agent, {
      models: { default: model },
      hooks: [{ onBeforeCall: () => say("asked app"), onAfterCall: () => say("told app") }],
    });
    await app.run({ prompt: "go" });
    expect(log).toEqual(["asked app", "told tool", "told agent", "told app"]);
  });

  test.each(refusals)("by hand, too: %s denies in toolOf and in app.tool", async (_name, answer, why) => {
    log = [];
    const tool = wipe({ onBeforeCall: answer as OnBeforeCall });
    await using app = await createApp(defineAgent({ name: "a", description: "A." }), {
      models: { default: scriptedModel() },
    });
    for (const invoked of [alone(tool), app.tool(tool as never) as InvocableTool])
      expect(await invoked.invoke({})).toMatchObject({ code: "denied", message: expect.stringMatching(why) });
    expect(log).toEqual([]);
  });
});
