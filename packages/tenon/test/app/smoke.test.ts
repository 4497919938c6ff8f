import { expect, test } from "vitest";
import { Agent, Tool, Workflow, createApp, type RunEvent } from "../../src/doors/tenon/index.js";
import { Int, Text } from "../../src/doors/dto/index.js";

class Query {
  @Text({ prompt: "words" }) q!: string;
  @Int({ optional: true, max: 5 }) limit?: number;
}

const ran: unknown[] = [];
@Tool({ name: "search", description: "Search", input: Query })
class Search {
  async run(input: Query) {
    ran.push(input);
    return { found: input.q };
  }
}
@Tool({ name: "save", description: "Save", input: Query, access: "write", approval: true })
class Save {
  run(input: Query) {
    ran.push(["save", input.q]);
    return "saved";
  }
}

@Agent({ name: "desk", description: "d", prompt: "You help.", tools: [Search, Save] })
class Desk {}
@Workflow({ name: "w", agents: [Desk] })
class W {}

function scripted(answers: unknown[][]) {
  const seen: any[] = [];
  const next = (options: any) => {
    seen.push(options);
    const content = answers[seen.length - 1] ?? [{ type: "text", text: "done" }];
    return { content, finishReason: { unified: "stop", raw: "stop" }, usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } }, warnings: [] };
  };
  return { seen, model: { specificationVersion: "v4" as const, provider: "x", modelId: "y", supportedUrls: {}, doGenerate: async (o: any) => next(o), doStream: async () => { throw new Error("no"); } } };
}

test("one call", async () => {
  const { model, seen } = scripted([[{ type: "tool-call", toolCallId: "a", toolName: "search", input: '{"q":"x"}' }]]);
  await using app = await createApp(W, { models: { default: model } });
  const result = await app.run({ prompt: "hi" });
  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(ran).toHaveLength(1);
  expect(seen[1].prompt).toMatchInlineSnapshot(`
    [
      {
        "content": "You help.",
        "role": "system",
      },
      {
        "content": [
          {
            "text": "hi",
            "type": "text",
          },
        ],
        "role": "user",
      },
      {
        "content": [
          {
            "input": {
              "q": "x",
            },
            "toolCallId": "a",
            "toolName": "search",
            "type": "tool-call",
          },
        ],
        "role": "assistant",
      },
      {
        "content": [
          {
            "output": {
              "type": "text",
              "value": "{"found":"x"}",
            },
            "toolCallId": "a",
            "toolName": "search",
            "type": "tool-result",
          },
        ],
        "role": "tool",
      },
    ]
  `);
  console.log(JSON.stringify(result));
});

test("approval", async () => {
  const { model } = scripted([[{ type: "tool-call", toolCallId: "a", toolName: "save", input: '{"q":"x"}' }]]);
  await using app = await createApp(W, { models: { default: model } });
  const result = await app.run({ prompt: "hi" });
  expect(result.status).toBe("paused");
  const end = await app.resume(result.runId, { [result.pauses[0]!.id]: { approved: true, by: "me" } });
  expect(end).toMatchObject({ status: "completed", text: "done" });
  expect(ran.at(-1)).toEqual(["save", "x"]);
});
