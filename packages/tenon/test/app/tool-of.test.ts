import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createApp,
  defineTool,
  optional,
  Agent,
  Tool,
  token,
  toolDefinitionOf,
  toolOf,
  type ToolContext,
} from "../../src/doors/tenon/index.js";
import { Choice, Flag, Int, ListOf, Nested, Num, Text } from "../../src/doors/dto/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

class Line {
  @Text({ prompt: "what is bought" }) item!: string;
  @Int({ min: 1, default: 1 }) count!: number;
}
class Order {
  @Text({ prompt: "who buys" }) customer!: string;
  @ListOf(Line, { min: 1, prompt: "what is bought" }) lines!: Line[];
  @Choice(["card", "cash"], { optional: true }) pay?: "card" | "cash";
  @Flag({ default: false }) gift!: boolean;
  @Nested(Line, { optional: true }) extra?: Line;
}
class Receipt {
  @Num() total!: number;
  @Text() customer!: string;
}

interface Prices {
  of(item: string): number;
}
const PRICES = token<Prices>("PRICES");

@Tool({ name: "buy", description: "Buys things.", input: Order, output: Receipt, deps: [PRICES] })
class Buy {
  constructor(private readonly prices: Prices) {}
  run(order: Order, ctx: ToolContext): Receipt {
    ctx.reportCost(0.001);
    if (!(order.lines[0] instanceof Line)) throw new Error("lines are no Lines");
    const total = order.lines.reduce((sum, line) => sum + line.count * this.prices.of(line.item), 0);
    return { total, customer: order.customer, internal: "not told" } as Receipt;
  }
}

const buy = toolOf(new Buy({ of: () => 2 }));

test("a tool made with new and a fake is called as a run would call it", async () => {
  const result = await buy.invoke({ customer: "c", lines: [{ item: "pen", count: 3 }, { item: "ink" }] });
  expect(result).toEqual({ kind: "ok", value: { total: 8, customer: "c" } });
});

test("arguments are validated, and every failing path is named", async () => {
  const result = await buy.invoke({ customer: 5, lines: [{ item: "pen", count: 0 }], pay: "shells" });
  expect(result).toMatchObject({ kind: "error", code: "invalid_input" });
  for (const path of ["customer", "lines[0].count", "pay"])
    expect((result as { message: string }).message).toContain(path);
  expect(await buy.invoke()).toMatchObject({ kind: "error", code: "invalid_input" });
});

test("what the model is shown needs no app", () => {
  expect(toolDefinitionOf(Buy)).toMatchObject({
    name: "buy",
    description: "Buys things.",
    inputSchema: {
      type: "object",
      required: ["customer", "lines"],
      additionalProperties: false,
      properties: { customer: { type: "string", description: "who buys" } },
    },
  });
  expect(() =>
    toolDefinitionOf(
      class Plain {
        run(): void {}
      },
    ),
  ).toThrow(/This is no tool: Plain/);
  expect(() => toolOf({ run: () => 1 })).toThrow(/This is no tool: Object/);
});

describe("the dependencies of a function", () => {
  const UNITS = token<"kg" | "lb">("UNITS", (unit) => (["kg", "lb"].includes(unit) ? [] : [`${unit} is no unit`]));
  const weigh = defineTool({
    name: "weigh",
    description: "Weighs.",
    deps: [PRICES, optional(UNITS)],
    run: (_input, _ctx, prices, unit = "kg") => `${prices.of("pen")} ${unit}`,
  });
  const prices: Prices = { of: () => 2 };

  test("are given in their order; one that may be missing may be left out", async () => {
    expect(await toolOf(weigh, prices, "lb").invoke()).toEqual({ kind: "ok", value: "2 lb" });
    expect(await toolOf(weigh, prices).invoke()).toEqual({ kind: "ok", value: "2 kg" });
    expect(await toolOf(weigh, prices, undefined).invoke()).toEqual({ kind: "ok", value: "2 kg" });
  });

  const loose = toolOf as (tool: unknown, ...deps: readonly unknown[]) => unknown;

  test("one that is missing is named", () => {
    const message =
      "The tool weigh needs a dependency that was not given: PRICES. Pass it to toolOf: it takes the tool and then PRICES, UNITS?.";
    expect(() => loose(weigh)).toThrow(message);
    expect(() => loose(weigh, undefined, "kg")).toThrow(message);
  });

  test("so are one too many, and one that its key does not take", () => {
    expect(() => loose(weigh, prices, "kg", 3)).toThrow(
      "toolOf was given more than the tool weigh takes: 3 values beside it. It takes the tool and then PRICES, UNITS?.",
    );
    expect(() => loose(new Buy(prices), prices)).toThrow("It takes the tool and then nothing further.");
    expect(() => loose(weigh, prices, "stone")).toThrow(
      "The tool weigh cannot take a value that toolOf was given: UNITS: stone is no unit. Mend the value.",
    );
    expect(() => loose(defineTool({ name: "x", description: "d", deps: [undefined as never], run: () => 1 }))).toThrow(
      /x: deps\[0\] is undefined/,
    );
  });

  test("a class in the place of an object is told as such", () => {
    expect(() => loose(Buy)).toThrow(
      "toolOf takes an object of a tool's class: the class Buy. Make one with what its constructor takes: `toolOf(new Buy(…))`.",
    );
    expect(() => loose(class Plain {})).toThrow(/This is no tool/);
  });
});

test("the whole context has plain defaults, and takes what a test gives", async () => {
  const seen: unknown[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks.",
    run: (_input, ctx: ToolContext<{ user: string }>) => {
      seen.push([
        ctx.run.runId,
        ctx.workflow,
        ctx.agent,
        ctx.callId,
        ctx.executionContext?.user,
        ctx.run.signal === ctx.signal,
      ]);
      ctx.reportCost(0.5);
    },
  });
  const costs: number[] = [];
  await toolOf(look).invoke(
    {},
    {
      runId: "r",
      workflow: "w",
      agent: "a",
      callId: "c",
      executionContext: { user: "ann" },
      reportCost: (usd) => costs.push(usd),
    },
  );
  await toolOf(look).invoke();
  expect(seen).toEqual([
    ["r", "w", "a", "c", "ann", true],
    [expect.any(String), expect.any(String), expect.any(String), expect.any(String), undefined, true],
  ]);
  expect(costs).toEqual([0.5]);
});

test("reportCost refuses what is no amount: that call's error", async () => {
  for (const amount of [-1, Number.NaN, Infinity, "1" as never]) {
    const tool = defineTool({ name: "spend", description: "Spends.", run: (_input, ctx) => ctx.reportCost(amount) });
    expect(await toolOf(tool).invoke({})).toMatchObject({
      kind: "error",
      code: "tool_error",
      message: expect.stringContaining("reportCost"),
    });
  }
});

describe("reportCost adds up", () => {
  async function spend(...amounts: readonly number[]) {
    let failure: unknown;
    const tool = defineTool({
      name: "spend",
      description: "Spends.",
      run: (_input, { reportCost }) => {
        try {
          for (const amount of amounts) reportCost(amount);
        } catch (thrown) {
          failure = thrown;
          throw thrown;
        }
      },
    });
    @Agent({ name: "spender", description: "Spends.", tools: [tool] })
    class Spender {}
    const model = scriptedModel(callTool(tool), replyWith("done"));
    await using app = await createApp(Spender, { models: { default: model }, env: {} });
    const { usage, status } = await app.run({ prompt: "go" });
    expect(status).toBe("completed");
    return { usd: usage.toolCostUsd, failure };
  }

  test.each<[number, readonly number[]]>([
    [0, []],
    [0, [0, -0]],
    [1e-9, [1e-10]],
    [1e-9, [4e-10, 4e-10]],
    [2e-5, Array.from({ length: 50_000 }, () => 4e-10)],
    [0.07, [0.07]],
    [0.29, [0.29]],
    [0.3, [0.1, 0.2]],
    [1.1e-8, [1.01e-8]],
    [123_456.789, [123_456.789]],
    [9_007_199, [9_007_199]],
  ])("%d US dollars: what is less than a billionth is rounded up once, at the end", async (usd, amounts) => {
    expect(await spend(...amounts)).toEqual({ usd, failure: undefined });
  });

  test.each<[number, readonly number[]]>([
    [0, [1e308]],
    [0, [1e300]],
    [0, [9_007_200]],
    [9_000_000, [9_000_000, 9_000_000]],
    [0.5, [0.5, Number.MAX_VALUE]],
  ])(
    "%d US dollars: what goes over the largest amount is that call's error, and is not added",
    async (usd, amounts) => {
      expect(await spend(...amounts)).toEqual({ usd, failure: expect.objectContaining({ code: "bad_input" }) });
    },
  );
});

test("a signal that outlives its calls keeps nothing of them", async () => {
  const { signal } = new AbortController();
  const quick = defineTool({ name: "quick", description: "Is quick.", run: () => 1 });
  const failing = defineTool({
    name: "failing",
    description: "Fails.",
    deps: [PRICES],
    run: () => {
      throw new Error("no");
    },
  });
  const hand = [toolOf(quick), toolOf(failing, { of: () => 1 })];
  @Agent({ name: "one", description: "One.", tools: [quick] })
  class One {}
  await using app = await createApp(One, { models: { default: scriptedModel() }, env: {} });
  for (let i = 0; i < 3; i++) {
    for (const tool of hand) await tool.invoke({}, { signal });
    await app.tool(quick).invoke({}, { signal });
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("a signal stops a call by hand, before it starts and while it runs", async () => {
  const wait = defineTool({ name: "wait", description: "Waits.", run: () => new Promise(() => {}) });
  @Agent({ name: "one", description: "One.", tools: [wait] })
  class One {}
  await using app = await createApp(One, { models: { default: scriptedModel() }, env: {} });
  for (const invoke of [toolOf(wait).invoke, app.tool(wait).invoke]) {
    expect(await invoke({}, { signal: AbortSignal.abort() })).toMatchObject({ kind: "error", code: "cancelled" });
    const controller = new AbortController();
    const running = invoke({}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    expect(await running).toMatchObject({ kind: "error", code: "cancelled" });
  }
});

describe("form C", () => {
  const sum = defineTool({
    name: "sum",
    description: "Adds.",
    input: z.object({
      a: z.number(),
      b: z.coerce.string().transform(Number),
      at: z.iso
        .datetime()
        .transform((text) => new Date(text))
        .optional(),
    }),
    deps: [PRICES],
    run: ({ a, b, at }, _ctx, prices) => ({ sum: a + b, price: prices.of("x"), year: at?.getUTCFullYear() ?? null }),
  });

  test("with Zod and dependencies, by hand", async () => {
    expect(
      await toolOf(sum, { of: () => 7 } satisfies Prices).invoke({ a: 1, b: "2", at: "2020-01-01T00:00:00Z" }),
    ).toEqual({ kind: "ok", value: { sum: 3, price: 7, year: 2020 } });
  });

  test("in a run", async () => {
    @Agent({ name: "adder", description: "Adds.", tools: [sum, Buy] })
    class Adder {}
    const model = scriptedModel(callTool(sum, { a: 1, b: "2" }), replyWith("3"));
    await using app = await createApp(Adder, {
      models: { default: model },
      providers: [{ provide: PRICES, useValue: { of: () => 1 } }],
    });
    expect((await app.run({ prompt: "go" })).text).toBe("3");
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('{\\"sum\\":3,\\"price\\":1,\\"year\\":null}');
  });
});

test("output that does not fit is an error the model can read", async () => {
  const bad = defineTool({
    name: "bad",
    description: "Bad.",
    output: Receipt,
    run: () => ({ total: "much", customer: "c" }) as never,
  });
  expect(await toolOf(bad).invoke({})).toMatchObject({
    kind: "error",
    code: "invalid_output",
    message: expect.stringContaining("total"),
  });
});

test("a tool that waits for approval is not run by hand without saying who allowed it", async () => {
  let ran = 0;
  const wipe = defineTool({
    name: "wipe",
    description: "Wipes.",
    access: "write",
    approval: true,
    run: () => void ran++,
  });
  expect(await toolOf(wipe).invoke({})).toMatchObject({ kind: "error", code: "approval_required" });
  expect(ran).toBe(0);
  expect(await toolOf(wipe).invoke({}, { approvedBy: "ann" })).toEqual({ kind: "ok", value: null });
});

test("at most eight calls at once, results in call order", async () => {
  let open = 0;
  let most = 0;
  class N {
    @Int() n!: number;
  }
  const slow = defineTool({
    name: "slow",
    description: "Slow.",
    input: N,
    run: async ({ n }) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, (n * 7) % 5));
      open--;
      return n;
    },
  });
  @Agent({ name: "many", description: "Many.", tools: [slow] })
  class Many {}
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const { callAll } = await import("../../src/doors/testing/index.js");
  const model = scriptedModel(callAll(...numbers.map((n) => callTool(slow, { n }))), replyWith("done"));
  await using app = await createApp(Many, { models: { default: model } });
  await app.run({ prompt: "go" });
  expect(most).toBe(8);
  const results = (
    model.requests[1]!.messages.at(-1) as unknown as { content: { output: { value: string } }[] }
  ).content.map((part) => Number(part.output.value));
  expect(results).toEqual(numbers);
});
