import { expect } from "vitest";
import { Agent, optional, Workflow, token, Tool, type ToolHandler } from "../../../src/doors/tenon/index.js";
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

class Unwanted {
  go(): void {}
}
const OPTIONAL = token<object>("OPTIONAL");
@Tool({ name: "other", description: "Of one request.", deps: [Unwanted, optional(OPTIONAL)] })
class OfRequest implements ToolHandler {
  constructor(
    readonly unwanted: Unwanted,
    readonly more?: object,
  ) {}
  run(): string {
    return "other";
  }
}

test("mocks what nothing depends on", async ({ app, mockOf }) => {
  mockOf(SERVICE);
  mockOf(Unwanted).go();
  mockOf(OPTIONAL);
  await app.health();
});

test("mocks what a tool of a request depends on", async ({ app, mockLlm, mockOf }) => {
  mockOf(Unwanted);
  mockOf(OPTIONAL);
  mockLlm(First).thenReturn(replyWith("a"));
  await app.agent(First).run({ prompt: "x", tools: [OfRequest] });
});

test("mocks what a tool depends on that is not called", async ({ app, mockOf }) => {
  mockOf(SERVICE);
  await app.health();
});

test("mocks, and makes no app", ({ mockOf }) => {
  mockOf(Unwanted).go();
});

testWith(Second)("mocks in an app without dependencies", async ({ app, mockOf }) => {
  mockOf(Unwanted);
  await app.health();
});
