import { describe, expect, test } from "vitest";
import { AssemblyError, createApp, defineTool } from "../../src/doors/tenon/index.js";
import { callAll, rawCall, rawTurn, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { agentOf, appOf, callsIn, play, resultsIn, ways } from "./wire.js";

/** A tool that counts its calls. */
function counted(name: string, options: { readonly approval?: boolean } = {}) {
  const calls: string[] = [];
  const tool = defineTool({
    name,
    description: `Does ${name}.`,
    ...options,
    run(_input, ctx) {
      calls.push(ctx.callId);
      return `${name} ran`;
    },
  });
  return { tool, calls };
}

const done = replyWith("done");

describe.each(ways)("names, %s", (way) => {
  test("[B15] an unknown tool is an error result under its call's id, with the names there are; its sibling runs", async () => {
    const known = counted("known");
    const turn = callAll(
      rawCall({ id: "a", name: "ghost", arguments: "{}" }),
      rawCall({ id: "b", name: "known", arguments: "{}" }),
    );
    const { result, requests, stored } = await play([known.tool], [turn, done], way);
    expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(known.calls).toHaveLength(1);
    expect(resultsIn(requests[1])).toMatchObject([
      { id: "a", isError: true, text: expect.stringMatching(/ghost.*known/) },
      { id: "b", isError: false, text: "known ran" },
    ]);
    expect(stored.map(({ result: { kind } }) => kind).sort()).toEqual(["error", "ok"]);
    expect(stored).toContainEqual({
      callId: `call_${result.runId}_1_1`,
      result: expect.objectContaining({ code: "unknown_tool" }),
    });
  });

  test.each(["ghost", "g".repeat(10_000), "tool_299", "tool_3000", ""])(
    "[B15] with 300 tools the message is bounded and names near ones: %s",
    async (name) => {
      const tools = Array.from({ length: 300 }, (_, i) => counted(`tool_${i}_${"x".repeat(50)}`));
      const { requests } = await play(
        tools.map(({ tool }) => tool),
        [rawCall({ id: "a", name, arguments: "{}" }), done],
        way,
      );
      const [only] = resultsIn(requests[1]);
      expect(only).toMatchObject({ isError: true, text: expect.stringContaining("tool_") });
      expect(only!.text.length).toBeLessThan(2_000);
      expect(tools.every(({ calls }) => calls.length === 0)).toBe(true);
    },
  );

  test("[B15] an agent without tools says so", async () => {
    const { requests, result } = await play([], [rawCall({ id: "a", name: "ghost", arguments: "{}" }), done], way);
    expect(result.status).toBe("completed");
    expect(resultsIn(requests[1])).toMatchObject([
      { id: "a", isError: true, text: expect.stringContaining("no tools") },
    ]);
  });

  test("[B15] the same ghost again and again ends by the limit, not in a crash", async () => {
    const known = counted("known");
    const { result } = await play(
      [known.tool],
      Array.from({ length: 3 }, () => rawCall({ id: "", name: "ghost", arguments: "{}" })),
      way,
      { maxModelCalls: 3 },
    );
    expect(result).toMatchObject({ status: "failed", stopReason: "limit", error: { code: "limit_exceeded" } });
  });

  const wireNames = [
    "functions.search",
    "functions.",
    ".",
    "a b",
    "ns/x",
    "ü",
    "北京",
    "🌍",
    "search\n",
    "<search>",
    'search"',
    "x".repeat(65),
    "x.".repeat(200),
    "",
    " ",
    "$search",
    "search()",
    "__proto__",
    "constructor",
    "\ud800",
    "functions.functions.search",
  ];

  test.each(wireNames)("[B17] no name that a provider refuses is sent, and call and result agree: %j", async (name) => {
    const search = counted("search");
    const { result, requests } = await play(
      [search.tool],
      [rawCall({ id: "a", name, arguments: "{}" }), rawTurn({ text: "hm" })],
      way,
    );
    expect(result.status).toBe("completed");
    const [call] = callsIn(requests[1]);
    expect(call).toMatchObject({ id: "a", name: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/) });
    expect(resultsIn(requests[1])).toMatchObject([{ id: "a", name: call!.name }]);
    expect(search.calls).toHaveLength(name === "functions.search" ? 1 : 0);
  });

  test("[B17] several bad names in one turn keep their pairs", async () => {
    const turn = callAll(...wireNames.map((name, i) => rawCall({ id: `id_${i}`, name, arguments: "{}" })));
    const { requests } = await play([counted("search").tool], [turn, done], way, { maxToolCalls: 100 });
    expect(resultsIn(requests[1]).map(({ id }) => id)).toEqual(wireNames.map((_, i) => `id_${i}`));
  });

  test.each([
    "getUser",
    "GET_USER",
    "get-user",
    "Get_User",
    "getuser",
    "get_user ",
    " get_user",
    "functions.getUser",
    "get_users",
    "get_user()",
    "default_api.get_user",
    "get_user:0",
  ])("[B19] another spelling is never run, and the right one is named: %j", async (name) => {
    const user = counted("get_user");
    const { requests, result } = await play(
      [user.tool],
      [rawCall({ id: "a", name, arguments: "{}" }), rawCall({ id: "b", name: "get_user", arguments: "{}" }), done],
      way,
    );
    expect(result.status).toBe("completed");
    expect(resultsIn(requests[2])).toMatchObject([
      { id: "a", isError: true, text: expect.stringContaining("get_user") },
      { id: "b", isError: false, text: "get_user ran" },
    ]);
    expect(user.calls).toEqual([`call_${result.runId}_2_1`]);
  });

  test("[B19] a provider's own prefix is taken off, and the real tool's rules hold", async () => {
    const user = counted("get_user", { approval: true });
    const model = scriptedModel(rawCall({ id: "a", name: "functions.get_user", arguments: "{}" }), done);
    await using app = await appOf([user.tool], model);
    const paused = await app.run({ prompt: "go" });
    expect(paused).toMatchObject({ status: "paused", pauses: [{ tool: "get_user" }] });
    expect(user.calls).toEqual([]);
    const denied = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: false, reason: "no" } });
    expect(denied.status).toBe("completed");
    expect(user.calls).toEqual([]);
  });
});

test.each([
  ["get_user", "GET_USER"],
  ["get_user", "getUser"],
  ["get_user", "get-user"],
  ["getuser", "get__user"],
  ["get_user", "get_user"],
])("[B19] two tools that a model takes for one are refused at assembly: %s and %s", async (one, other) => {
  const thrown: unknown = await createApp(agentOf([counted(one).tool, counted(other).tool]), {
    models: { default: scriptedModel() },
    env: {},
  }).catch((error: unknown) => error);
  expect(AssemblyError.is(thrown)).toBe(true);
  expect((thrown as AssemblyError).message).toContain(one);
  expect((thrown as AssemblyError).message).toContain(other);
});

test("[B19] a tool of one request that a model takes for the agent's own is refused before anything is stored", async () => {
  const model = scriptedModel();
  await using app = await appOf([counted("get_user").tool], model);
  await expect(app.run({ prompt: "go", tools: [counted("getUser").tool] })).rejects.toMatchObject({
    code: "assembly_error",
  });
  expect(model.requests).toHaveLength(0);
});
