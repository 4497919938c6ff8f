import { expect } from "vitest";
import { Agent, Workflow, token, Tool, type ToolHandler } from "../../../src/doors/tenon/index.js";
import { callTool, replyWith, testWith } from "../../../src/doors/testing/index.js";

const SERVICE = token<object>("SERVICE");

@Tool({ name: "use_service", description: "Uses it.", deps: [SERVICE] })
class UseService implements ToolHandler {
  constructor(readonly service: object) {}
  run(): string {
    return "used";
  }
}

@Agent({ name: "first", description: "The first.", tools: [UseService] })
class First {}
@Agent({ name: "second", description: "The second.", tools: [] })
class Second {}
@Workflow({
  name: "two",
  agents: [First, Second],
  providers: [
    {
      provide: SERVICE,
      useFactory: () => ({
        [Symbol.dispose]: () => {
          throw new Error("does not close");
        },
      }),
    },
  ],
})
class Two {}

const test = testWith(Two);

test("left over in two scripts", async ({ app, mockLlm }) => {
  mockLlm(First).thenReturn(replyWith("a"), callTool(UseService), replyWith("b"));
  mockLlm(Second).thenReturn(replyWith("c"));
  await app.run({ prompt: "x" });
});

test("left over, app never used", ({ mockLlm }) => {
  mockLlm(First).thenReturn(replyWith("a"));
});

test("used up", async ({ app, mockLlm }) => {
  mockLlm(First).thenReturn(replyWith("a"));
  await app.run({ prompt: "x" });
});

test("fails by itself, with steps left over", async ({ mockLlm }) => {
  mockLlm(First).thenReturn(replyWith("a"));
  expect(1).toBe(2);
});

test("does not close", async ({ app }) => {
  await app.tool(UseService).invoke();
});

test("was closed by the test, which saw that it does not", async ({ app }) => {
  await app.tool(UseService).invoke();
  await expect(app.close()).rejects.toThrow(/did not close/);
});

test("runs on, and its run ends before the app is closed", async ({ app, mockLlm }) => {
  mockLlm(Second).thenReturn(replyWith("a"));
  void app.agent(Second).run({ prompt: "x" });
});
