import { describe, expect, test } from "vitest";
import { BadInputError, defineAgent, defineTool, toolOf } from "tenon";
import { requireContext } from "tenon/hooks";
import { callTool, callTools, replyWith, scriptedModel, testClock, testWith } from "tenon/testing";
import { appWith, look, Pay, Payment, told, type World } from "./desk.js";

interface Caller extends World {
  readonly role: string;
}

const admins = requireContext((caller: Caller) => caller.role === "admin", "Only an admin may do this.");

test.each([
  ["the agent", { hooks: [admins] }, {}],
  ["the app", {}, { hooks: [admins] }],
])("on %s: both forms of a tool, reads and writes", async (_where, agent, options) => {
  for (const role of ["admin", "clerk"]) {
    const model = scriptedModel(
      callTools([
        [Pay, { to: "bob" }],
        [look, { to: "ann" }],
      ]),
      replyWith("done"),
    );
    await using app = await appWith([Pay, look], model, agent, options);
    const did: string[] = [];
    await app.run({ prompt: "go" }, { executionContext: { role, did } });
    expect(did).toEqual(role === "admin" ? ["pay bob", "look ann"] : []);
    expect(told(model, 1).split("Only an admin may do this.")).toHaveLength(role === "admin" ? 1 : 3);
  }
});

describe("anything but exactly true denies with the reason", () => {
  const throws = (): never => {
    throw new Error("secret detail");
  };
  const cases: [string, () => unknown, boolean][] = [
    ["true", () => true, true],
    ["a promise of true", () => Promise.resolve(true), true],
    ["false", () => false, false],
    ["1", () => 1, false],
    ["a text", () => "yes", false],
    ["an object", () => ({}), false],
    ["nothing", () => undefined, false],
    ["a Boolean object", () => Object(true) as unknown, false],
    ["a throw", throws, false],
    ["a rejection", () => Promise.reject(new Error("secret detail")), false],
    ["a promise of 1", () => Promise.resolve(1), false],
    ["a thenable that throws", () => Object.defineProperty({}, ["th", "en"].join(""), { get: throws }), false],
  ];
  test.each(cases)("%s", async (_name, predicate, allowed) => {
    const guarded = defineTool({
      name: "guarded",
      description: "Is guarded.",
      hooks: [requireContext(predicate as never, "Not for you.")],
      run: () => "ran",
    });
    const result = await toolOf(guarded).invoke({});
    expect(result).toEqual(
      allowed
        ? { kind: "ok", value: "ran" }
        : { kind: "error", code: "denied", message: "guarded was not allowed: Not for you." },
    );
  });
});

test("a run without a context is denied, also where the predicate reads of it", async () => {
  const model = scriptedModel(callTool(look, { to: "ann" }), replyWith("done"));
  await using app = await appWith([look], model, { hooks: [admins] });
  await app.run({ prompt: "go" });
  expect(told(model, 1)).toContain("Only an admin may do this.");
});

const clock = testClock();
const hangs = defineTool({
  name: "hangs",
  description: "Has a hook that hangs.",
  hooks: [requireContext(() => new Promise<boolean>(() => {}), "Not for you.")],
  run: () => "ran",
});
const Desk = defineAgent({ name: "desk", description: "Works.", tools: [hangs] });
testWith(Desk, { clock })("a predicate that hangs denies", async ({ app, mockLlm }) => {
  const model = mockLlm(Desk).thenReturn(callTool(hangs), replyWith("done"));
  const running = app.run({ prompt: "go" });
  await clock.advance(5_000);
  expect((await running).status).toBe("completed");
  expect(JSON.stringify(model.requests[1])).toContain("no answer in 5000 ms");
});

test("asked once, and once more for an edit, with the context that the run has then", async () => {
  let asked = 0;
  const hook = requireContext<Caller>((caller) => {
    asked++;
    return caller.role === "admin";
  }, "Only an admin.");
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: Payment,
    access: "write",
    approval: true,
    hooks: [hook],
    run: ({ to }, ctx) => void (ctx.executionContext as World).did.push(to),
  });
  const model = scriptedModel(callTool(pay, { to: "bob" }), replyWith("done"));
  await using app = await appWith([pay], model);
  const did: string[] = [];
  const run = await app.run({ prompt: "go" }, { executionContext: { role: "admin", did } });
  expect(asked).toBe(1);
  const yes = { approved: true, edit: { to: "eve" }, by: "ann" } as const;
  await app.resume(run.runId, { [run.pauses[0]!.id]: yes }, { executionContext: { role: "clerk", did } });
  expect(asked).toBe(2);
  expect(did).toEqual([]);
  expect(told(model, 1)).toContain("Only an admin.");
});

test.each([
  ["no predicate", () => requireContext(true as never, "no")],
  ["no reason", () => requireContext(() => true, undefined as never)],
  ["an empty reason", () => requireContext(() => true, "  ")],
])("%s is thrown when the hook is made", (_name, make) => {
  expect(make).toThrow(BadInputError);
});
