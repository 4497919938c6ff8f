import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  Assert,
  createChat,
  decorator,
  InvalidAnswerError,
  RunIncompleteError,
  type AiToolClassType,
  type AssertType,
  type IChat,
  type ITool,
} from "../../src/doors/itool/index.js";
import {
  LimitExceededError,
  memoryStore,
  provide,
  type RunEvent,
  type ToolContext,
} from "../../src/doors/tenon/index.js";
import {
  callTool,
  failWith,
  rawTurn,
  replyWith,
  scriptedModel,
  type ModelStep,
} from "../../src/doors/testing/index.js";
import { ArrowWeather, Reset, STATIONS, stations } from "./weather.js";

const providers = [provide(STATIONS, { useValue: stations })];

class Support implements IChat {
  public getModel = (): string => "house/model";
  public getSystemPrompts = (): string[] => ["Be kind.", "Be brief."];
  public getTools = (): AiToolClassType[] => [ArrowWeather];
}

const scripted = (...steps: readonly ModelStep[]) => {
  const model = scriptedModel(...steps);
  return { model, options: { models: { "house/model": model }, providers, env: {} } };
};

test("answers with text, with its own tools and those of one request", async () => {
  const { model, options } = scripted(
    callTool(ArrowWeather, { city: "Oslo" }),
    replyWith("sunny"),
    callTool(Reset),
    replyWith("all is reset"),
  );
  await using chat = await createChat(Support, options);
  const answer: string = await chat.run({ prompt: "Weather?" });
  expect(answer).toBe("sunny");
  expect(model.requests[0]!.messages).toMatchObject([
    { role: "system", content: "Be kind.\n\nBe brief." },
    { role: "user" },
  ]);
  expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(["get_weather"]);

  const log: string[] = [];
  const executionContext = { user: "ann", log };
  expect(await chat.run({ prompt: "Reset!", tools: [Reset], executionContext })).toBe("all is reset");
  expect(model.requests[2]!.tools.map(({ name }) => name)).toEqual(["get_weather", "reset"]);
  expect(log).toContain("ran reset");
});

test("threads, owners and other options of a run pass through; two messages without a thread are two conversations", async () => {
  const { model, options } = scripted(...["one", "two", "three"].map((text) => replyWith(text)));
  await using chat = await createChat(Support, options);
  const heard: RunEvent[] = [];
  await chat.run({ prompt: "I am Ann.", threadId: "t", owner: "ann", onEvent: (event) => void heard.push(event) });
  expect(heard.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  await chat.run({ prompt: "Who am I?", threadId: "t", owner: "ann", runId: "run-number-2" });
  expect(model.requests[1]!.messages).toHaveLength(4);
  expect((await chat.app.result("run-number-2")).text).toBe("two");
  await expect(chat.run({ prompt: "Who?", threadId: "t", owner: "bob" })).rejects.toMatchObject({
    code: "thread_owner",
  });
  await chat.run({ prompt: "Who am I?" });
  expect(model.requests[2]!.messages).toHaveLength(2);
});

test("streams events, and the run's result", async () => {
  const { options } = scripted(callTool(ArrowWeather, { city: "Oslo" }), replyWith("sunny"));
  await using chat = await createChat(Support, options);
  const stream = chat.stream({ prompt: "Weather?" });
  const types: string[] = [];
  for await (const event of stream) types.push(event.type);
  expect(types).toEqual(expect.arrayContaining(["run-start", "tool-start", "tool-end", "text-delta", "run-end"]));
  expect(await stream.result).toMatchObject({ status: "completed", text: "sunny" });
});

describe("an output schema", () => {
  class Typed extends Support {
    public override getTools = (): AiToolClassType[] => [];
    public getOutputSchema = (): AssertType => Assert({ city: "string", degrees: "number" });
  }
  type Report = { city: string; degrees: number };

  test.each([
    ["as it is", '{"city":"Oslo","degrees":20}'],
    ["in a fence", '```json\n{"city":"Oslo","degrees":20}\n```'],
    ["with a number as text, which is repaired", '{"city":"Oslo","degrees":"20"}'],
  ])("gives the validated object: %s", async (_name, text) => {
    const { model, options } = scripted(replyWith(text));
    await using chat = await createChat(Typed, options);
    const report: Report = await chat.run<Report>({ prompt: "Report." });
    expect(report).toEqual({ city: "Oslo", degrees: 20 });
    const told = JSON.stringify(model.requests[0]!.messages[0]);
    expect(told).toContain("Be brief.");
    expect(told).toContain("degrees");
  });

  test("the schema's own transforms are in the value", async () => {
    class Dated extends Support {
      public getOutputSchema = () => z.object({ at: z.iso.datetime().transform((text) => new Date(text)) });
    }
    const { options } = scripted(replyWith('{"at":"2026-03-01T00:00:00Z"}'));
    await using chat = await createChat(Dated, options);
    const { at } = await chat.run<{ at: Date }>({ prompt: "When?" });
    expect(at.getUTCFullYear()).toBe(2026);
  });

  test.each([
    ["no JSON", "It is warm.", /is not JSON/],
    ["JSON of another shape", '{"city":"Oslo"}', /degrees: is required/],
    ["half an object", '{"city":"Oslo","degr', /is not JSON/],
  ])("rejects with a code: %s", async (_name, text, why) => {
    const { options } = scripted(replyWith(text));
    await using chat = await createChat(Typed, options);
    const thrown: unknown = await chat.run({ prompt: "Report." }).catch((error: unknown) => error);
    expect(InvalidAnswerError.is(thrown) && thrown.message).toMatch(why);
    expect(thrown).toMatchObject({ code: "invalid_answer", data: { text } });
  });
});

describe("rejects where there is no answer", () => {
  @decorator.tool({ access: "write", approval: true })
  class Pay implements ITool<Record<string, never>, string> {
    getName = (): string => "pay";
    getDescription = (): string => "Pays.";
    handler = (): string => "paid";
  }
  class Cashier extends Support {
    public override getTools = (): AiToolClassType[] => [Pay];
  }

  test("a run that waits: the pauses are in the error, and an answer to them goes on", async () => {
    const { options } = scripted(callTool(Pay), replyWith("It is paid."));
    await using chat = await createChat(Cashier, options);
    const thrown: unknown = await chat.run({ prompt: "Pay!" }).catch((error: unknown) => error);
    if (!RunIncompleteError.is(thrown)) throw thrown;
    expect(thrown.data).toMatchObject({
      status: "paused",
      stopReason: "pause",
      pauses: [{ kind: "approval", tool: "pay" }],
    });
    const pauseId = thrown.pauses[0]!.id;
    expect(thrown.message).toContain(pauseId);
    const stored = JSON.parse(JSON.stringify(thrown)) as { data: { runId: string } };
    expect(RunIncompleteError.is(stored)).toBe(true);
    expect(await chat.resume(stored.data.runId, { [pauseId]: { approved: true, by: "ann" } })).toBe("It is paid.");
  });

  test.each([
    [
      "a limit",
      [callTool(ArrowWeather, { city: "a" }), callTool(ArrowWeather, { city: "b" })],
      { maxToolCalls: 1 },
      "limit",
      "limit_exceeded",
    ],
    ["a model that fails", [failWith(new Error("down"), { status: 400 })], {}, "error", "model_error"],
    ["an answer that breaks off", [rawTurn({ text: "", finish: "length" })], {}, "error", "model_error"],
  ])("%s", async (_name, steps, agent, stopReason, code) => {
    const { options } = scripted(...steps);
    await using chat = await createChat(Support, { ...options, agent });
    const thrown: unknown = await chat.run({ prompt: "go" }).catch((error: unknown) => error);
    if (!RunIncompleteError.is(thrown)) throw thrown;
    expect(thrown.data).toMatchObject({ status: "failed", stopReason, pauses: [], error: { code } });
    expect(LimitExceededError.is(thrown.data["error"])).toBe(code === "limit_exceeded");
  });

  test("a run that is cancelled", async () => {
    const { options } = scripted(replyWith("too late"));
    await using chat = await createChat(Support, options);
    await expect(chat.run({ prompt: "go", signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "run_incomplete",
      data: { status: "cancelled" },
    });
  });

  test.each(["length", "content-filter"] as const)("an answer that is cut off: %s", async (finish) => {
    const { options } = scripted(rawTurn({ text: "half an ans", finish }));
    await using chat = await createChat(Support, options);
    const thrown: unknown = await chat.run({ prompt: "go" }).catch((error: unknown) => error);
    expect(RunIncompleteError.is(thrown) && thrown.message).toContain(`cut off (${finish})`);
    expect(thrown).toMatchObject({ code: "run_incomplete", data: { status: "completed", finish } });
  });

  test("a store that forgets a run at its end keeps no answer back", async () => {
    const { options } = scripted(replyWith("whole"), rawTurn({ text: "half", finish: "length" }));
    await using chat = await createChat(Support, { ...options, store: memoryStore({ keep: 0 }) });
    expect(await chat.run({ prompt: "go" })).toBe("whole");
    await expect(chat.run({ prompt: "go" })).rejects.toMatchObject({ data: { finish: "length" } });
  });

  test.each([
    ["an empty text", z.string().transform(() => " ")],
    ["nothing", z.string().transform(() => undefined)],
    ["an empty text itself", z.string()],
  ])("a schema that makes %s of the answer", async (name, schema) => {
    class Empty extends Support {
      public getOutputSchema = () => schema;
    }
    const { options } = scripted(replyWith(name === "an empty text itself" ? '""' : '"x"'));
    await using chat = await createChat(Empty, options);
    await expect(chat.run({ prompt: "go" })).rejects.toMatchObject({ code: "invalid_answer" });
  });

  test("an object without a prototype is taken", async () => {
    const bare = Object.assign(Object.create(null) as object, { getModel: () => "house/model" }) as IChat;
    await expect(
      createChat(Object.assign(bare, { getName: () => 5 }) as never, scripted().options),
    ).rejects.toMatchObject({ code: "assembly_error" });
    bare.getName = () => "bare";
    await using chat = await createChat(bare, scripted(replyWith("hello")).options);
    expect(await chat.run({ prompt: "go" })).toBe("hello");
  });

  test("an empty answer", async () => {
    const { options } = scripted(replyWith("  \n"));
    await using chat = await createChat(Support, options);
    const thrown: unknown = await chat.run({ prompt: "go" }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "invalid_answer" });
  });

  test("what the caller must mend rejects as in an app", async () => {
    const { options } = scripted();
    const chat = await createChat(Support, options);
    await expect(chat.run({ prompt: " " })).rejects.toMatchObject({ code: "bad_input" });
    await expect(chat.run(undefined as never)).rejects.toMatchObject({ code: "bad_input" });
    await expect(chat.run({ prompt: "go", thread: "t" } as never)).rejects.toMatchObject({ code: "bad_input" });
    await chat.close();
    await expect(chat.run({ prompt: "go" })).rejects.toMatchObject({ code: "app_closed" });
  });
});

describe("createChat", () => {
  const options = { models: { default: scriptedModel(), m: scriptedModel() }, env: {} };

  test("names the agent by the class, or by getName; both show in describe", async () => {
    await using chat = await createChat(Support, { ...scripted().options, agent: { description: "Helps." } });
    expect(chat.app.describe()).toMatchObject({
      workflow: "Support",
      agents: [{ name: "Support", description: "Helps." }],
    });
    class Named extends Support {
      getName = (): string => "desk";
    }
    await using named = await createChat(Named, scripted().options);
    expect(named.app.describe().agents[0]!.name).toBe("desk");
  });

  test("takes an object where a class needs something, and methods as members", async () => {
    class Greeter implements IChat {
      constructor(private readonly word: string) {}
      getModel(): string {
        return "m";
      }
      getSystemPrompts(): readonly string[] {
        return [`Say ${this.word}.`];
      }
    }
    const model = scriptedModel(replyWith("hello"));
    await using chat = await createChat(new Greeter("hello"), { models: { m: model }, env: {} });
    expect(await chat.run({ prompt: "hi" })).toBe("hello");
    expect(model.requests[0]!.messages[0]).toMatchObject({ content: "Say hello." });
    await expect(createChat(Greeter as never, options)).rejects.toThrow(/takes parameters: Greeter.*new Greeter/s);
  });

  test("all that is wrong with a class is told at once", async () => {
    class Broken implements IChat {
      getModel = (): string => {
        throw new Error("boom");
      };
      getSystemPrompts = (): string[] => "Be kind." as never;
      getTools = (): never => undefined as never;
      getOutputSchema = (): never => 5 as never;
    }
    const thrown: unknown = await createChat(Broken, options).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "assembly_error" });
    expect((thrown as Error).message).toMatch(
      /getModel\(\) threw \(boom\)[\s\S]*getSystemPrompts\(\) gave "Be kind\."[\s\S]*getTools\(\) gave undefined[\s\S]*getOutputSchema\(\)/,
    );
    await expect(createChat(5 as never, options)).rejects.toMatchObject({ code: "bad_input" });
    await expect(createChat(null as never, options)).rejects.toMatchObject({ code: "bad_input" });
    await expect(createChat({} as never, options)).rejects.toMatchObject({ code: "assembly_error" });
  });

  test("a tool that cannot be used, and a model that is nowhere, are faults of the assembly", async () => {
    class Plain {}
    class Wrong extends Support {
      override getTools = (): AiToolClassType[] => [Plain as never];
    }
    await expect(createChat(Wrong, { ...scripted().options })).rejects.toMatchObject({ code: "unknown_agent_tool" });
  });

  test("the store is the caller's, and a chat on it goes on with its threads", async () => {
    const store = memoryStore();
    const first = scripted(replyWith("one"));
    const chat = await createChat(Support, { ...first.options, store });
    await chat.run({ prompt: "I am Ann.", threadId: "t" });
    expect(await chat.app.runs({})).toMatchObject([{ threadId: "t", agent: "Support" }]);
    await chat.close();
  });
});

test("the context of tools is typed by the caller", async () => {
  @decorator.tool()
  class WhoAmI implements ITool<Record<string, never>, string, { user: string }> {
    getName = (): string => "who";
    getDescription = (): string => "Says who asks.";
    handler = (_param: Record<string, never>, ctx: ToolContext<{ user: string }>): string => ctx.executionContext.user;
  }
  const { model, options } = scripted(callTool(WhoAmI), replyWith("Ann"));
  await using chat = await createChat(Support, options);
  await chat.run({ prompt: "Who?", tools: [WhoAmI], executionContext: { user: "ann" } });
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('"ann"');
});
