import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Text } from "../../../src/doors/dto/index.js";
import { serveMcp, type ServeMcpOptions } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { sqliteStore } from "../../../src/doors/sqlite/index.js";
import {
  Agent,
  createApp,
  memoryStore,
  Tool,
  usd,
  Workflow,
  type App,
  type AppOptions,
  type BeforeCall,
  type CallHook,
  type HookContext,
  type ToolContext,
  type ToolHandler,
} from "../../../src/doors/tenon/index.js";
import { httpClient, textOf } from "./mcp-client.js";

const log: string[] = [];

class Watching implements CallHook {
  constructor(private readonly who: string) {}
  onBeforeCall(ctx: HookContext, call: BeforeCall) {
    log.push(`${this.who} before ${call.toolName} for ${ctx.agent}`);
    return this.who === "gate" && JSON.stringify(call.input).includes("bribe")
      ? ({ action: "deny", reason: "no bribes" } as const)
      : undefined;
  }
  onAfterCall() {
    log.push(`${this.who} after`);
  }
}
const shared = new Watching("shared");

class PayInput {
  @Text({ prompt: "To whom." })
  to!: string;
}

@Tool({ name: "pay", description: "Pays.", input: PayInput, access: "write", maxCost: usd(0.01) })
class Pay implements ToolHandler<PayInput, string> {
  run({ to }: PayInput, ctx: ToolContext): string {
    log.push(`pay ${to}`);
    ctx.reportCost(0.01);
    return `paid ${to}`;
  }
}

@Tool({ name: "look", description: "Looks." })
class Look implements ToolHandler<object, string> {
  run(): string {
    return "nothing";
  }
}

@Agent({
  name: "a",
  description: "A.",
  tools: [Pay, Look],
  model: offlineModel(),
  hooks: [shared, new Watching("gate")],
})
class A {}
@Agent({ name: "b", description: "B.", tools: [Pay], model: offlineModel(), hooks: [shared] })
class B {}
@Workflow({
  name: "bank",
  agents: [A, B],
  hooks: [new Watching("bank")],
  limits: { perDay: { workflow: { toolCalls: 4, cost: usd(0.025) } } },
})
class Bank {}

let folder: string;
beforeEach(() => {
  log.length = 0;
  folder = mkdtempSync(join(tmpdir(), "tenon-serve-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function withClient<T>(
  app: App,
  use: (call: (name: string, args?: Record<string, unknown>) => Promise<any>) => Promise<T>,
  options: ServeMcpOptions = {},
): Promise<T> {
  await using serving = await serveMcp(app, options);
  const client = await httpClient(serving.url!);
  try {
    return await use((name, args = {}) => client.callTool({ name, arguments: args }));
  } finally {
    await client.close();
  }
}

const bank = (options: AppOptions = {}): Promise<App> => createApp(Bank, options as never);

test("a call meets the hooks of the app and of every agent that has the tool, each once", async () => {
  await using app = await bank();
  await withClient(app, async (call) => {
    expect(textOf(await call("pay", { to: "ann" }))).toBe("paid ann");
    expect(log).toEqual([
      "bank before pay for tool:pay",
      "shared before pay for tool:pay",
      "gate before pay for tool:pay",
      "pay ann",
      "gate after",
      "shared after",
      "bank after",
    ]);
    const denied = await call("pay", { to: "bribe" });
    expect(denied).toMatchObject({ isError: true, _meta: { "tenon/code": "denied" } });
    expect(textOf(denied)).toContain("no bribes");
  });
});

test("limits of a day hold, and the ledger has what the calls cost", async () => {
  await using app = await bank();
  await withClient(app, async (call) => {
    await call("pay", { to: "ann" });
    await call("pay", { to: "bob" });
    const poor = await call("pay", { to: "eve" });
    expect(poor.isError).toBe(true);
    expect(log.filter((line) => line.startsWith("pay "))).toEqual(["pay ann", "pay bob"]);
    expect((await call("look")).isError).toBeFalsy();
    const over = await call("look");
    expect(over).toMatchObject({ isError: true, _meta: { "tenon/code": "limit_exceeded" } });
  });
  const entries = await app.ledger.entries();
  expect(entries.filter(({ kind }) => kind === "tool").map(({ agent, name }) => `${agent} ${name}`)).toContain(
    "tool:pay pay",
  );
});

test("classes say which tools are offered", async () => {
  await using app = await bank();
  await using serving = await serveMcp(app, { tools: [Look] });
  expect(serving.tools).toEqual(["look"]);
});

test("agents of the app do not see runs of calls, and their own runs are as before", async () => {
  const store = memoryStore();
  await using app = await bank({ store });
  await withClient(app, (call) => call("look"));
  const result = await app.run({ prompt: "look" }, { agent: "a" });
  expect(result.status).toBe("completed");
  expect((await app.runs()).map(({ agent }) => agent)).toEqual(["a", "tool:look"]);
  expect(() => app.agent("tool:look")).toThrow("no such agent");
  expect(app.describe().agents.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("closing takes no more calls, and leaves what is open to the app", async () => {
  const path = join(folder, "runs.db");
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  @Tool({ name: "hold", description: "Holds.", access: "write" })
  class Hold implements ToolHandler<object, string> {
    async run(_input: object, ctx: ToolContext): Promise<string> {
      log.push(`hold ${ctx.signal.aborted}`);
      await held;
      log.push(`held ${ctx.signal.aborted}`);
      return "done";
    }
  }
  @Agent({ name: "holder", description: "Holds.", tools: [Hold], model: offlineModel() })
  class Holder {}
  await using app = await createApp(Holder, { store: sqliteStore(path) });
  const serving = await serveMcp(app);
  const client = await httpClient(serving.url!);
  const cut = expect(client.callTool({ name: "hold", arguments: {} })).rejects.toThrow();
  await expect.poll(() => log).toEqual(["hold false"]);
  await serving.close({ graceMs: 20 });
  await cut;
  await serving.closed;
  release();
  const [run] = await app.runs();
  expect(await app.result(run!.id)).toMatchObject({ status: "completed", text: "done" });
  expect(log).toEqual(["hold false", "held false"]);
  await client.close();
});
