import { expect, test } from "vitest";
import type { z } from "zod";
import { createApp, defineTool, memoryStore } from "../../src/doors/tenon/index.js";
import { Text } from "../../src/doors/dto/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { someUsage, writtenModel } from "../known-failures/models.js";
import { agentOf, assertValid, start, ways } from "../known-failures/wire.js";

class Query {
  @Text({ prompt: "words" }) q!: string;
}

const find = defineTool({ name: "find", description: "Finds.", input: Query, run: ({ q }) => `found ${q}` });

function attempt(change: () => void): void {
  try {
    change();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(TypeError);
  }
}

test("a model that changes what it is sent does not change what is sent later", async () => {
  const seen: string[] = [];
  const model = writtenModel((request) =>
    request % 2 === 1
      ? {
          content: [
            { type: "reasoning", text: "hm", providerMetadata: { written: { signature: "s" } } },
            { type: "tool-call", toolCallId: "a", toolName: "find", input: '{"q":"x"}' },
          ],
          finishReason: { unified: "tool-calls" },
          usage: someUsage,
        }
      : { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop" }, usage: someUsage },
  );
  const { doGenerate } = model;
  model.doGenerate = (options) => {
    seen.push(JSON.stringify([options.tools, options.prompt]));
    const answer = doGenerate(options);
    attempt(() => options.tools.push({ type: "function", name: "evil" }));
    attempt(() => (options.tools[0].name = "evil"));
    attempt(() => (options.tools[0].inputSchema.properties.q.type = "number"));
    for (const message of options.prompt) {
      attempt(() => (message.role = "system"));
      attempt(() => message.content.push({ type: "text", text: "evil" }));
      for (const part of message.content) {
        attempt(() => (part.text = "evil"));
        attempt(() => (part.toolCallId = "evil"));
        attempt(() => (part.input.q = "evil"));
        attempt(() => (part.output.value = "evil"));
        attempt(() => (part.providerOptions.written.signature = "evil"));
      }
    }
    options.prompt.length = 0;
    return answer;
  };
  await using app = await createApp(agentOf([find], { prompt: "You find." }), {
    models: { default: model },
    env: {},
  });
  for (const prompt of ["one", "two"])
    expect(await app.run({ prompt }, { threadId: "t" })).toMatchObject({ status: "completed", text: "done" });
  expect(seen).toHaveLength(4);
  for (const request of model.requests) assertValid(request);
  for (const text of seen) expect(text).not.toContain("evil");
  expect(seen[3]!.startsWith(seen[0]!.slice(0, -2))).toBe(true);
});

const likewise = {
  "~standard": {
    version: 1,
    vendor: "likewise",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  },
} as unknown as z.ZodObject<{ a: z.ZodObject<{ b: z.ZodNumber }> }>;
const changing = {
  "~standard": {
    ...likewise["~standard"],
    validate: (value: any) => {
      value.a.b = 5;
      return { value };
    },
  },
} as unknown as typeof likewise;

test.each([
  ["gives back its value", likewise, 1],
  ["changes its value", changing, 5],
])("a schema that %s: the handler has a copy, what is recorded stays", async (_kind, input, given) => {
  for (const way of ways) {
    const store = memoryStore();
    const got: unknown[] = [];
    const save = defineTool({
      name: "save",
      description: "Saves.",
      access: "write",
      input,
      output: input,
      run: (value, ctx) => {
        got.push(value.a.b, structuredClone(ctx.run.metadata));
        value.a.b = 2;
        Reflect.set(ctx.run.metadata, "m", "changed");
        Reflect.set(ctx.run.metadata["deep"] as object, "n", "changed");
        expect(ctx.run.metadata["m"]).toBe("changed");
        return value;
      },
    });
    const model = scriptedModel(callTool(save, { a: { b: 1 } }), callTool(save, { a: { b: 1 } }), replyWith("done"));
    await using app = await createApp(agentOf([save]), { models: { default: model }, store, env: {} });
    const metadata = { m: 1, deep: { n: [1] } };
    const { runId } = await start(app, way, "go", { metadata });
    expect(got).toEqual([given, metadata, given, metadata]);
    const records = await store.records(runId);
    const inputs = records.filter(({ key }) => key.endsWith("/admit")).map(({ value }: any) => value.input);
    expect(inputs).toEqual([{ a: { b: 1 } }, { a: { b: 1 } }]);
    const results = records.filter(({ key }) => key.endsWith("/run:1")).map(({ value }: any) => value.result.value);
    expect(results).toEqual([{ a: { b: 2 } }, { a: { b: 2 } }]);
    expect((await store.run(runId))!.metadata).toEqual(metadata);
  }
});

test("half a character in a prompt, an answer, arguments and a result is sent as U+FFFD", async () => {
  const echo = defineTool({ name: "echo", description: "Echoes.", input: Query, run: ({ q }) => q });
  for (const way of ways) {
    const model = scriptedModel(callTool(echo, { q: "c\ud800" }), replyWith("b\ud800"), replyWith("done"));
    await using app = await createApp(agentOf([echo]), { models: { default: model }, env: {} });
    expect((await start(app, way, "a\ud800", { threadId: "t" })).text).toBe("b\ufffd");
    await start(app, way, "next", { threadId: "t" });
    const texts = JSON.stringify(model.requests.map(({ messages }) => messages));
    expect(texts).not.toMatch(/\\ud[89a-f]/i);
    for (const text of ["a\ufffd", "b\ufffd", "c\ufffd"]) expect(texts).toContain(text);
  }
});

test("arguments that are nested too deeply to be written again go back as text, and the thread goes on", async () => {
  const deep = `{"q":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  const model = writtenModel((request) =>
    request === 1
      ? {
          content: [{ type: "tool-call", toolCallId: "a", toolName: "find", input: deep }],
          finishReason: { unified: "tool-calls" },
          usage: someUsage,
        }
      : { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop" }, usage: someUsage },
  );
  const sent: string[] = [];
  const { doGenerate } = model;
  model.doGenerate = (options) => {
    sent.push(JSON.stringify(options.prompt));
    return doGenerate(options);
  };
  await using app = await createApp(agentOf([find]), { models: { default: model }, env: {} });
  for (const prompt of ["one", "two"])
    expect(await app.run({ prompt }, { threadId: "t" })).toMatchObject({ status: "completed" });
  expect(sent[2]).toContain('"unparsed":"{');
});
