import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Agent, createApp, defineTool, jsonSchema, type App } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { bedrockPieces } from "../../../../tools/corpora/replay/bedrock-pieces.ts";
import { streamOf as wireOf, type Dialect, type Wire } from "../../../../tools/corpora/replay/dialect.ts";
import { doneAnswer } from "../../../../tools/corpora/replay/done-answer.ts";
import { doors } from "../../../../tools/corpora/replay/doors.ts";
import { interactionsPieces } from "../../../../tools/corpora/replay/interactions-pieces.ts";
import { replayServer, type Answer, type ReplayServer } from "../../../../tools/corpora/replay/replay-server.ts";
import { responsesPieces } from "../../../../tools/corpora/replay/responses-pieces.ts";
import { anthropicAnswer, anthropicEvents, callPiece, chatAnswer, chunk, streamOf } from "./bodies.ts";

let server: ReplayServer;
beforeAll(async () => {
  server = await replayServer();
});
afterAll(() => server.close());

/** What a model thought, as its provider sends it and wants it back. */
interface Sealed {
  readonly door: string;
  readonly dialect: Dialect;
  readonly whole: string;
  readonly streamed: Wire;
  /** What a later request has in the place of the answer. */
  readonly back: (request: any) => unknown;
  readonly wanted: unknown;
}

const signature = "s+/=ErUBCkYIBRgCIkC7/+a==";
const data =
  "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpPkNRj2YfWXGmKDxH4mPnZ5sQ7vB9URj2pLmN3kF8/dW5hR7xJ0aP1oLq9==";

const blocks = [
  { type: "thinking", thinking: "First I look.\nThen 北京 🌍.", signature },
  { type: "redacted_thinking", data },
  { type: "text", text: "I look." },
  { type: "tool_use", id: "toolu_1", name: "look", input: { q: 1 } },
];

const parts = [
  { text: "Hm.", thought: true, thoughtSignature: signature },
  { text: "I look.", thoughtSignature: data },
  { functionCall: { name: "look", args: { q: 1 } }, thoughtSignature: signature },
];

const details = [
  { type: "reasoning.text", text: "let me see", signature, format: "anthropic-claude-v1", index: 0 },
  { type: "reasoning.encrypted", data, format: "anthropic-claude-v1", index: 1 },
];
const look = callPiece("c1", "look", '{"q":1}', { index: 0 });

const items = [
  {
    type: "reasoning",
    id: "rs_1",
    status: "completed",
    encrypted_content: data,
    summary: [{ type: "summary_text", text: "Hm." }],
  },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "I look.", annotations: [] }],
  },
  { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: '{"q":1}', status: "completed" },
];
const response = {
  id: "r",
  object: "response",
  created_at: 1,
  model: "m",
  status: "completed",
  output: items,
  usage: { input_tokens: 3, output_tokens: 2 },
};

const google = (given: readonly object[], finishReason?: string): { [key: string]: unknown } => ({
  candidates: [{ content: { role: "model", parts: given }, index: 0, ...(finishReason ? { finishReason } : {}) }],
});

/** Bedrock's form of the same. */
const converse = {
  output: {
    message: {
      role: "assistant",
      content: [
        { reasoningContent: { reasoningText: { text: "First I look.\nThen 北京 🌍.", signature } } },
        { reasoningContent: { redactedContent: data } },
        { text: "I look." },
        { toolUse: { toolUseId: "tooluse_1", name: "look", input: { q: 1 } } },
      ],
    },
  },
  stopReason: "tool_use",
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
};

/** Google's form of the same in an interaction. */
const interaction = {
  id: "v1_a",
  object: "interaction",
  model: "m",
  status: "requires_action",
  steps: [
    { type: "thought", signature, summary: [{ type: "text", text: "Hm." }] },
    { type: "model_output", content: [{ type: "text", text: "I look." }] },
    { type: "function_call", id: "fc_1", name: "look", arguments: { q: 1 }, signature: data },
  ],
  usage: { total_input_tokens: 3, total_output_tokens: 2, total_tokens: 5 },
};

const cases: readonly Sealed[] = [
  {
    door: "@ai-sdk/anthropic",
    dialect: "anthropic",
    whole: anthropicAnswer(blocks, "tool_use"),
    streamed: streamOf("anthropic", ...anthropicEvents(blocks, "tool_use")),
    back: ({ messages }) => messages[1].content,
    wanted: blocks,
  },
  {
    door: "@ai-sdk/google",
    dialect: "google",
    whole: JSON.stringify(google(parts, "STOP")),
    streamed: streamOf("google", ...parts.map((part) => google([part])), google([], "STOP")),
    back: ({ contents }) => contents[1].parts,
    wanted: parts,
  },
  {
    door: "@openrouter/ai-sdk-provider",
    dialect: "openrouter",
    whole: chatAnswer(
      { content: "I look.", reasoning: "let me see", reasoning_details: details, tool_calls: [look] },
      "tool_calls",
    ),
    streamed: streamOf(
      "openrouter",
      chunk({ role: "assistant", content: "", reasoning: "let me see", reasoning_details: [details[0]] }),
      chunk({ content: "", reasoning_details: [details[1]] }),
      chunk({ content: "I look." }),
      chunk({ tool_calls: [look] }),
      chunk({}, "tool_calls"),
    ),
    back: ({ messages }) => [messages[1].reasoning_details, messages[1].content],
    wanted: [details, "I look."],
  },
  {
    door: "@ai-sdk/openai, responses, not stored",
    dialect: "responses",
    whole: JSON.stringify(response),
    streamed: streamOf(
      "responses",
      { type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } },
      ...items.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item },
        ...(item.type === "message"
          ? [{ type: "response.output_text.delta", item_id: item.id, output_index, content_index: 0, delta: "I look." }]
          : []),
        ...(item.type === "reasoning"
          ? [
              { type: "response.reasoning_summary_part.added", item_id: item.id, output_index, summary_index: 0 },
              {
                type: "response.reasoning_summary_text.delta",
                item_id: item.id,
                output_index,
                summary_index: 0,
                delta: "Hm.",
              },
            ]
          : []),
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response },
    ),
    back: ({ input }) => input.slice(1, 4),
    wanted: [
      { type: "reasoning", encrypted_content: data, summary: [{ type: "summary_text", text: "Hm." }] },
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "c1", name: "look", arguments: '{"q":1}' },
    ],
  },
  {
    door: "@ai-sdk/xai, responses",
    dialect: "responses",
    whole: JSON.stringify(response),
    streamed: wireOf("responses", responsesPieces(response)),
    back: ({ input }) => input.slice(1, 4),
    wanted: [
      { type: "reasoning", encrypted_content: data },
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "c1", name: "look", arguments: '{"q":1}' },
    ],
  },
  {
    door: "@ai-sdk/amazon-bedrock",
    dialect: "bedrock",
    whole: JSON.stringify(converse),
    streamed: wireOf("bedrock", bedrockPieces(converse)),
    back: ({ messages }) => messages[1].content,
    wanted: converse.output.message.content,
  },
  {
    door: "@ai-sdk/google, interactions",
    dialect: "interactions",
    whole: JSON.stringify(interaction),
    streamed: wireOf("interactions", interactionsPieces(interaction)),
    back: ({ input }) => input.slice(1, 4),
    wanted: interaction.steps,
  },
];

async function open(store: string, door: (typeof doors)[number], approval: boolean): Promise<App> {
  const input = jsonSchema({ type: "object", properties: { q: { type: "integer" } } });
  const tool = defineTool({ name: "look", description: "Looks.", input, approval, run: () => "seen" });
  class Looker {}
  Agent({ name: "looker", description: "Looks.", tools: [tool], providerOptions: door.providerOptions })(Looker);
  const { model, env } = door.open(server.url);
  return createApp(Looker, { store: sqliteStore(store), models: { default: model }, env });
}

describe.each(cases)(
  "what a model thought goes back through $door",
  ({ door: name, dialect, back, wanted, ...bodies }) => {
    const door = doors.find((one) => one.name === name)!;

    test.each(["whole", "streamed"] as const)(
      "[B46] in place and byte for byte: after the call, after a restart, after an approval (%s)",
      async (way) => {
        const folder = mkdtempSync(join(tmpdir(), "tenon-sealed-"));
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
        const listening = way === "streamed" ? { onEvent: () => {} } : {};
        const answer: Answer = { body: bodies[way], streamed: way === "streamed" };
        const done = doneAnswer(dialect, way === "streamed");
        const sent = (at: number): unknown => back(server.asked[at]!.body);

        const store = join(folder, "plain.db");
        server.play(answer, done);
        {
          await using app = await open(store, door, false);
          expect(await app.run({ prompt: "go" }, { threadId: "t", ...listening })).toMatchObject({ text: "done" });
        }
        expect(sent(1)).toMatchObject(wanted as object);
        {
          await using app = await open(store, door, false);
          expect(await app.run({ prompt: "more" }, { threadId: "t", ...listening })).toMatchObject({ text: "done" });
        }
        expect(sent(2)).toMatchObject(wanted as object);

        server.play(answer, done);
        let runId: string;
        let pauseId: string;
        {
          await using app = await open(join(folder, "asked.db"), door, true);
          const paused = await app.run({ prompt: "go" }, { threadId: "t", ...listening });
          expect(paused.status).toBe("paused");
          runId = paused.runId;
          pauseId = paused.pauses[0]!.id;
        }
        await using app = await open(join(folder, "asked.db"), door, true);
        const result = await app.resume(runId, { [pauseId]: { approved: true, by: "ann" } }, listening);
        expect(result).toMatchObject({ status: "completed", text: "done" });
        expect(sent(1)).toMatchObject(wanted as object);
      },
    );
  },
);
