import { expect, test } from "vitest";
import { BadInputError, defineTool, toolOf, type CallHook, type RunEvent } from "tenon";
import { audit, maskValues, type AuditRecord } from "tenon/hooks";
import {
  callTools,
  callTool,
  crashEverywhere,
  rawCall,
  rawTurn,
  replyWith,
  scriptedModel,
  testClock,
  testWith,
} from "tenon/testing";
import { defineAgent } from "tenon";
import { deskWith } from "../recovery/crash-desk.js";
import { appWith, look, Pay, Payment } from "./desk.js";

const clock = { now: () => 1_900_000_000_000 };

function kept() {
  const records: AuditRecord[] = [];
  return { records, hook: audit((record) => void records.push(record), { clock }) };
}

const fails = defineTool({
  name: "fails",
  description: "Fails.",
  run: () => {
    throw new Error("4111-1111");
  },
});

test.each(["agent", "app"])("on the %s: one plain frozen record of each call, whatever became of it", async (where) => {
  const { records, hook } = kept();
  const deny: CallHook = {
    onBeforeCall: (_ctx, { input }) =>
      (input as Payment).to === "mallory" ? { action: "deny", reason: "no" } : undefined,
  };
  const calls = [
    rawCall({ id: "1", name: "pay", arguments: '{"to":"bob","pin":"4711"}' }),
    rawCall({ id: "2", name: "look", arguments: '{"to":"ann"}' }),
    rawCall({ id: "3", name: "fails", arguments: "{}" }),
    rawCall({ id: "4", name: "pay", arguments: '{"to":"mallory","pin":"4711"}' }),
    rawCall({ id: "5", name: "pay", arguments: '{"pin":"4711"}' }),
    rawCall({ id: "6", name: "nothing", arguments: '{"pin":"4711"}' }),
  ];
  const model = scriptedModel(rawTurn({ calls }), replyWith("done"));
  const hooks = where === "agent" ? [hook, deny] : [deny];
  await using app = await appWith([Pay, look, fails], model, { hooks }, where === "app" ? { hooks: [hook] } : {});
  await app.run({ prompt: "go" }, { runId: "run-audit", threadId: "t", owner: "carl" });
  const who = { runId: "run-audit", threadId: "t", owner: "carl", workflow: "desk", agent: "desk" };
  const end = { durationMs: expect.any(Number) as number, at: 1_900_000_000_000 };
  const error = (code: string): object => ({ kind: "error", code });
  const write = { ...who, tool: "pay", access: "write", ...end };
  const read = { ...who, access: "read", ...end };
  expect(records.toSorted((a, b) => (a.callId < b.callId ? -1 : 1))).toEqual([
    { ...write, callId: "call_run-audit_1_1", input: { to: "bob", pin: "***" }, result: { kind: "ok" } },
    { ...read, callId: "call_run-audit_1_2", tool: "look", input: { to: "ann" }, result: { kind: "ok" } },
    { ...read, callId: "call_run-audit_1_3", tool: "fails", input: {}, result: error("tool_error") },
    { ...write, callId: "call_run-audit_1_4", input: { to: "mallory", pin: "***" }, result: error("denied") },
    { ...write, callId: "call_run-audit_1_5", input: undefined, result: error("invalid_input") },
    { ...read, callId: "call_run-audit_1_6", tool: "nothing", input: undefined, result: error("unknown_tool") },
  ]);
  for (const record of records) {
    for (const part of [record, record.result, record.input ?? record]) expect(Object.isFrozen(part)).toBe(true);
    expect(structuredClone(record)).toEqual(record);
  }
  expect(JSON.stringify(records)).not.toMatch(/4711|4111/);
});

test("what maskValues finds is masked in it", async () => {
  const { records, hook } = kept();
  const model = scriptedModel(callTool(Pay, { to: "card 4111-1111" }), replyWith("done"));
  await using app = await appWith([Pay], model, { hooks: [hook] }, { hooks: [maskValues([/\d{4}-\d{4}/])] });
  await app.run({ prompt: "go" });
  expect(records[0]!.input).toEqual({ to: "card ***" });
  expect(await app.tool(Pay).invoke({ to: "card 4111-1111" })).toEqual({ kind: "ok", value: "paid card 4111-1111" });
});

test("a call that waits has no record; what a person says no to has one", async () => {
  const { records, hook } = kept();
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: Payment,
    access: "write",
    approval: true,
    run: () => 1,
  });
  await using app = await appWith([pay], scriptedModel(callTool(pay, { to: "bob" }), replyWith("done")), {
    hooks: [hook],
  });
  const { runId, pauses } = await app.run({ prompt: "go" });
  expect(records).toEqual([]);
  await app.resume(runId, { [pauses[0]!.id]: { approved: false, reason: "no" } });
  expect(records).toMatchObject([{ callId: pauses[0]!.callId, input: { to: "bob" }, result: { code: "denied" } }]);
});

test("an edit that a hook denies is recorded once, with the input that the call had", async () => {
  const { records, hook } = kept();
  const onlyBob: CallHook = {
    onBeforeCall: (_ctx, { input, edited }) =>
      (input as Payment).to === "bob" ? undefined : { action: "deny", reason: `edited: ${edited}` },
  };
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: Payment,
    access: "write",
    approval: true,
    run: () => 1,
  });
  const model = scriptedModel(callTool(pay, { to: "bob" }), replyWith("done"));
  await using app = await appWith([pay], model, { hooks: [hook, onlyBob] });
  const { runId, pauses } = await app.run({ prompt: "go" });
  await app.resume(runId, { [pauses[0]!.id]: { approved: true, edit: { to: "eve" }, by: "ann" } });
  expect(records).toMatchObject([{ input: { to: "bob" }, result: { code: "denied" } }]);
  expect(JSON.stringify(model.requests[1])).toContain("edited: true");
});

test.each([
  [
    "throws",
    () => {
      throw new Error("disk full");
    },
  ],
  ["rejects", () => Promise.reject(new Error("disk full"))],
] as const)("a sink that %s is told of and changes nothing", async (_name, sink) => {
  const events: RunEvent[] = [];
  const model = scriptedModel(
    callTools([
      [Pay, { to: "bob" }],
      [look, { to: "ann" }],
    ]),
    replyWith("done"),
  );
  await using app = await appWith(
    [Pay, look],
    model,
    { hooks: [audit(sink)] },
    { onEvent: (event) => void events.push(event) },
  );
  const did: string[] = [];
  expect(await app.run({ prompt: "go" }, { executionContext: { did } })).toMatchObject({
    status: "completed",
    text: "done",
  });
  expect(did).toEqual(["pay bob", "look ann"]);
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("paid bob");
  expect(events.filter(({ type }) => type === "hook-error")).toMatchObject([
    { hook: "onAfterCall", message: "disk full" },
    { hook: "onAfterCall", message: "disk full" },
  ]);
});

const still = testClock();
const Desk = defineAgent({
  name: "desk",
  description: "Works.",
  tools: [look],
  hooks: [audit(() => new Promise(() => {}))],
});
testWith(Desk, { clock: still })("a sink that hangs is left after five seconds", async ({ app, mockLlm }) => {
  const model = mockLlm(Desk).thenReturn(callTool(look, { to: "ann" }), replyWith("done"));
  const events: RunEvent[] = [];
  const running = app.run({ prompt: "go" }, { onEvent: (event) => void events.push(event) });
  await still.advance(5_000);
  expect((await running).text).toBe("done");
  expect(JSON.stringify(model.requests[1])).toContain("found");
  expect(events.filter(({ type }) => type === "hook-error")).toHaveLength(1);
});

test("at least once, whenever the process ends, and always under one id", async () => {
  const seen = new Map<string, Set<string>>();
  await crashEverywhere({
    app: (world) => {
      if (world.process === 1) seen.clear();
      const pay = defineTool({
        name: "pay",
        description: "Pays.",
        input: Payment,
        access: "write",
        inDoubt: "rerun",
        run: ({ to }, ctx) => world.effect("pay", ctx.callId, () => to),
      });
      const hook = audit(async (record) => {
        // Only what was kept before the process ended counts.
        await world.point("kept");
        const key = record.runId;
        seen.set(key, (seen.get(key) ?? new Set()).add(`${record.callId} ${record.result.kind}`));
      });
      return deskWith(world, [pay], [callTool(pay, { to: "bob" }), replyWith("done")], { hooks: [hook] });
    },
    drive: (app) => app.run({ prompt: "go" }, { runId: "crash-run", threadId: "t" }),
    compare: (end, undisturbed) => {
      expect(end).toEqual(undisturbed);
      expect([...seen.get("crash-run")!]).toEqual(["call_crash-run_1_1 ok"]);
    },
  });
});

test("by hand, without a run", async () => {
  const { records, hook } = kept();
  const poke = defineTool({ name: "poke", description: "Pokes.", hooks: [hook], run: () => 1 });
  await toolOf(poke).invoke({});
  await toolOf(poke).invoke({ no: 1 });
  expect(records.map(({ result }) => result)).toEqual([{ kind: "ok" }, { kind: "error", code: "invalid_input" }]);
});

test.each([
  ["no sink", () => audit(undefined as never)],
  ["an unknown option", () => audit(() => {}, { now: 1 } as never)],
  ["no clock", () => audit(() => {}, { clock: 5 } as never)],
])("%s: thrown when the hook is made", (_name, make) => {
  expect(make).toThrow(BadInputError);
});
