import { beforeEach, describe, expect } from "vitest";
import { test as plain } from "vitest";
import { memoryStore, Workflow, type CallHook, type RestoredRun, type RunEvent } from "../../src/doors/tenon/index.js";
import { callTool, failWith, replyWith, testWith } from "../../src/doors/testing/index.js";
import {
  Clerk,
  Desk,
  Issues,
  ListAll,
  MAILER,
  NOW,
  Office,
  realCalls,
  SearchIssues,
  SendMail,
  Stranger,
  tellTime,
} from "./desk.js";

const test = testWith(Office);

beforeEach(() => {
  realCalls.length = 0;
});

test("a workflow runs on scripts and mocks alone", async ({ app, mockLlm, mockOf }) => {
  const mailer = mockOf(MAILER);
  mailer.send.mockResolvedValue("sent");
  mailer.folder.list.mockReturnValue(["inbox"]);
  mockOf(Issues).find.mockReturnValue(["a", "b"]);
  mockOf(NOW).mockReturnValue(5);
  mockLlm(Desk).thenReturn(
    callTool(SearchIssues, { query: "login" }),
    callTool(SendMail, { query: "two" }),
    callTool(tellTime),
    replyWith("Mailed."),
  );
  expect(await app.run({ prompt: "Mail the issues." })).toMatchObject({ status: "completed", text: "Mailed." });
  expect(mockOf(Issues).find).toHaveBeenCalledExactlyOnceWith("login");
  expect(mailer.send).toHaveBeenCalledExactlyOnceWith("team", "two (inbox)");
  expect(realCalls).toEqual([]);
  expect(mockLlm(Desk).requests).toHaveLength(4);
  expect(mockLlm(Desk).requests[3]!.messages.at(-1)).toMatchObject({
    role: "tool",
    content: [{ output: { value: "5 UTC" } }],
  });
});

test("what is not mocked is the workflow's own", async ({ app, mockOf }) => {
  mockOf(MAILER);
  mockOf(NOW);
  expect(await app.tool(SearchIssues).invoke({ query: "login" })).toEqual({
    kind: "ok",
    value: ["login fails", "login is slow"],
  });
  expect(realCalls).toEqual(["find login"]);
});

test("each agent has a script of its own", async ({ app, mockLlm, mockOf }) => {
  mockOf(MAILER);
  mockOf(NOW);
  mockLlm(Desk).thenReturn(replyWith("desk"));
  mockLlm(Clerk).thenReturn(replyWith("clerk"));
  expect((await app.agent(Clerk).run({ prompt: "a" })).text).toBe("clerk");
  expect((await app.run({ prompt: "a" })).text).toBe("desk");
  expect(mockLlm(Clerk).requests[0]!.tools.map(({ name }) => name)).toEqual(["search_issues"]);
});

test("a script may grow while the test goes on", async ({ app, mockLlm, mockOf }) => {
  mockOf(MAILER);
  mockOf(NOW);
  mockLlm(Desk).thenReturn(failWith(new Error("down")));
  expect((await app.run({ prompt: "a" })).status).toBe("failed");
  mockLlm(Desk).thenReturn(replyWith("up"));
  expect((await app.run({ prompt: "a" })).text).toBe("up");
});

test("an agent without a script fails on its first request, and names itself", async ({ app, mockOf }) => {
  mockOf(MAILER);
  mockOf(NOW);
  const { error } = await app.agent(Clerk).run({ prompt: "File it." });
  expect(error).toMatchObject({ code: "script_error", data: { model: "scripted-clerk", request: 1 } });
  expect(error!.message).toContain('the last user text is "File it."');
});

test("a mock that is asked for after the app was made is refused; one from before is still given", async ({
  app,
  mockOf,
}) => {
  const mailer = mockOf(MAILER);
  mockOf(NOW);
  await app.health();
  expect(mockOf(MAILER)).toBe(mailer);
  expect(() => mockOf(Issues)).toThrow(
    /made already, without this mock: Issues\. Ask for the mock before the first use of `app`/,
  );
});

test("without its mock a missing provider is an assembly error of the first call", async ({ app, mockOf }) => {
  mockOf(NOW);
  await expect(app.run({ prompt: "a" })).rejects.toThrow(/no provider for MAILER/);
  await expect(app.health()).rejects.toThrow(/no provider for MAILER/);
});

test("mockLlm takes the workflow's agents, mockOf takes keys", ({ mockLlm, mockOf }) => {
  expect(() => mockLlm(Stranger)).toThrow(/no such agent: Stranger\. There are: Desk, Clerk/);
  expect(() => mockLlm(undefined as never)).toThrow(/no such agent: undefined/);
  expect(() => mockOf(undefined as never)).toThrow(/mockOf takes a class or a token: undefined/);
  expect(() => mockOf("MAILER" as never)).toThrow(/"MAILER"/);
});

test("the app takes nothing from the environment", async ({ app, mockOf }) => {
  mockOf(MAILER);
  mockOf(NOW);
  process.env["TENON_BASE_URL"] = "http://127.0.0.1:9/v1";
  try {
    await expect(app.run({ prompt: "a" }, { model: "some-model" })).rejects.toThrow(/TENON_BASE_URL/);
  } finally {
    delete process.env["TENON_BASE_URL"];
  }
});

test("every member of the app works, whichever comes first", async ({ app, mockLlm, mockOf }) => {
  mockOf(MAILER);
  mockOf(NOW);
  expect(() => app.describe()).toThrow(/await app\.health\(\)/);
  mockLlm(Desk).thenReturn(callTool(ListAll), replyWith("one two three"), replyWith("b"), replyWith("c"));
  const stream = app.stream({ prompt: "a" }, { runId: "stream-01" });
  const events: RunEvent[] = [];
  for await (const event of stream) events.push(event);
  expect(events[0]).toMatchObject({ type: "run-start", runId: "stream-01" });
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  expect(await stream.result).toMatchObject({ text: "one two three" });
  expect((await app.agent(Desk).stream({ prompt: "b" }).result).text).toBe("b");
  expect(app.describe().agents.map(({ name }) => name)).toEqual(["desk", "clerk"]);
  expect(await app.pauses()).toEqual([]);
  expect(await app.recover()).toEqual({ continued: [], skipped: [] });
  expect((await app.cancel("stream-01")).text).toBe("one two three");
  expect((await app.resume("stream-01")).status).toBe("completed");
  expect((await app.resumeStream("stream-01").result).status).toBe("completed");
  await expect(app.agent(Stranger).run({ prompt: "a" })).rejects.toThrow(/no such agent: Stranger/);
  expect((await app.run({ prompt: "c" }, { agent: Desk })).text).toBe("c");
  await app.close();
  expect((await app.health()).closed).toBe(true);
  await expect(app.run({ prompt: "a" })).rejects.toThrow(/closed/);
});

test("leaving a stream cancels its run, also before the app is there", async ({ app, mockLlm, mockOf }) => {
  mockOf(MAILER).send.mockReturnValue(new Promise(() => {}));
  mockOf(NOW);
  const stream = app.stream({ prompt: "a" });
  await stream.return();
  expect((await stream.result).status).toBe("cancelled");
  mockLlm(Desk).thenReturn(callTool(SendMail, { query: "b" }));
  const other = app.stream({ prompt: "b" });
  for await (const event of other) if (event.type === "tool-start") break;
  expect((await other.result).status).toBe("cancelled");
});

test("a wrong stream tells it where it is read", async ({ app, mockOf }) => {
  mockOf(MAILER);
  mockOf(NOW);
  const stream = app.stream({ prompt: "" });
  await expect(stream.next()).rejects.toThrow(/needs a prompt/);
  await expect(stream.result).rejects.toThrow(/needs a prompt/);
});

describe.concurrent("tests that run at the same time", () => {
  const seen = new Set<unknown>();
  for (const name of ["a", "b", "c", "d"]) {
    test.concurrent(`${name} has an app, scripts and mocks of its own`, async ({
      app,
      mockLlm,
      mockOf,
      expect: expectHere,
    }) => {
      mockOf(NOW);
      mockOf(MAILER).send.mockImplementation(async (_to, text) => `${name}: ${text}`);
      mockOf(MAILER).folder.list.mockReturnValue([]);
      mockLlm(Desk).thenReturn(callTool(SendMail, { query: name }), replyWith(name));
      const [result] = await Promise.all([
        app.run({ prompt: name }, { threadId: "one" }),
        new Promise((resolve) => setTimeout(resolve, 5)),
      ]);
      expectHere(result.text).toBe(name);
      expectHere(mockLlm(Desk).requests).toHaveLength(2);
      expectHere(mockOf(MAILER).send.mock.calls).toEqual([["team", `${name} ()`]]);
      for (const own of [app, mockLlm(Desk), mockOf(MAILER)]) {
        expectHere(seen.has(own)).toBe(false);
        seen.add(own);
      }
    });
  }
});

describe("an agent alone", () => {
  const clerkTest = testWith(Clerk, { providers: [Issues] });
  clerkTest("is a workflow", async ({ app, mockLlm }) => {
    mockLlm(Clerk).thenReturn(callTool(SearchIssues, { query: "login" }), replyWith("Two."));
    expect((await app.run({ prompt: "a" })).text).toBe("Two.");
    expect(realCalls).toEqual(["find login"]);
  });

  clerkTest("lets mocks win over the providers of its options", async ({ app, mockOf }) => {
    mockOf(Issues).find.mockReturnValue([]);
    expect(await app.tool(SearchIssues).invoke({ query: "login" })).toEqual({ kind: "ok", value: [] });
    expect(realCalls).toEqual([]);
  });
});

describe("options", () => {
  const stores: string[] = [];
  const denied: CallHook = { onBeforeCall: () => ({ action: "deny", reason: "not today" }) };
  const restored: RestoredRun[] = [];
  const optionTest = testWith(Clerk, () => {
    const store = memoryStore();
    stores.push(store.location);
    return { store, providers: [Issues], hooks: [denied], restore: (run) => void restored.push(run) };
  });

  for (const round of [1, 2]) {
    optionTest(`as a function are made for each test: ${round}`, async ({ app, mockLlm }) => {
      mockLlm(Clerk).thenReturn(callTool(SearchIssues, { query: "login" }), replyWith("No."));
      await app.run({ prompt: "a" }, { threadId: "always-the-same", runId: "run-00001" });
      expect(mockLlm(Clerk).requests[0]!.messages).toHaveLength(1);
      expect(JSON.stringify(mockLlm(Clerk).requests[1]!.messages)).toContain("not today");
      expect(realCalls).toEqual([]);
      expect(stores).toHaveLength(round);
    });
  }

  const shared = testWith(Clerk, { store: memoryStore(), providers: [Issues] });
  shared("with one store serve one test", async ({ app }) => {
    expect((await app.health()).store.ok).toBe(true);
  });
  shared("with one store are refused in a second test", async ({ app }) => {
    await expect(app.health()).rejects.toThrow(/A store serves one test.*`\(\) => \(\{ store: … \}\)`/);
  });

  testWith(Clerk, { leaseMs: 1 })("that createApp refuses are an assembly error", async ({ app }) => {
    await expect(app.health()).rejects.toThrow(/leaseMs/);
  });
  testWith(Clerk, { providers: "none" as never })("with providers that are no list are refused", async ({ app }) => {
    await expect(app.health()).rejects.toThrow(/providers. must be a list/);
  });
  testWith(Clerk, (() => 5) as never)("of no object are refused", async ({ app }) => {
    await expect(app.health()).rejects.toThrow(/must be a plain object/);
  });

  plain("of a model are refused: every agent has a scripted one", () => {
    expect(() => testWith(Clerk, { models: {} } as never)).toThrow(/no such option: models/);
    expect(() => testWith(Clerk, null as never)).toThrow(/must be a plain object/);
  });
});

plain("testWith takes a workflow or an agent", () => {
  expect(() => testWith(class Nothing {})).toThrow(/takes a workflow or an agent: Nothing/);
  expect(() => testWith(undefined as never)).toThrow(/takes a workflow or an agent: undefined/);
  expect(() => testWith(SearchIssues)).toThrow(/takes a workflow or an agent: SearchIssues/);
});

describe("a workflow that cannot be assembled", () => {
  @Workflow({ name: "cycle", agents: [undefined as never, Clerk], providers: [Issues] })
  class Cycle {}
  testWith(Cycle)("says so at the first call", async ({ app, mockLlm }) => {
    expect(() => mockLlm(undefined as never)).toThrow(/no such agent: undefined\. There are: Clerk/);
    await expect(app.run({ prompt: "a" })).rejects.toThrow(/agents\[0\] is undefined/);
  });

  @Workflow({ name: "empty", agents: undefined as never })
  class Empty {}
  testWith(Empty)("may lack its agents", async ({ app, mockLlm }) => {
    expect(() => mockLlm(Clerk)).toThrow(/no such agent: Clerk\. There are none/);
    await expect(app.run({ prompt: "a" })).rejects.toThrow(/agents must list at least one agent/);
  });
});
