import { afterEach, expect, test, vi } from "vitest";
import { createApp, defineAgent, defineTool, type AfterCall } from "../../src/doors/tenon/index.js";
import { callTools, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

// Away from the tests that share a process: it changes the clock of all.
const HOUR = 3_600_000;
const never = (): Promise<never> => new Promise(() => {});

afterEach(() => void vi.restoreAllMocks());

test.each([
  ["an hour back", -HOUR],
  ["a day ahead", 24 * HOUR],
])("the system's own clock is set %s, and timeouts end when their time has passed", async (_, ms) => {
  const { now } = Date;
  const cutAt = Promise.withResolvers<void>();
  const whole = defineTool({
    name: "whole",
    description: "Has hours, and goes on when the other one was cut.",
    timeoutMs: 3 * HOUR,
    run: async () => (await cutAt.promise, "whole"),
  });
  const cut = defineTool({
    name: "cut",
    description: "Never ends.",
    timeoutMs: 20,
    async run() {
      await Promise.resolve();
      vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
      return never();
    },
  });
  const hooks = [
    { onAfterCall: (_ctx: unknown, { toolName }: AfterCall) => void (toolName === "cut" && cutAt.resolve()) },
  ];
  const model = scriptedModel(
    callTools([
      [whole, {}],
      [cut, {}],
    ]),
    replyWith("on"),
  );
  const agent = defineAgent({ name: "clerk", description: "Works.", model, tools: [whole, cut], hooks });
  const app = await createApp(agent, { env: {} });
  const { runId, text } = await app.run({ prompt: "go" });
  expect(text).toBe("on");
  const { turns } = await app.inspect(runId);
  expect(turns[0]!.calls.map(({ result }) => result)).toMatchObject([
    { kind: "ok", value: "whole" },
    { kind: "error", code: "timeout" },
  ]);
  await app.close();
});
