import { describe, expect, test as plain } from "vitest";
// oxlint-disable-next-line import/no-unassigned-import -- a setup file is there for what it does
import "../../src/doors/testing/setup/index.js";
import { Agent, defineTool, Tool, type RunEvent, type RunResult } from "../../src/doors/tenon/index.js";
import { callTool, callTools, failWith, rawCall, replyWith, testWith } from "../../src/doors/testing/index.js";
import { Text } from "../../src/doors/dto/index.js";

class Order {
  @Text() order!: string;
  @Text({ default: "none" }) note?: string;
}
@Tool({ name: "refund", description: "Refunds.", input: Order, access: "write", approval: true })
class Refund {
  run({ order }: Order): string {
    return order;
  }
}
@Tool({ name: "find", description: "Finds.", input: Order })
class Find {
  run({ order }: Order): string {
    return order;
  }
}
const total = defineTool({ name: "total", description: "Sums up.", run: () => 5 });
@Agent({ name: "clerk", description: "d", tools: [Refund, Find, total] })
class Clerk {}
const test = testWith(Clerk);

/** What a failing expectation says. */
function said(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it passed");
}

test("toHavePausedAt: by the tool, its value or its name", async ({ app, mockLlm }) => {
  mockLlm(Clerk).thenReturn(callTool(Refund, { order: "1" }), replyWith("done"), replyWith("more"));
  const paused = await app.run({ prompt: "a" });
  expect(paused).toHavePausedAt(Refund);
  expect(paused).toHavePausedAt("refund");
  expect(paused).not.toHavePausedAt(total);
  expect(said(() => expect(paused).toHavePausedAt(total))).toBe(
    "expected the run to have paused at total; it has paused at refund",
  );
  expect(said(() => expect(paused).not.toHavePausedAt(Refund))).toBe(
    "expected the run not to have paused at refund; it has paused at refund",
  );
  expect(paused).not.toFinishWith("completed");
  const done = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann" } });
  expect(done).not.toHavePausedAt(Refund);
  await expect(app.run({ prompt: "b" })).resolves.toFinishWith("more");
});

test("toFinishWith: by status, text or pattern", async ({ app, mockLlm }) => {
  mockLlm(Clerk).thenReturn(replyWith("Two invoices."), failWith(new Error("down")), replyWith("failed"));
  const done = await app.run({ prompt: "a" });
  expect(done).toFinishWith("completed");
  expect(done).toFinishWith("Two invoices.");
  expect(done).toFinishWith(/two/i);
  const sticky = /Two/g;
  sticky.lastIndex = 3;
  expect(done).toFinishWith(sticky);
  expect(done).toFinishWith(expect.stringContaining("invoices") as string);
  expect(done).not.toFinishWith("Two");
  expect(said(() => expect(done).toFinishWith(/three/))).toBe(
    'expected the run to finish with /three/; it completed with "Two invoices."',
  );
  expect(said(() => expect(done).not.toFinishWith("completed"))).toMatch(
    /^expected the run not to finish as completed/,
  );
  const failed = await app.run({ prompt: "b" });
  expect(failed).toFinishWith("failed");
  expect(failed).not.toFinishWith(/.*/);
  expect(said(() => expect(failed).toFinishWith("x"))).toMatch(/with "x"; it failed with model_error: .*down/);
  const stopped = await app.run({ prompt: "c" }, { signal: AbortSignal.abort() });
  expect(stopped).toFinishWith("cancelled");
  // A word for a status is the status; an answer of that word is matched.
  const word = await app.run({ prompt: "d" });
  expect(word).not.toFinishWith("failed");
  expect(word).toFinishWith(/^failed$/);
});

test("toHaveCalled: handlers that were started, with their input after defaults", async ({ app, mockLlm, events }) => {
  mockLlm(Clerk).thenReturn(
    callTools([
      [Find, { order: "1" }],
      [total, {}],
    ]),
    rawCall({ id: "x", name: "find", arguments: "{" }),
    callTool(Refund, { order: "2" }),
    replyWith("No."),
  );
  expect(events).not.toHaveCalled(Find);
  expect(said(() => expect(events).toHaveCalled(Find))).toBe("expected find to have been called; nothing was");
  const paused = await app.run({ prompt: "a" });
  expect(events).toHaveCalled(Find);
  expect(events).toHaveCalled("total");
  expect(events).toHaveCalled(Find, { order: "1", note: "none" });
  expect(events).toHaveCalled(Find, expect.objectContaining({ order: expect.stringMatching(/\d/) }));
  expect(events).not.toHaveCalled(Find, { order: "1" });
  expect(events).not.toHaveCalled(Refund);
  await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: false, reason: "no", by: "ann" } });
  expect(events).not.toHaveCalled(Refund);
  expect(said(() => expect(events).toHaveCalled(Find, { order: "2" }))).toMatch(
    /^expected find with .*"order": "2".* to have been called; there were find\(/s,
  );
  expect(said(() => expect(events).not.toHaveCalled(total))).toMatch(/^expected total not to have been called/);
});

test("events are the test's own, the same list each time, with the caller's listener beside them", async ({
  app,
  mockLlm,
  events,
}) => {
  const heard: RunEvent[] = [];
  mockLlm(Clerk).thenReturn(replyWith("a"));
  await app.run({ prompt: "a" }, { onEvent: (event) => void heard.push(event) });
  expect(events).toEqual(heard);
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
});

test("a test that does not take events has its runs not listened to", async ({ app, mockLlm }) => {
  const model = mockLlm(Clerk).thenReturn(replyWith("a"));
  let streamed = false;
  const { doStream } = model;
  model.doStream = (options) => {
    streamed = true;
    return doStream.call(model, options);
  };
  await app.run({ prompt: "a" });
  expect(streamed).toBe(false);
});

describe("matchers on what they are not for", () => {
  plain("say what they take, with `not` too", () => {
    for (const bad of [undefined, null, "x", {}, [], Promise.resolve()]) {
      expect(() => expect(bad).toFinishWith("completed")).toThrow(/takes the result of a run/);
      expect(() => expect(bad).not.toHavePausedAt("refund")).toThrow(/takes the result of a run/);
    }
    for (const bad of [undefined, {}, "x", [5], [{ type: "x" }], Promise.resolve([])])
      expect(() => expect(bad).not.toHaveCalled("refund")).toThrow(/takes a list of events/);
    const result = { status: "completed", text: "", pauses: [] };
    for (const bad of [undefined, "", class {}, {}, 5])
      for (const call of [
        () => expect(result).not.toHavePausedAt(bad as never),
        () => expect([]).not.toHaveCalled(bad as never),
      ])
        expect(call).toThrow(/takes a tool/);
  });
});

/** The checks below are the compiler's: nothing here is called. */
export function checks(result: RunResult, events: readonly RunEvent[]): void {
  expect(result).toHavePausedAt(Refund);
  expect(events).toHaveCalled(Find, { order: "1", note: "x" });
  expect(events).toHaveCalled("find", { anything: 1 });
  // @ts-expect-error another type of a field
  expect(events).toHaveCalled(Find, { order: 1 });
  // @ts-expect-error a number is no text
  expect(result).toFinishWith(5);
  // @ts-expect-error a class that is no tool
  expect(result).toHavePausedAt(class {});
}
