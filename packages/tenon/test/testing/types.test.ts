import type { LanguageModelV4 } from "@ai-sdk/provider";
import { expect, expectTypeOf, test, type TestAPI } from "vitest";
import { token, type App, type LanguageModel } from "../../src/doors/tenon/index.js";
import {
  callAll,
  callTool,
  callTools,
  rawCall,
  rawTurn,
  replyWith,
  scriptedModel,
  testRunContext,
  testWith,
  type Fixtures,
} from "../../src/doors/testing/index.js";
import { Clerk, Desk, Issues, ListAll, MAILER, NOW, Office, SearchIssues, tellTime } from "./desk.js";

class Plain {
  run(): string {
    return "not decorated";
  }
}

/** Compiled, never run: what the compiler takes and what it refuses. */
function steps(): void {
  callTool(SearchIssues, { query: "x" });
  callTool(SearchIssues, { query: "x", limit: 1 });
  callTool(ListAll);
  callTool(ListAll, {});
  callTool(tellTime);
  callTool(tellTime, { zone: "CET" });
  // @ts-expect-error a wrong type
  callTool(SearchIssues, { query: 1 });
  // @ts-expect-error a missing argument
  callTool(SearchIssues, {});
  // @ts-expect-error no arguments at all
  callTool(SearchIssues);
  // @ts-expect-error an argument that the tool does not have
  callTool(SearchIssues, { query: "x", nope: 1 });
  // @ts-expect-error a tool without arguments
  callTool(ListAll, { x: 1 });
  // @ts-expect-error a wrong type for a schema's input
  callTool(tellTime, { zone: 1 });
  // @ts-expect-error a class without `run`
  callTool(class {}, {});
  // A class with `run` that is no tool is seen at run time only: decorators do not change a class's type.
  callTool(Plain);

  callTools([
    [SearchIssues, { query: "a" }],
    [tellTime, {}],
    [ListAll, {}],
  ]);
  callTools([
    [SearchIssues, { query: "a" }],
    // @ts-expect-error the second of them has a wrong type
    [SearchIssues, { query: 1 }],
  ]);
  callTools([
    // @ts-expect-error the first of them lacks an argument
    [SearchIssues, {}],
    [tellTime, {}],
  ]);
  callAll(callTool(SearchIssues, { query: "a" }), rawCall({ name: "f" }));
  // @ts-expect-error a reply is no call
  callAll(replyWith("a"));

  rawCall({ id: null, name: "f", arguments: null });
  rawCall({ id: "", name: "f", arguments: "{" });
  // @ts-expect-error arguments are text
  rawCall({ id: "", name: "f", arguments: {} });
  rawTurn({
    text: "a",
    reasoning: "b",
    calls: [{ name: "f" }, callTool(ListAll)],
    finish: "whatever",
    usage: { costUsd: 1 },
  });
  rawTurn({ finish: null, usage: null, text: undefined });
  // @ts-expect-error an unknown member
  rawTurn({ txt: "a" });

  // @ts-expect-error a text is no step
  scriptedModel(replyWith("a")).thenReturn("x");
  testRunContext({ owner: "ann", metadata: undefined });
  // @ts-expect-error no such member
  testRunContext({ onwer: "ann" });
}

function fixtures(): void {
  const office = testWith(Office);
  expectTypeOf(office).toEqualTypeOf<TestAPI<Fixtures>>();
  office("x", async ({ app, mockLlm, mockOf }) => {
    expectTypeOf(app).toEqualTypeOf<App>();
    mockOf(MAILER).send.mockResolvedValue("x");
    mockOf(MAILER).folder.list.mockReturnValue(["x"]);
    mockOf(Issues).find.mockReturnValue(["x"]);
    mockOf(NOW).mockReturnValue(1);
    expectTypeOf(mockOf(Issues)).toExtend<Issues>();
    // @ts-expect-error a wrong value
    mockOf(MAILER).send.mockResolvedValue(1);
    // @ts-expect-error no such method
    void mockOf(Issues).nope;
    // @ts-expect-error a text cannot be mocked: provide a value
    mockOf(token<string>("FILE"));
    mockLlm(Desk).thenReturn(callTool(SearchIssues, { query: "x" }), replyWith("x"));
    void mockLlm(Desk).requests[0]?.messages[0]?.role;
    // @ts-expect-error a text is no step
    mockLlm(Desk).thenReturn("x");
    // @ts-expect-error a tool is no agent
    mockLlm(SearchIssues);
    await app.run({ prompt: "x" });
  });
  testWith(Clerk, { providers: [Issues, { provide: NOW, useValue: () => 1 }], hooks: [] });
  testWith(Clerk, () => ({ providers: [Issues, { provide: NOW, useValue: () => 1 }], leaseMs: 500 }));
  // @ts-expect-error a provider of a wrong type
  testWith(Clerk, { providers: [{ provide: NOW, useValue: "now" }] });
  // @ts-expect-error the same in a function
  testWith(Clerk, () => ({ providers: [{ provide: NOW, useValue: "now" }] }));
  // @ts-expect-error models are scripted
  testWith(Clerk, { models: { default: scriptedModel() } });
  // @ts-expect-error no such option
  testWith(Clerk, { stroe: undefined });
  // @ts-expect-error a name is no workflow
  testWith("office");
}

test("a scripted model is a model object, for Tenon and for the AI SDK", () => {
  expectTypeOf(scriptedModel()).toExtend<LanguageModel>();
  const model: Pick<LanguageModelV4, "specificationVersion" | "provider" | "modelId" | "supportedUrls"> =
    scriptedModel();
  expect(model).toMatchObject({
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
  });
  expect([steps, fixtures]).toHaveLength(2);
});
