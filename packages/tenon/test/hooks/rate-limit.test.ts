import { describe, expect, test } from "vitest";
import { BadInputError, toolOf, defineTool, type CallHook, type RunOptions } from "tenon";
import { rateLimit, type RateLimitOptions } from "tenon/hooks";
import { callTool, callTools, replyWith, scriptedModel, testClock, type ModelStep } from "tenon/testing";
import { appWith, look, Pay, Payment, told } from "./desk.js";

const START = Date.UTC(2030, 0, 1);

/** A tool that is called by hand, with a limit; each call says whether it was let through. */
function limited(options: Omit<RateLimitOptions, "clock">) {
  const clock = testClock(START);
  const tool = defineTool({
    name: "poke",
    description: "Pokes.",
    hooks: [rateLimit({ ...options, clock })],
    run: () => "poked",
  });
  const poke = async (scope: object = {}): Promise<string> => {
    const result = await toolOf(tool).invoke({}, scope);
    return result.kind === "ok" ? "ok" : result.message;
  };
  return { clock, poke };
}

test("a sliding window: what is beyond it is denied until the oldest call leaves it", async () => {
  const { clock, poke } = limited({ per: "minute", max: 2 });
  expect(await poke()).toBe("ok");
  await clock.advance(20_000);
  expect(await poke()).toBe("ok");
  await clock.advance(18_500);
  const denied =
    "poke was not allowed: at most 2 calls a minute, and there were so many. Come back in 22 s (from 2030-01-01T00:01:00.000Z on)";
  expect(await poke()).toBe(denied);
  // What was denied does not count, or the window would never empty.
  await clock.advance(21_499);
  expect(await poke()).toContain("Come back in 1 s");
  await clock.advance(1);
  expect(await poke()).toBe("ok");
  expect(await poke()).toContain("Come back in 20 s");
});

test.each([
  ["second", 1_000, "a second"],
  ["hour", 3_600_000, "an hour"],
  ["day", 86_400_000, "a day"],
  ["90s", 90_000, "in 90s"],
  ["15m", 900_000, "in 15m"],
  [250, 250, "in 250 ms"],
] as const)("per %s", async (per, ms, text) => {
  const { clock, poke } = limited({ per, max: 1 });
  expect(await poke()).toBe("ok");
  await clock.advance(ms - 1);
  expect(await poke()).toContain(`at most 1 call ${text},`);
  await clock.advance(1);
  expect(await poke()).toBe("ok");
});

describe("what is counted apart", () => {
  const scopes = {
    a: {
      run: { runId: "run-aaaaa", threadId: "t1", owner: "ann", metadata: {}, signal: new AbortController().signal },
    },
    b: {
      run: { runId: "run-bbbbb", threadId: "t2", owner: "bob", metadata: {}, signal: new AbortController().signal },
    },
    c: {
      run: { runId: "run-ccccc", threadId: "t2", owner: "ann", metadata: {}, signal: new AbortController().signal },
    },
    none: { runId: "run-ddddd" },
  };
  const cases: [string, RateLimitOptions["by"], string][] = [
    ["nothing", undefined, "a"],
    ["the owner", "owner", "a b none"],
    ["the thread", "thread", "a b none"],
    ["the run", "run", "a b c none"],
    ["the tool", "tool", "a"],
    ["owner and thread", ["owner", "thread"], "a b c none"],
    ["a function", ({ owner }) => (owner === "ann" ? "one" : "two"), "a b"],
  ];
  test.each(cases)("%s", async (_name, by, through) => {
    const { poke } = limited({ per: "minute", max: 1, by });
    const passed: string[] = [];
    for (const [name, scope] of Object.entries(scopes)) if ((await poke(scope)) === "ok") passed.push(name);
    expect(passed.join(" ")).toBe(through);
  });

  test("a text is no list of texts, and no owner is not the owner `null`", async () => {
    const { poke } = limited({ per: "minute", max: 1, by: [({ owner }) => owner ?? "null", "owner"] });
    expect(await poke(scopes.none)).toBe("ok");
    expect(await poke({ run: { ...scopes.a.run, owner: "null" } })).toBe("ok");
  });

  const keys: [string, () => unknown][] = [
    ["throws", () => JSON.parse("{") as unknown],
    ["gives nothing", () => undefined],
    ["gives a promise", () => Promise.resolve("key")],
  ];
  test.each(keys)("a function that %s denies", async (_name, by) => {
    const { poke } = limited({ per: "minute", max: 1, by: by as never });
    expect(await poke()).toContain("a check before the call failed");
  });
});

test("memory is bounded: calls beyond it are denied until the oldest is forgotten, whoever makes them", async () => {
  const { clock, poke } = limited({ per: "minute", max: 2, by: "run", remember: 3 });
  for (let i = 0; i < 3; i++) {
    expect(await poke({ runId: `run-${i}0000` })).toBe("ok");
    await clock.advance(1_000);
  }
  expect(await poke({ runId: "run-new000" })).toContain(
    "too many calls were made, of all who are counted. Come back in 57 s",
  );
  await clock.advance(57_000);
  expect(await poke({ runId: "run-new000" })).toBe("ok");
});

test.each([-3_600_000, -1, 3_600_000, 365 * 86_400_000])(
  "setting the time of day by %i ms frees nothing and holds nothing for ever",
  async (ms) => {
    const { clock, poke } = limited({ per: "minute", max: 1 });
    expect(await poke()).toBe("ok");
    clock.jump(ms);
    await clock.advance(59_999);
    const from = new Date(START + ms + 60_000).toISOString();
    expect(await poke()).toContain(`Come back in 1 s (from ${from} on)`);
    await clock.advance(1);
    expect(await poke()).toBe("ok");
  },
);

/** A run with these hooks; gives what the model was told at its end. */
async function run(
  steps: readonly ModelStep[],
  hooks: readonly CallHook[],
  options: RunOptions = {},
  appHooks: readonly CallHook[] = [],
) {
  const model = scriptedModel(...steps, replyWith("done"));
  await using app = await appWith([Pay, look], model, { hooks }, { hooks: appHooks });
  const result = await app.run({ prompt: "go" }, options);
  expect(result.status).toBe("completed");
  return told(model, model.requests.length - 1);
}

test.each(["agent", "app"])(
  "on the %s: all its tools are counted together, calls of one turn in order",
  async (where) => {
    const hook = rateLimit({ per: "minute", max: 2, clock: testClock() });
    const calls = callTools([
      [Pay, { to: "a" }],
      [look, { to: "b" }],
      [look, { to: "c" }],
    ]);
    const end = await run([calls], where === "agent" ? [hook] : [], {}, where === "app" ? [hook] : []);
    expect(end).toContain("paid a");
    expect(end).toContain('found\\":\\"b');
    expect(end).toContain("look was not allowed: at most 2 calls a minute");
  },
);

test("a call counts where the hook lets it through, though another one denies it; an invalid one does not", async () => {
  const clock = testClock();
  const no: CallHook = { onBeforeCall: () => ({ action: "deny", reason: "no" }) };
  const first = rateLimit({ per: "minute", max: 1, clock });
  await run([callTool(look, { to: "a" })], [first, no]);
  expect(await run([callTool(look, { to: "a" })], [first])).toContain("at most 1 call a minute");
  const last = rateLimit({ per: "minute", max: 1, clock });
  await run([callTool(look, { to: 1 } as never)], [last]);
  await run([callTool(look, { to: "a" })], [no, last]);
  expect(await run([callTool(look, { to: "a" })], [last])).toContain("found");
});

test("an approval does not count again, nor does an edit, however long it took", async () => {
  const clock = testClock();
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: Payment,
    access: "write",
    approval: true,
    run: ({ to }) => `paid ${to}`,
  });
  const hook = rateLimit({ per: "minute", max: 1, clock });
  const model = scriptedModel(callTool(pay, { to: "bob" }), callTool(pay, { to: "ann" }), replyWith("done"));
  await using app = await appWith([pay], model, { hooks: [hook] });
  const asked = await app.run({ prompt: "go" });
  const edit = { approved: true, edit: { to: "eve" }, by: "ann" } as const;
  const result = await app.resume(asked.runId, { [asked.pauses[0]!.id]: edit });
  expect(result.status).toBe("completed");
  expect(told(model, 1)).toContain("paid eve");
  expect(told(model, 2)).toContain("at most 1 call a minute");
});

test.each<[string, () => unknown]>([
  ["not a number", () => NaN],
  ["nothing", () => undefined],
  ["a promise", () => Promise.resolve(1)],
  ["no end", () => Infinity],
])("a clock that gives %s denies that call, and no other", async (_name, wrong) => {
  let now = wrong;
  const hooks = [rateLimit({ per: "minute", max: 1, clock: { now: () => START, elapsedMs: () => now() as number } })];
  const tool = toolOf(defineTool({ name: "poke", description: "Pokes.", hooks, run: () => "poked" }));
  expect(await tool.invoke()).toMatchObject({ kind: "error", code: "denied" });
  now = () => 1;
  expect(await tool.invoke()).toMatchObject({ kind: "ok" });
  expect(await tool.invoke()).toMatchObject({ kind: "error", code: "denied" });
});

test.each([
  ["no options", undefined],
  ["a list", []],
  ["an unknown option", { per: "minute", max: 1, limit: 2 }],
  ["no time", { max: 1 }],
  ["an unknown time", { per: "fortnight", max: 1 }],
  ["a time of a prototype", { per: "toString", max: 1 }],
  ["no time at all", { per: 0, max: 1 }],
  ["a negative time", { per: -1, max: 1 }],
  ["no maximum", { per: "minute" }],
  ["a maximum of zero", { per: "minute", max: 0 }],
  ["half a call", { per: "minute", max: 1.5 }],
  ["a text", { per: "minute", max: "1" }],
  ["an unknown key", { per: "minute", max: 1, by: "user" }],
  ["an unknown key in a list", { per: "minute", max: 1, by: ["owner", "user"] }],
  ["a key of a prototype", { per: "minute", max: 1, by: "toString" }],
  ["less memory than calls", { per: "minute", max: 10, remember: 5 }],
  ["no clock", { per: "minute", max: 1, clock: {} }],
  ["half a clock", { per: "minute", max: 1, clock: { now: () => START } }],
])("%s: thrown when the hook is made", (_name, options) => {
  expect(() => rateLimit(options as never)).toThrow(BadInputError);
});
