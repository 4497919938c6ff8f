import { expect, test } from "vitest";
import { Tool, type RunInfo, type ToolContext, type ToolHandler } from "../../src/doors/tenon/index.js";
import { testRunContext, toolOf } from "../../src/doors/testing/index.js";

@Tool({ name: "who", description: "Tells who asks." })
class Who implements ToolHandler {
  run(_input: object, { run }: ToolContext): Pick<RunInfo, "runId" | "threadId" | "owner" | "metadata"> {
    const { runId, threadId, owner, metadata } = run;
    return { runId, threadId, owner: owner ?? "nobody", metadata };
  }
}

test("a tool sees plain defaults, but for what the test states", async () => {
  const who = toolOf(new Who());
  expect(await who.invoke({}, { run: testRunContext() })).toEqual({
    kind: "ok",
    value: { runId: "run-test", threadId: "thread-test", owner: "nobody", metadata: {} },
  });
  expect(
    await who.invoke({}, { run: testRunContext({ owner: "ann", metadata: { a: 1 }, runId: undefined }) }),
  ).toMatchObject({ kind: "ok", value: { runId: "run-test", owner: "ann", metadata: { a: 1 } } });
});

test("its signal is the call's: aborted before, the call is not started", async () => {
  const stop = new AbortController();
  expect(testRunContext().signal.aborted).toBe(false);
  expect(testRunContext({ signal: stop.signal }).signal).toBe(stop.signal);
  stop.abort();
  expect(await toolOf(new Who()).invoke({}, { run: testRunContext({ signal: stop.signal }) })).toMatchObject({
    kind: "error",
    code: "cancelled",
  });
});

test("a member that it does not have is refused", () => {
  expect(() => testRunContext({ onwer: "ann" } as never)).toThrow(/unknown option `onwer`\. It takes runId, .*owner/);
  expect(() => testRunContext(null as never)).toThrow(/must be a plain object, not null/);
});
