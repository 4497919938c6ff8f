import { describe, expect, test } from "vitest";
import { Agent, createApp, defineTool, media, memoryStore, RepeatedCallError } from "../../src/doors/tenon/index.js";
import { Text } from "../../src/doors/dto/index.js";
import { rawCall, rawTurn, replyWith, scriptedModel, type ScriptedModel } from "../../src/doors/testing/index.js";

class Query {
  @Text() q!: string;
  @Text({ optional: true }) r?: string;
}

/** The text of the last result that the model was sent in a request. */
function read(model: ScriptedModel, request: number): string {
  return JSON.stringify(model.requests[request]!.messages.at(-1));
}

const call = (q: string) => rawCall({ id: "", name: "look", arguments: JSON.stringify({ q }) });

describe("the repeat guard", () => {
  function looking(result: (q: string, count: number) => string, polling?: boolean) {
    let count = 0;
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: Query,
      polling,
      run: ({ q }) => result(q, ++count),
    });
    @Agent({ name: "looker", description: "Looks.", tools: [look] })
    class Looker {}
    return { Looker, ran: () => count };
  }

  test("the third time warns, the fifth is not run, the seventh ends the run", async () => {
    const { Looker, ran } = looking(() => "nothing");
    const model = scriptedModel(...Array.from({ length: 7 }, () => call("x")));
    await using app = await createApp(Looker, { models: { default: model } });
    const result = await app.run({ prompt: "go" }, { threadId: "t" });
    expect(result).toMatchObject({
      status: "failed",
      stopReason: "repeat",
      error: { code: "repeated_call", data: { tool: "look", times: 7 } },
    });
    expect(RepeatedCallError.is(result.error)).toBe(true);
    expect(ran()).toBe(4);
    for (const request of [1, 2]) expect(read(model, request)).not.toContain("call number");
    expect(read(model, 3)).toContain("call number 3 with the same input");
    expect(read(model, 4)).toContain("call number 4 with the same input");
    for (const request of [5, 6]) expect(read(model, request)).toContain("gave the same result: it was not run");
    model.thenReturn(replyWith("fine"));
    expect((await app.run({ prompt: "again" }, { threadId: "t" })).text).toBe("fine");
    expect(JSON.stringify(model.requests.at(-1))).toContain("call number 3 with the same input");
  });

  test("alternation counts, another order of members too, other inputs do not", async () => {
    const { Looker, ran } = looking((q) => q);
    const texts = ['{"q":"a","r":"b"}', '{"q":"z"}', '{ "r": "b", "q": "a" }', '{"q":"y"}', '{"q":"a","r":"b"}'];
    const model = scriptedModel(
      ...texts.map((text) => rawCall({ id: "", name: "look", arguments: text })),
      replyWith("done"),
    );
    await using app = await createApp(Looker, { models: { default: model } });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(read(model, 5)).toContain("call number 3");
    expect(read(model, 4)).not.toContain("call number");
    expect(ran()).toBe(5);
  });

  test("a result that changes starts the count again; polling opts out", async () => {
    const changing = looking((_q, count) => `state ${Math.ceil(count / 2)}`);
    const steps = Array.from({ length: 9 }, () => call("x"));
    for (const [target, runs] of [
      [changing, 9],
      [looking(() => "same", true), 9],
    ] as const) {
      const model = scriptedModel(...steps, replyWith("done"));
      await using app = await createApp(target.Looker, { models: { default: model } });
      expect((await app.run({ prompt: "go" })).status).toBe("completed");
      expect(target.ran()).toBe(runs);
      expect(JSON.stringify(model.requests)).not.toContain("call number");
    }
  });

  test("it counts the same after a restart", async () => {
    const store = memoryStore();
    const save = defineTool({
      name: "save",
      description: "Saves.",
      access: "write",
      approval: true,
      run: () => "saved",
    });
    let count = 0;
    const look = defineTool({ name: "look", description: "Looks.", input: Query, run: () => (count++, "nothing") });
    @Agent({ name: "looker", description: "Looks.", tools: [look, save] })
    class Looker {}
    const first = await createApp(Looker, {
      models: {
        default: scriptedModel(
          call("x"),
          call("x"),
          call("x"),
          call("x"),
          rawTurn({ calls: [{ id: "s", name: "save", arguments: "{}" }] }),
        ),
      },
      store,
    });
    const paused = await first.run({ prompt: "go" });
    await first.close();
    const model = scriptedModel(call("x"), replyWith("done"));
    await using second = await createApp(Looker, { models: { default: model }, store });
    await second.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
    expect(count).toBe(4);
    expect(read(model, 1)).toContain("was called 5 times");
  });
});

describe("exclusive", () => {
  class Item {
    @Text() key!: string;
  }
  function desk(log: string[]) {
    const touch = (name: string, access: "read" | "write") =>
      defineTool({
        name,
        description: "Touches.",
        input: Item,
        access,
        exclusive: ({ key }: Item) => (key === "free" ? undefined : key),
        timeoutMs: 60,
        run: async ({ key }) => {
          log.push(`${name} ${key} start`);
          await new Promise((resolve) => setTimeout(resolve, 40));
          log.push(`${name} ${key} end`);
          return "touched";
        },
      });
    const [write, look] = [touch("write", "write"), touch("read", "read")];
    @Agent({ name: "clerk", description: "d", tools: [write, look] })
    class Clerk {}
    return { Clerk };
  }
  const turn = (...calls: [string, string][]) =>
    rawTurn({ calls: calls.map(([name, key], i) => ({ id: `${i}`, name, arguments: JSON.stringify({ key }) })) });

  test("[B71] calls of one key run one after the other in call order, whatever tool they are of; others overlap", async () => {
    const log: string[] = [];
    const { Clerk } = desk(log);
    await using app = await createApp(Clerk, {
      models: {
        default: scriptedModel(turn(["write", "x"], ["read", "x"], ["read", "y"], ["write", "x"]), replyWith("done")),
      },
    });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    const ofX = log.filter((line) => line.includes(" x "));
    expect(ofX).toEqual(["write x start", "write x end", "read x start", "read x end", "write x start", "write x end"]);
    expect(log.indexOf("read y start")).toBeLessThan(log.indexOf("write x end"));
  });

  test("the key is one for all runs of the process; waiting is not timed; a stop ends the wait", async () => {
    const log: string[] = [];
    const { Clerk } = desk(log);
    await using app = await createApp(Clerk, { models: { default: scriptedModel() } });
    const runs = Array.from({ length: 3 }, (_, i) =>
      app.run(
        { prompt: "go" },
        { runId: `run-0000${i}`, model: scriptedModel(turn(["write", "x"]), replyWith("done")) },
      ),
    );
    await expect.poll(() => log.length).toBeGreaterThan(0);
    expect((await app.cancel("run-00002")).status).toBe("cancelled");
    const results = await Promise.all(runs);
    expect(results.map(({ status }) => status)).toEqual(["completed", "completed", "cancelled"]);
    expect(log).toEqual(["write x start", "write x end", "write x start", "write x end"]);
  });

  test("a run that this process lets go of after admission holds no key", async () => {
    const log: string[] = [];
    const { Clerk } = desk(log);
    const store = memoryStore();
    const { append } = store;
    let broken = true;
    store.append = (batch) => {
      if (broken && batch.records.some(({ type }) => type === "admit")) throw new Error("disk full");
      return append.call(store, batch);
    };
    await using app = await createApp(Clerk, { models: { default: scriptedModel() }, store });
    const model = () => scriptedModel(turn(["write", "x"]), replyWith("done"));
    await expect(app.run({ prompt: "go" }, { model: model() })).rejects.toThrow("disk full");
    broken = false;
    expect((await app.run({ prompt: "go" }, { model: model() })).status).toBe("completed");
    expect(log).toEqual(["write x start", "write x end"]);
  });

  test("a key function that throws is that call's error, and holds nobody up", async () => {
    const odd = defineTool({
      name: "odd",
      description: "Is odd.",
      input: Item,
      exclusive: ({ key }: Item) => {
        if (key === "bad") throw new Error("no key");
        return "same";
      },
      run: () => "ran",
    });
    @Agent({ name: "clerk", description: "d", tools: [odd] })
    class Clerk {}
    const model = scriptedModel(turn(["odd", "bad"], ["odd", "good"]), replyWith("done"));
    await using app = await createApp(Clerk, { models: { default: model } });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(read(model, 1)).toMatch(/no key.*ran/s);
  });
});

test("a tool with sixteen handlers that are still running after their time answers busy", async () => {
  const settle: (() => void)[] = [];
  const hang = defineTool({
    name: "hang",
    description: "Hangs.",
    timeoutMs: 5,
    run: () => new Promise<void>((resolve) => settle.push(resolve)),
  });
  @Agent({ name: "clerk", description: "d", tools: [hang], maxToolCalls: 100, maxModelCalls: 100 })
  class Clerk {}
  const four = rawTurn({ calls: Array.from({ length: 4 }, (_, i) => ({ id: `${i}`, name: "hang", arguments: "{}" })) });
  const model = scriptedModel();
  await using app = await createApp(Clerk, { models: { default: model } });
  for (let i = 0; i < 4; i++) {
    model.thenReturn(four, replyWith("done"));
    await app.run({ prompt: "go" });
  }
  model.thenReturn(four, replyWith("done"));
  await app.run({ prompt: "go" });
  expect(read(model, model.requests.length - 1)).toContain("16 of its earlier calls are still running");
  expect(settle).toHaveLength(16);
  for (const end of settle.splice(0, 4)) end();
  model.thenReturn(four, replyWith("done"));
  await app.run({ prompt: "go" });
  expect(settle).toHaveLength(16);
});

test("progress is an event while the call runs, and nothing after it", async () => {
  const events: unknown[] = [];
  let tell = (_value: unknown): void => {};
  const work = defineTool({
    name: "work",
    description: "Works.",
    run: async (_input, ctx) => {
      tell = ctx.progress;
      ctx.progress({ done: 1n, of: 2 });
      const cycle: unknown[] = [];
      cycle.push(cycle);
      ctx.progress(cycle);
      await Promise.resolve();
      return "worked";
    },
  });
  @Agent({ name: "clerk", description: "d", tools: [work] })
  class Clerk {}
  await using app = await createApp(Clerk, {
    models: {
      default: scriptedModel(rawTurn({ calls: [{ id: "a", name: "work", arguments: "{}" }] }), replyWith("done")),
    },
  });
  await app.run({ prompt: "go" }, { onEvent: (event) => void (event.type === "tool-progress" && events.push(event)) });
  tell("too late");
  expect(events).toMatchObject([
    { name: "work", value: { done: "1", of: 2 } },
    { name: "work", value: expect.stringContaining("contains itself") },
  ]);
});

test("a result of more than ten million characters is an error that the model can mend", async () => {
  const dump = defineTool({
    name: "dump",
    description: "Dumps.",
    run: () => ({ rows: Array.from({ length: 11 }, () => "x".repeat(1_000_000)) }),
  });
  @Agent({ name: "clerk", description: "d", tools: [dump] })
  class Clerk {}
  const model = scriptedModel(rawTurn({ calls: [{ id: "a", name: "dump", arguments: "{}" }] }), replyWith("done"));
  await using app = await createApp(Clerk, { models: { default: model } });
  expect((await app.run({ prompt: "go" })).status).toBe("completed");
  expect(read(model, 1)).toContain("larger than 10000000 characters");
});

describe("[B77] media", () => {
  const png = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
  const shoot = defineTool({
    name: "shoot",
    description: "Takes pictures.",
    run: () => ({
      page: "home",
      shots: [media({ mediaType: "image/png", data: png }), media({ mediaType: "image/gif", data: "R0lGODlh" })],
    }),
  });
  @Agent({ name: "photographer", description: "d", tools: [shoot] })
  class Photographer {}

  function provider(name: string) {
    const scripted = scriptedModel(
      rawTurn({ calls: [{ id: "a", name: "shoot", arguments: "{}" }] }),
      replyWith("done"),
      replyWith("again"),
    );
    const model = {
      specificationVersion: "v4" as const,
      provider: name,
      modelId: "m",
      doGenerate: (options: any) => scripted.doGenerate(options),
      doStream: (options: any) => scripted.doStream(options),
    };
    return { model, scripted };
  }

  test.each([
    ["anthropic.messages", true],
    ["openai.chat", false],
  ] as const)("%s is sent files: %s; the text holds a note, never base64", async (name, takes) => {
    const { model, scripted } = provider(name);
    await using app = await createApp(Photographer, { models: { default: model } });
    await app.run({ prompt: "go" }, { threadId: "t" });
    await app.run({ prompt: "again" }, { threadId: "t" });
    for (const request of [1, 2]) {
      const message = scripted.requests[request]!.messages.find(({ role }) => role === "tool") as any;
      const { output } = message.content[0];
      const text = takes ? output.value[0].text : output.value;
      expect(text).toBe('{"page":"home","shots":["[image/png, 300000 bytes]","[image/gif, 6 bytes]"]}');
      expect(output.type).toBe(takes ? "content" : "text");
      if (takes)
        expect(output.value.slice(1)).toEqual([
          { type: "file", mediaType: "image/png", data: { type: "data", data: Buffer.from(png).toString("base64") } },
          { type: "file", mediaType: "image/gif", data: { type: "data", data: "R0lGODlh" } },
        ]);
    }
  });

  test("what is no media is refused where it is made", () => {
    expect(() => media({ mediaType: "picture", data: png })).toThrow(/media type/);
    expect(() => media({ mediaType: "image/png", data: "data:image/png;base64,AAAA" })).toThrow(/base64/);
    expect(() => media({ mediaType: 5 as never, data: png })).toThrow(/media type/);
    expect(() => media({ mediaType: "image/png", data: 5 as never })).toThrow(/bytes or base64/);
  });
});
