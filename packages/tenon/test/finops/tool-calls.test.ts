import { describe, expect, test } from "vitest";
import {
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  type AgentOptions,
  type App,
  type Limits,
  type Store,
} from "../../src/doors/tenon/index.js";
import { callTools, crashEverywhere, replyWith, scriptedModel, type ModelStep } from "../../src/doors/testing/index.js";
import { stores } from "../app/stores.js";

let ran = 0;
const look = defineTool({ name: "look", description: "Looks.", polling: true, run: () => `seen ${++ran}` });
const turn = (calls: number): ModelStep => callTools(Array.from({ length: calls }, () => [look, {}]));

function appOf(
  store: Store,
  turns: readonly ModelStep[],
  limits: Limits | undefined,
  agent: Partial<AgentOptions> = {},
): Promise<App> {
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    tools: [look],
    model: scriptedModel(...turns),
    ...agent,
  });
  const desk = defineWorkflow({ name: "desk", agents: [clerk], ...(limits === undefined ? {} : { limits }) });
  return createApp(desk, { store, env: {} });
}

const over = (limit: string, max: number, stopReason = "budget") => ({
  status: "failed",
  stopReason,
  error: { code: "limit_exceeded", data: { limit, max } },
});

describe.each(stores)("on %s", (_, newStore) => {
  test("a day's tool calls are shared by runs and apps; a turn that goes over them runs none", async () => {
    const store = newStore();
    const limits: Limits = { perDay: { workflow: { toolCalls: 5 } } };
    {
      await using app = await appOf(store, [turn(2), turn(1), replyWith("done")], limits);
      expect(await app.run({ prompt: "go" })).toMatchObject({ text: "done" });
    }
    ran = 0;
    await using app = await appOf(store, [turn(3), turn(2), replyWith("fits"), replyWith("no call")], limits);
    const result = await app.run({ prompt: "go" }, { threadId: "t", runId: "goes-over" });
    expect(result).toMatchObject({
      ...over("limits.perDay.workflow.toolCalls", 5),
      usage: { toolCalls: 0, modelCalls: 1 },
    });
    expect(result.error!.message).toMatch(/Day budget exhausted: 3 tool calls were made, and the turn asks for 3/);
    expect(ran).toBe(0);
    const { turns } = await app.inspect("goes-over");
    expect(turns[0]!.calls.map((call) => call.result)).toMatchObject([{ code: "limit" }, { code: "limit" }, {}]);
    // What did not fit was not counted, and its thread goes on.
    expect((await app.run({ prompt: "go" }, { threadId: "t" })).text).toBe("fits");
    expect((await app.run({ prompt: "go" })).text).toBe("no call");
    expect(store.ledger.entries({ kind: "tool" })).toHaveLength(0);
    expect(app.describe().limits.budgets).toEqual({ "limits.perDay.workflow.toolCalls": 5 });
  });

  test("each owner has its own", async () => {
    const limits: Limits = { perDay: { owner: { toolCalls: 1 } } };
    const steps = [turn(1), replyWith("ann"), turn(1), turn(1), replyWith("bob"), turn(2), replyWith("nobody")];
    await using app = await appOf(newStore(), steps, limits);
    expect((await app.run({ prompt: "go" }, { owner: "ann" })).text).toBe("ann");
    expect(await app.run({ prompt: "go" }, { owner: "ann" })).toMatchObject(over("limits.perDay.owner.toolCalls", 1));
    expect((await app.run({ prompt: "go" }, { owner: "bob" })).text).toBe("bob");
    expect((await app.run({ prompt: "go" })).text).toBe("nobody");
  });

  test("calls that began before there was a limit run to their end, and count with the next turn", async () => {
    const store = newStore();
    const ask = defineTool({ name: "ask", description: "Asks.", approval: true, run: () => "yes" });
    const first = await appOf(store, [callTools([[ask, {}]])], undefined, { tools: [ask, look] });
    const paused = await first.run({ prompt: "go" });
    await first.close();
    const limits: Limits = { perDay: { workflow: { toolCalls: 1 } } };
    await using app = await appOf(store, [turn(1)], limits, { tools: [ask, look] });
    const yes = { [paused.pauses[0]!.id]: { approved: true, by: "ann" } } as const;
    expect(await app.resume(paused.runId, yes)).toMatchObject({
      ...over("limits.perDay.workflow.toolCalls", 1),
      usage: { toolCalls: 1 },
    });
  });
});

test("a crash at any point counts no call twice, and loses none", async () => {
  await crashEverywhere({
    app: (world) => {
      const seen = defineTool({ name: "look", description: "Looks.", polling: true, run: () => "seen" });
      const calls = (n: number): ModelStep => callTools(Array.from({ length: n }, () => [seen, {}]));
      const clerk = defineAgent({ name: "clerk", description: "Works.", tools: [seen] });
      const limits: Limits = { perDay: { workflow: { toolCalls: 3 } } };
      return world.createApp(defineWorkflow({ name: "desk", agents: [clerk], limits }), {
        models: { default: world.model(calls(2), calls(1), calls(1)) },
      });
    },
    drive: (app) => app.run({ prompt: "go" }, { runId: "crash-run-one" }),
    compare: ({ runs }) =>
      expect(runs[0]).toMatchObject({ ...over("limits.perDay.workflow.toolCalls", 3), usage: { toolCalls: 3 } }),
  });
});

test("an agent's `limits.toolCalls` and `limits.modelCalls` take the place of the defaults; the smaller of two holds", async () => {
  const max = async (agent: Partial<AgentOptions>): Promise<readonly number[]> => {
    await using app = await appOf(stores[0]![1](), [], undefined, agent);
    const { maxToolCalls, maxModelCalls } = app.describe().agents[0]!;
    return [maxToolCalls, maxModelCalls];
  };
  expect(await max({})).toEqual([20, 12]);
  expect(await max({ limits: { toolCalls: 50, modelCalls: 30 } })).toEqual([50, 30]);
  expect(await max({ limits: { toolCalls: 5, modelCalls: 6 }, maxToolCalls: 9, maxModelCalls: 9 })).toEqual([5, 6]);
  expect(await max({ limits: { toolCalls: 9, modelCalls: 9 }, maxToolCalls: 5, maxModelCalls: 6 })).toEqual([5, 6]);

  await using app = await appOf(stores[0]![1](), [turn(1), turn(1)], undefined, { limits: { toolCalls: 1 } });
  expect(await app.run({ prompt: "go" })).toMatchObject(over("agents.clerk.limits.toolCalls", 1, "limit"));
  const many = [...Array.from({ length: 13 }, () => turn(1)), replyWith("done")];
  await using long = await appOf(stores[0]![1](), many, undefined, { limits: { modelCalls: 14 } });
  expect((await long.run({ prompt: "go" })).text).toBe("done");
});
