import { expect, test } from "vitest";
import {
  Agent,
  createApp,
  defineTool,
  memoryStore,
  Tool,
  Workflow,
  type CallHook,
} from "../../src/doors/tenon/index.js";
import { callTool, callTools, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

let count = 0;
const disposed: string[] = [];

class Connection {
  readonly id: number = ++count;
  [Symbol.dispose](): void {
    disposed.push(`connection ${this.id}`);
  }
}
class Pool {
  readonly id: number = ++count;
  async [Symbol.asyncDispose](): Promise<void> {
    disposed.push(`pool ${this.id}`);
  }
}
@Tool({ name: "query", description: "Queries.", deps: [Connection, Pool] })
class Query {
  constructor(
    private readonly connection: Connection,
    private readonly pool: Pool,
  ) {}
  async run(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return `connection ${this.connection.id} of pool ${this.pool.id}`;
  }
}
const again = defineTool({
  name: "again",
  description: "Queries again.",
  deps: [Connection],
  run: (_input, _ctx, connection) => `connection ${connection.id}`,
});

@Agent({ name: "clerk", description: "d", tools: [Query, again] })
class Clerk {}
@Workflow({
  name: "w",
  agents: [Clerk],
  providers: [{ provide: Connection, useClass: Connection, scope: "run" }, Pool],
})
class Flow {}

test("a run-scoped instance is one in its run, another in every other run, and is disposed with it", async () => {
  const script = [
    callTools([
      [Query, {}],
      [again, {}],
    ]),
    replyWith("done"),
  ];
  const results: string[][] = [];
  const app = await createApp(Flow, { models: { default: scriptedModel(...script, ...script, ...script) } });
  const heard = (list: string[]) => (event: { readonly type: string; readonly result?: unknown }) => {
    if (event.type === "tool-end") list.push((event.result as { value: string }).value);
  };
  await Promise.all(
    [0, 1].map(async () => {
      const list: string[] = [];
      results.push(list);
      const model = scriptedModel(...script);
      await app.run({ prompt: "go" }, { model, onEvent: heard(list) });
    }),
  );
  const connections = results.map((list) => list.map((line) => /connection (\d+)/.exec(line)![1]));
  for (const [first, second] of connections) expect(first).toBe(second);
  expect(connections[0]![0]).not.toBe(connections[1]![0]);
  const pools = results.flatMap((list) => list.map((line) => /pool (\d+)/.exec(line)?.[1]).filter(Boolean));
  expect(new Set(pools).size).toBe(1);
  expect(disposed.filter((line) => line.startsWith("connection")).sort()).toEqual(
    [...new Set(connections.flat())].map((id) => `connection ${id}`).sort(),
  );
  expect(disposed).not.toContain(`pool ${pools[0]}`);
  await app.close();
  expect(disposed.at(-1)).toBe(`pool ${pools[0]}`);
});

test("a constructor that throws is that call's error, and is tried again", async () => {
  let tries = 0;
  class Shaky {
    constructor() {
      if (++tries === 1) throw new Error("not yet");
    }
  }
  const use = defineTool({ name: "use", description: "Uses.", deps: [Shaky], run: () => "used" });
  @Agent({ name: "user", description: "d", tools: [use] })
  class User {}
  const model = scriptedModel(callTool(use), callTool(use), replyWith("done"));
  await using app = await createApp(User, { models: { default: model } });
  expect((await app.run({ prompt: "go" })).status).toBe("completed");
  expect(JSON.stringify(model.requests[1])).toContain("not yet");
  expect(JSON.stringify(model.requests[2])).toContain('"used"');
});

test("a hook may be a class: it is made once for the app", async () => {
  const seen: string[] = [];
  let made = 0;
  class Audit implements CallHook {
    constructor() {
      made++;
    }
    onAfterCall: CallHook["onAfterCall"] = (_ctx, call) => void seen.push(call.toolName);
  }
  @Agent({ name: "clerk", description: "d", tools: [again], hooks: [Audit] })
  class Audited {}
  await using app = await createApp(Audited, {
    models: { default: scriptedModel(callTool(again), replyWith("done"), callTool(again), replyWith("done")) },
  });
  await app.run({ prompt: "go" });
  await app.run({ prompt: "go" });
  expect(seen).toEqual(["again", "again"]);
  expect(made).toBe(1);
});

test("a store that fails ends the call of run with its error; the run stays for whoever recovers it", async () => {
  const store = memoryStore();
  const { append } = store;
  let writes = 0;
  let broken = true;
  store.append = (batch) => {
    if (++writes >= 2 && broken) throw new Error("disk full");
    return append.call(store, batch);
  };
  const model = scriptedModel(callTool(again), replyWith("never recorded"));
  const app = await createApp(Flow, { models: { default: model }, store });
  await expect(app.run({ prompt: "go" }, { runId: "run-00001" })).rejects.toThrow("disk full");
  broken = false;
  expect((await store.run("run-00001"))?.status).toBe("running");
  await app.close();
  await store.release("run-00001", 1);
  await using next = await createApp(Flow, { models: { default: scriptedModel(replyWith("over")) }, store });
  expect((await next.recover()).continued).toMatchObject([{ status: "completed", text: "over" }]);
});
