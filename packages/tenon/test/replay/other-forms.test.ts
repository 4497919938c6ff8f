import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkAnswers } from "../../../../tools/corpora/answers.ts";
import { bedrockPieces } from "../../../../tools/corpora/replay/bedrock-pieces.ts";
import { coherePieces } from "../../../../tools/corpora/replay/cohere-pieces.ts";
import { streamOf, type Dialect, type Wire } from "../../../../tools/corpora/replay/dialect.ts";
import { doors } from "../../../../tools/corpora/replay/doors.ts";
import { eventsOfFrames, frameEnds, toFrames } from "../../../../tools/corpora/replay/event-stream.ts";
import { interactionsPieces } from "../../../../tools/corpora/replay/interactions-pieces.ts";
import { playAnswer, type Played } from "../../../../tools/corpora/replay/play-answer.ts";
import type { Json } from "../../../../tools/corpora/replay/reading.ts";
import { replayServer, type ReplayServer } from "../../../../tools/corpora/replay/replay-server.ts";
import { responsesPieces } from "../../../../tools/corpora/replay/responses-pieces.ts";

// Answers of providers whose packages read a form of their own: Amazon Bedrock, Cohere, Google's interactions, xAI's responses.

let server: ReplayServer;
beforeAll(async () => {
  server = await replayServer();
});
afterAll(() => server.close());

const odd = "北京 🌍 ь";

interface Form {
  readonly provider: string;
  readonly dialect: Dialect;
  readonly door: string;
  /** A text and two calls of T, ended with this label. */
  readonly answer: (finish: string, calls?: boolean) => Json;
  readonly pieces: (answer: Json) => readonly Json[];
  readonly whole: string;
  readonly cut: readonly string[];
  /** An error that comes in the stream of a response of success. */
  readonly failure?: { readonly event: Json; readonly told: RegExp } | undefined;
}

const calls = [1, 2].map((q) => ({ id: `call${q}`, input: { q, odd } }));

const forms: readonly Form[] = [
  {
    provider: "bedrock",
    dialect: "bedrock",
    door: "@ai-sdk/amazon-bedrock",
    answer: (stopReason, calling = true) => ({
      output: {
        message: {
          role: "assistant",
          content: [
            { reasoningContent: { reasoningText: { text: odd, signature: "s+/=" } } },
            { text: odd },
            ...(calling ? calls.map(({ id, input }) => ({ toolUse: { toolUseId: id, name: "T", input } })) : []),
          ],
        },
      },
      stopReason,
      usage: { inputTokens: 7, outputTokens: 5, totalTokens: 20, cacheReadInputTokens: 6, cacheWriteInputTokens: 2 },
    }),
    pieces: bedrockPieces,
    whole: "tool_use",
    cut: [
      "max_tokens",
      "content_filtered",
      "guardrail_intervened",
      "model_context_window_exceeded",
      "malformed_tool_use",
    ],
    failure: { event: { throttlingException: { message: "Slow down." } }, told: /status 429.*Slow down/ },
  },
  {
    provider: "cohere",
    dialect: "cohere",
    door: "@ai-sdk/cohere",
    answer: (finish_reason, calling = true) => ({
      id: "a",
      message: {
        role: "assistant",
        tool_plan: "I look.",
        content: [{ type: "text", text: odd }],
        ...(calling
          ? {
              tool_calls: calls.map(({ id, input }) => ({
                id,
                type: "function",
                function: { name: "T", arguments: JSON.stringify(input) },
              })),
            }
          : {}),
      },
      finish_reason,
      usage: {
        billed_units: { input_tokens: 7, output_tokens: 5 },
        tokens: { input_tokens: 1407, output_tokens: 25 },
        cached_tokens: 144,
      },
    }),
    pieces: coherePieces,
    whole: "TOOL_CALL",
    cut: ["MAX_TOKENS", "ERROR", "TIMEOUT"],
  },
  {
    provider: "google-interactions",
    dialect: "interactions",
    door: "@ai-sdk/google, interactions",
    answer: (status, calling = true) => ({
      id: "v1_a",
      object: "interaction",
      model: "m",
      status,
      steps: [
        { type: "thought", signature: "s+/=" },
        { type: "model_output", content: [{ type: "text", text: odd }] },
        ...(calling ? calls.map(({ id, input }) => ({ type: "function_call", id, name: "T", arguments: input })) : []),
      ],
      usage: {
        total_input_tokens: 7,
        total_output_tokens: 5,
        total_tool_use_tokens: 4,
        total_thought_tokens: 3,
        total_cached_tokens: 2,
        total_tokens: 19,
      },
    }),
    pieces: interactionsPieces,
    whole: "requires_action",
    cut: ["incomplete", "failed", "cancelled"],
    failure: {
      event: { event_type: "error", error: { code: 503, message: "No room." } },
      told: /No room/,
    },
  },
  {
    provider: "xai",
    dialect: "responses",
    door: "@ai-sdk/xai, responses",
    answer: (status, calling = true) => ({
      id: "r",
      object: "response",
      created_at: 1,
      model: "m",
      status,
      output: [
        {
          type: "reasoning",
          id: "rs_1",
          status: "completed",
          encrypted_content: "s+/=",
          summary: [{ type: "summary_text", text: odd }],
        },
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: odd, annotations: [] }],
        },
        ...(calling
          ? calls.map(({ id, input }) => ({
              type: "function_call",
              id: `fc_${id}`,
              call_id: id,
              name: "T",
              arguments: JSON.stringify(input),
              status: "completed",
            }))
          : []),
      ],
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 12,
        cost_in_usd_ticks: 37_756_000,
      },
    }),
    pieces: responsesPieces,
    whole: "completed",
    cut: ["incomplete", "failed", "cancelled"],
    failure: {
      event: { type: "error", code: "server_error", message: "No room.", sequence_number: 1 },
      told: /No room/,
    },
  },
];

function doorOf(name: string): (typeof doors)[number] {
  return doors.find((door) => door.name === name)!;
}

describe.each(forms)("an answer of $provider", ({ provider, dialect, door, answer, pieces, ...form }) => {
  const play = (given: Json | Wire, streamed: boolean): Promise<Played> => {
    const isBody = typeof given === "string" || given instanceof Uint8Array;
    const body = isBody ? given : streamed ? streamOf(dialect, pieces(given)) : JSON.stringify(given);
    return playAnswer(server, doorOf(door), { body, streamed }, ["T"]);
  };

  test("[B36] [B38] [B46] [B103] is what its body says, whole, streamed in every way, and broken off", async () => {
    const given = answer(form.whole);
    const shared = { provider, dialect, status: 200, name: provider };
    const { faults, counts } = await checkAnswers("", [
      { ...shared, streamed: false, body: JSON.stringify(given) },
      { ...shared, streamed: true, body: streamOf(dialect, pieces(given)) },
    ]);
    expect(faults).toEqual([]);
    const through = `${provider}, through ${door}:`;
    expect(counts.get(`${through} whole, equal`)).toBe(1);
    expect(counts.get(`${through} made a stream, equal`)).toBe(1);
    expect([...counts.keys()].some((name) => name.includes("streamed in"))).toBe(true);
    expect(counts.get(`${through} broken off, failed, nothing ran`)).toBeGreaterThan(15);
  });

  test("[B103] costs and counts the same, streamed or whole", async () => {
    const [whole, streamed] = [await play(answer(form.whole), false), await play(answer(form.whole), true)];
    expect(whole.reached).toEqual(calls.map(({ input }) => ({ name: "T", input })));
    expect(streamed.reached).toEqual(whole.reached);
    expect(streamed.record!.usage).toEqual(whole.record!.usage);
    expect(whole.record!.usage.estimated).toBe(false);
  });

  test.each(form.cut)("[B36] runs no call under the label %s", async (label) => {
    for (const streamed of [false, true]) {
      const played = await play(answer(label), streamed);
      expect(played.reached).toEqual([]);
      expect(["length", "content-filter", "error", "interrupted"]).toContain(played.record?.finish ?? "error");
    }
  });

  test("[B36] a stream that is closed before it says why it ended runs no call", async () => {
    const events = pieces(answer(form.whole));
    const ends = /messageStop|message-end|interaction\.completed|response\.completed/;
    const until = events.slice(
      0,
      events.findIndex((event) => ends.test(JSON.stringify(event))),
    );
    const { result, reached } = await play(streamOf(dialect, until), true);
    expect(result).toMatchObject({ status: "failed", error: { code: "model_error" } });
    expect(reached).toEqual([]);
  });

  test("[B105] without any count its usage is an estimate, never zero", async () => {
    for (const streamed of [false, true]) {
      const { record, result } = await play({ ...answer(form.whole), usage: undefined }, streamed);
      if (!streamed && (provider === "bedrock" || provider === "cohere")) {
        // Their packages want the counts in a whole answer.
        expect(result.error!.message).toContain("Invalid JSON response");
        continue;
      }
      expect(record!.usage).toMatchObject({ estimated: true, costNanoUsd: undefined });
      expect(record!.usage.inputTokens).toBeGreaterThan(0);
      expect(record!.usage.outputTokens).toBeGreaterThan(0);
    }
  });
});

test.each(forms.filter(({ failure }) => failure !== undefined))(
  "[B40] an error in the stream of $provider is told in the provider's words, and nothing runs",
  async ({ dialect, door, answer, pieces, whole, failure }) => {
    const [first, ...rest] = pieces(answer(whole));
    const body = streamOf(dialect, [first!, failure!.event, ...rest]);
    const { result, reached } = await playAnswer(server, doorOf(door), { body, streamed: true }, ["T"]);
    expect(result).toMatchObject({ status: "failed", error: { code: "model_error" } });
    expect(result.error!.message).toMatch(failure!.told);
    expect(reached).toEqual([]);
  },
);

test("xAI says what a call cost", async () => {
  const { answer } = forms.find(({ provider }) => provider === "xai")!;
  const { record } = await playAnswer(
    server,
    doorOf("@ai-sdk/xai, responses"),
    { body: JSON.stringify(answer("completed", false)), streamed: false },
    [],
  );
  expect(record!.usage).toMatchObject({ costNanoUsd: 3_775_600, costSource: "api" });
});

test("Cohere's own tokens count only where it says nothing of the billed ones", async () => {
  const { answer } = forms.find(({ provider }) => provider === "cohere")!;
  const { usage, ...rest } = answer("COMPLETE", false);
  const play = (given: Json): Promise<Played> =>
    playAnswer(
      server,
      doorOf("@ai-sdk/cohere"),
      { body: JSON.stringify({ ...rest, usage: given }), streamed: false },
      [],
    );
  expect((await play(usage)).record!.usage).toMatchObject({ inputTokens: 7, outputTokens: 5, cachedInputTokens: 0 });
  const { billed_units: _, ...unbilled } = usage;
  expect((await play(unbilled)).record!.usage).toMatchObject({
    inputTokens: 1407,
    outputTokens: 25,
    cachedInputTokens: 144,
  });
});

describe("frames", () => {
  const events = [{ messageStart: { role: "assistant" } }, { throttlingException: { message: odd } }];

  test("are read as they were written; half a frame counts for nothing", () => {
    const frames = toFrames(events);
    expect(eventsOfFrames(frames)).toEqual(events);
    const [first] = frameEnds(frames);
    for (let at = first!; at < frames.length; at++)
      expect(eventsOfFrames(frames.subarray(0, at))).toEqual(events.slice(0, 1));
  });

  test("with another byte are none", () => {
    const frames = toFrames(events);
    frames[frames.length - 8]! ^= 1;
    expect(() => eventsOfFrames(frames)).toThrow("wrong checksum");
  });
});
