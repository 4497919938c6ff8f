import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doors, type Door } from "../../../../tools/corpora/replay/doors.ts";
import { playAnswer, type Played } from "../../../../tools/corpora/replay/play-answer.ts";
import { replayServer, type Answer, type ReplayServer } from "../../../../tools/corpora/replay/replay-server.ts";
import {
  anthropicAnswer,
  anthropicEvents,
  callPiece,
  chatAnswer,
  chatUsage,
  chunk,
  streamOf,
  usageChunk,
} from "./bodies.ts";

let server: ReplayServer;
beforeAll(async () => {
  server = await replayServer();
});
afterAll(() => server.close());

function doorOf(name: string): Door {
  return doors.find((door) => door.name === name)!;
}

const compatible = ["TENON_BASE_URL", "@ai-sdk/openai-compatible"];
const chatting = [...compatible, "@ai-sdk/openai, chat", "@openrouter/ai-sdk-provider"];
const whole = (body: string, status?: number): Answer => ({ body, streamed: false, status });
const streamed = (body: string, more: Partial<Answer> = {}): Answer => ({ body, streamed: true, ...more });
const play = (door: string, answer: Answer): Promise<Played> => playAnswer(server, doorOf(door), answer, ["T"]);
const inputs = ({ reached }: Played): readonly unknown[] => reached.map(({ input }) => input);

describe.each(compatible)("deltas of calls, through %s", (door) => {
  const calls = (...pieces: readonly object[]): string =>
    streamOf("chat", ...pieces.map((piece) => chunk({ tool_calls: [piece] })), chunk({}, "tool_calls"), usageChunk);

  test.each([
    ["no index", [{}, {}]],
    ["index null", [{ index: null }, { index: null }]],
    ["index from 0", [{ index: 0 }, { index: 1 }]],
    ["index from 1", [{ index: 1 }, { index: 2 }]],
  ] as const)("[B33] %s: two calls stay two, each with its own arguments", async (_, [first, second]) => {
    const body = calls(
      callPiece("a", "T", "", first),
      callPiece(undefined, undefined, '{"q"', first),
      callPiece(undefined, undefined, ":1}", first),
      callPiece("b", "T", '{"q":2}', second),
    );
    expect(inputs(await play(door, streamed(body)))).toEqual([{ q: 1 }, { q: 2 }]);
  });

  test("[B33] pieces that come in turns are told apart by their ids", async () => {
    const body = calls(
      callPiece("a", "T", ""),
      callPiece("b", "T", ""),
      callPiece("a", undefined, '{"q":1}'),
      callPiece("b", undefined, '{"q":2}'),
    );
    expect(inputs(await play(door, streamed(body)))).toEqual([{ q: 1 }, { q: 2 }]);
  });

  test("[B33] arguments that come before the name are kept, and so are calls without ids", async () => {
    const early = calls(
      callPiece("a", undefined, '{"q"', { index: 0 }),
      callPiece(undefined, "T", ":1}", { index: 0 }),
    );
    expect(inputs(await play(door, streamed(early)))).toEqual([{ q: 1 }]);
    const nameless = calls(
      { index: 0, function: { name: "T", arguments: '{"q":1}' } },
      { index: 1, function: { name: "T", arguments: '{"q":2}' } },
    );
    const played = await play(door, streamed(nameless));
    expect(inputs(played)).toEqual([{ q: 1 }, { q: 2 }]);
    const { messages } = JSON.parse(played.next!);
    const ids = messages[1].tool_calls.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(messages.slice(2).map((message: { tool_call_id: string }) => message.tool_call_id)).toEqual(ids);
  });
});

const three = [1, 2, 3].map((q) => callPiece(`c${q}`, "T", `{"q":${q}}`, { index: q - 1 }));

describe.each(chatting)("finish labels, through %s", (door) => {
  test.each(["stop", "tool_calls", "function_call", "unknown", ""])(
    "[B36] whole calls run under the label %j",
    async (finish) => {
      for (const answer of [
        whole(chatAnswer({ content: null, tool_calls: three }, finish)),
        streamed(streamOf("chat", chunk({ tool_calls: three }), chunk({}, finish), usageChunk)),
      ]) {
        const played = await play(door, answer);
        expect(inputs(played)).toEqual([{ q: 1 }, { q: 2 }, { q: 3 }]);
        expect(played.result).toMatchObject({ status: "completed", text: "done" });
      }
    },
  );

  test("[B36] a whole answer without any label runs its calls", async () => {
    const played = await play(door, whole(chatAnswer({ content: null, tool_calls: three }, null)));
    expect(inputs(played)).toHaveLength(3);
  });

  test.each(["length", "content_filter"])("[B36] nothing runs under the label %j", async (finish) => {
    for (const answer of [
      whole(chatAnswer({ content: null, tool_calls: three }, finish)),
      streamed(streamOf("chat", chunk({ tool_calls: three }), chunk({}, finish), usageChunk)),
    ])
      expect((await play(door, answer)).reached).toEqual([]);
  });
});

test("[B36] a stream that says that it is done, and never why it ended, is whole; one that breaks off is not", async () => {
  const body = streamOf("chat", chunk({ tool_calls: three }), usageChunk);
  for (const cuts of [[], Array.from({ length: Buffer.byteLength(body) }, (_, at) => at)]) {
    const played = await play("TENON_BASE_URL", streamed(body, { cuts }));
    expect(inputs(played)).toEqual([{ q: 1 }, { q: 2 }, { q: 3 }]);
    expect(played.record).toMatchObject({ finish: "other", usage: { inputTokens: 20, estimated: false } });
  }
  const broken = await play("TENON_BASE_URL", streamed(body.replace("data: [DONE]\n\n", "")));
  expect(broken.result).toMatchObject({ status: "failed", error: { code: "model_error" } });
  expect(broken.reached).toEqual([]);
  // What the model says is not what the server says.
  const quoting = streamOf("chat", chunk({ content: 'data: [DONE] "finish_reason":"stop"' }));
  const quoted = await play("TENON_BASE_URL", streamed(quoting.replace("data: [DONE]\n\n", "")));
  expect(quoted.result.status).toBe("failed");
});

const odd = "北京 🌍 ь";
const oddBodies: readonly (readonly [door: string, body: string])[] = [
  ...chatting.map(
    (door) =>
      [
        door,
        streamOf(
          "chat",
          chunk({ content: odd }),
          chunk({ tool_calls: [callPiece("a", "T", JSON.stringify({ q: odd }), { index: 0 })] }),
          chunk({}, "tool_calls"),
        ),
      ] as const,
  ),
  [
    "@ai-sdk/anthropic",
    streamOf(
      "anthropic",
      ...anthropicEvents(
        [
          { type: "text", text: odd },
          { type: "tool_use", id: "a", name: "T", input: { q: odd } },
        ],
        "tool_use",
      ),
    ),
  ],
  [
    "@ai-sdk/google",
    streamOf("google", {
      candidates: [
        {
          content: { role: "model", parts: [{ text: odd }, { functionCall: { name: "T", args: { q: odd } } }] },
          finishReason: "STOP",
        },
      ],
    }),
  ],
];

test.each(oddBodies)(
  "[B38] cut at every byte, with and without CRLF, the text and the arguments are whole: %s",
  { timeout: 120_000 },
  async (door, lf) => {
    for (const body of [lf, lf.replaceAll("\n", "\r\n")]) {
      const length = Buffer.byteLength(body);
      const offsets = Array.from({ length: length - 1 }, (_, i) => i + 1);
      // Each byte alone; and two parts, at each place where a character or an end of line is cut.
      const bytes = Buffer.from(body);
      const tender = offsets.filter((at) => bytes[at]! >= 0x80 || bytes[at]! < 0x20 || bytes[at - 1]! < 0x20);
      for (const cuts of [offsets, ...tender.map((at) => [at])]) {
        const played = await play(door, streamed(body, { cuts }));
        expect(played.heard, `${door} cut at ${cuts.length > 1 ? "each byte" : cuts[0]}`).toBe(odd);
        expect(inputs(played)).toEqual([{ q: odd }]);
      }
    }
  },
);

describe("errors that come with a status of success", () => {
  const error = { error: { code: 502, message: "the upstream is gone" } };

  test.each(chatting)("[B40] in a stream, at once or after some text: %s", async (door) => {
    for (const before of [[], [chunk({ role: "assistant", content: "he" }), usageChunk]]) {
      const played = await play(door, streamed(streamOf("chat", ...before, { ...error, choices: [] })));
      expect(played.result).toMatchObject({ status: "failed", stopReason: "error", error: { code: "model_error" } });
      expect(played.result.error!.message).toContain("the upstream is gone");
      expect(played.result.error!.message).toContain("502");
      // What it may have cost is booked, as an estimate.
      expect(played.record!.usage).toMatchObject({ estimated: true });
      expect(played.result.usage.inputTokens).toBeGreaterThan(0);
    }
  });

  test.each([
    [{ code: "502" }, 502, "status 502, gone"],
    [{ code: "rate_limit_exceeded" }, 429, "status 429, gone"],
    [{ code: null, type: "server_error" }, 500, "status 500, gone"],
    [{ type: "overloaded_error" }, 529, "status 529, gone"],
    [{ code: "content_policy" }, undefined, "content_policy: gone"],
  ])("[B40] a code in words or digits is told, and counts as a status: %j", async (named, status, said) => {
    const body = streamOf("chat", { error: { message: "gone", ...named }, choices: [] });
    const { result } = await play("TENON_BASE_URL", streamed(body));
    expect(result.error).toMatchObject({ code: "model_error", data: { model: "m" } });
    expect(result.error!.data["status"]).toBe(status);
    expect(result.error!.message).toContain(said);
  });

  test.each(chatting)("[B40] in the place of a whole answer: %s", async (door) => {
    const played = await play(door, whole(JSON.stringify(error)));
    expect(played.result.status).toBe("failed");
    expect(played.result.error!.message).toMatch(/502.*the upstream is gone/);
  });

  test("[B40] Anthropic and Google", async () => {
    const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded, try later" } };
    const begun = anthropicEvents([{ type: "text", text: "hello" }], "end_turn").slice(0, 3);
    const bodies = [
      ["@ai-sdk/anthropic", streamOf("anthropic", overloaded), /Overloaded, try later/],
      ["@ai-sdk/anthropic", streamOf("anthropic", ...begun, overloaded), /Overloaded, try later/],
      [
        "@ai-sdk/google",
        streamOf("google", { error: { code: 503, message: "The model is overloaded", status: "UNAVAILABLE" } }),
        /The model is overloaded/,
      ],
    ] as const;
    for (const [door, body, said] of bodies) {
      const played = await play(door, streamed(body));
      expect(played.result.status).toBe("failed");
      expect(played.result.error!.message).toMatch(said);
    }
  });
});

describe("a turn of calls alone", () => {
  test.each(chatting)("[B44] is sent without an empty text: %s", async (door) => {
    const pieces = [callPiece("a", "T", '{"q":1}', { index: 0 })];
    for (const answer of [
      whole(chatAnswer({ content: "", tool_calls: pieces }, "tool_calls")),
      streamed(
        streamOf(
          "chat",
          chunk({ role: "assistant", content: "" }),
          chunk({ tool_calls: pieces }),
          chunk({}, "tool_calls"),
        ),
      ),
    ]) {
      const { messages } = JSON.parse((await play(door, answer)).next!);
      const said = messages.find(({ role }: { role: string }) => role === "assistant");
      expect(said.tool_calls).toHaveLength(1);
      expect(said.content ?? null).toBeNull();
    }
  });

  test("[B44] Anthropic and Google", async () => {
    const blocks = [
      { type: "text", text: "" },
      { type: "tool_use", id: "a", name: "T", input: { q: 1 } },
    ];
    for (const answer of [
      whole(anthropicAnswer(blocks, "tool_use")),
      streamed(streamOf("anthropic", ...anthropicEvents(blocks, "tool_use"))),
    ]) {
      const { messages } = JSON.parse((await play("@ai-sdk/anthropic", answer)).next!);
      expect(messages[1].content).toMatchObject([{ type: "tool_use", id: "a" }]);
    }
    const parts = [{ text: "" }, { functionCall: { name: "T", args: { q: 1 } } }];
    const candidates = [{ content: { role: "model", parts }, finishReason: "STOP" }];
    for (const answer of [whole(JSON.stringify({ candidates })), streamed(streamOf("google", { candidates }))]) {
      const { contents } = JSON.parse((await play("@ai-sdk/google", answer)).next!);
      expect(contents[1].parts).toHaveLength(1);
      expect(contents[1].parts[0]).toMatchObject({ functionCall: { name: "T" } });
    }
  });
});

describe("usage", () => {
  test.each(chatting)("[B103] a stream's usage, in an event of its own, is the whole answer's: %s", async (door) => {
    const first = await play(door, whole(chatAnswer({ content: "hi" }, "stop")));
    const second = await play(
      door,
      streamed(streamOf("chat", chunk({ content: "hi" }), chunk({}, "stop"), usageChunk)),
    );
    expect(second.record!.usage).toEqual(first.record!.usage);
    expect(first.record!.usage).toMatchObject({
      inputTokens: 20,
      outputTokens: 7,
      cachedInputTokens: 4,
      reasoningTokens: 2,
      estimated: false,
      // OpenAI's package leaves out what it does not know.
      costNanoUsd: door === "@ai-sdk/openai, chat" ? undefined : 1_000_000,
    });
  });

  test.each(compatible)(
    "[B103] reasoning that is counted beside the completion is part of the output: %s",
    async (door) => {
      const beside = { ...chatUsage, completion_tokens_details: { reasoning_tokens: 300 }, total_tokens: 327 };
      for (const answer of [
        whole(chatAnswer({ content: "hi" }, "stop", beside)),
        streamed(streamOf("chat", chunk({ content: "hi" }, "stop"), { ...usageChunk, usage: beside })),
      ])
        expect((await play(door, answer)).record!.usage).toMatchObject({ outputTokens: 307, reasoningTokens: 300 });
    },
  );

  test.each(["cached_tokens", "prompt_cache_hit_tokens"])(
    "[B103] cached input is found where another server puts it: %s",
    async (key) => {
      const usage = { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27, [key]: 6 };
      for (const door of compatible)
        expect((await play(door, whole(chatAnswer({ content: "hi" }, "stop", usage)))).record!.usage).toMatchObject({
          inputTokens: 20,
          cachedInputTokens: 6,
        });
    },
  );

  test.each(chatting)(
    "[B105] usage is asked for, and where none comes it is estimated and flagged: %s",
    async (door) => {
      for (const answer of [
        whole(chatAnswer({ content: "hello" }, "stop", undefined).replace(/,"usage":.*}$/, "}")),
        streamed(streamOf("chat", chunk({ content: "hello" }, "stop"))),
      ]) {
        const { record, result, first } = await play(door, answer);
        expect(record!.usage).toMatchObject({ outputTokens: 2, estimated: true });
        for (const value of Object.values(result.usage)) if (typeof value === "number") expect(value).not.toBeNaN();
        if (answer.streamed) expect(first.stream_options).toEqual({ include_usage: true });
        if (door === "@openrouter/ai-sdk-provider") expect(first.usage).toEqual({ include: true });
      }
    },
  );

  test.each(compatible)("[B105] a count that is missing alone is estimated, and is no zero: %s", async (door) => {
    const { record } = await play(door, whole(chatAnswer({ content: "hello" }, "stop", { prompt_tokens: 20 })));
    expect(record!.usage).toMatchObject({ inputTokens: 20, outputTokens: 2, estimated: true });
  });
});

test("a summary that Anthropic made of the thread is no text of the answer, and goes back as it came", async () => {
  const blocks = [
    { type: "compaction", content: "The user greeted." },
    { type: "text", text: "Hello!" },
    { type: "tool_use", id: "a", name: "T", input: {} },
  ];
  for (const answer of [
    whole(anthropicAnswer(blocks, "tool_use")),
    streamed(streamOf("anthropic", ...anthropicEvents(blocks, "tool_use"))),
  ]) {
    const played = await play("@ai-sdk/anthropic", answer);
    expect(played.heard ?? "Hello!").toBe("Hello!");
    expect(played.record!.parts.map(({ type }) => type)).toEqual(["opaque", "text", "tool-call"]);
    expect(JSON.parse(played.next!).messages[1].content.slice(0, 2)).toMatchObject(blocks.slice(0, 2));
  }
});
