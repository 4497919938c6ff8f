import { anthropicPieces } from "./anthropic-pieces.ts";
import { sse, type Dialect } from "./doors.ts";
import { responsesPieces } from "./responses-pieces.ts";
import { eventsOf, type Json, type Reading } from "./reading.ts";
import type { Answer } from "./replay-server.ts";

/** Numbers from 0 up to a bound, the same ones for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** The same stream, in ways that a network, a proxy or another server may send it. */
export function streamVariants(
  body: string,
  seed: number,
): readonly { readonly way: string; readonly answer: Answer }[] {
  const crlf = body.replaceAll(/\r?\n/g, "\r\n");
  const chatty = body.replaceAll("\n\n", "\n\n: still here\n\n").replace(/^/, ":\n\n");
  const both = chatty.replaceAll(/\r?\n/g, "\r\n");
  return [
    { way: "as it is", answer: { streamed: true, body } },
    { way: "cut at random", answer: { streamed: true, body, cuts: randomCuts(body, seed) } },
    { way: "with CRLF, cut", answer: { streamed: true, body: crlf, cuts: randomCuts(crlf, seed + 1) } },
    { way: "with comments, cut", answer: { streamed: true, body: chatty, cuts: randomCuts(chatty, seed + 2) } },
    { way: "with CRLF and comments, cut", answer: { streamed: true, body: both, cuts: randomCuts(both, seed + 3) } },
  ];
}

function randomCuts(body: string, seed: number): readonly number[] {
  const next = seeded(seed + 1);
  const length = Buffer.byteLength(body);
  return Array.from({ length: 24 }, () => next(length)).sort((a, b) => a - b);
}

/** A stream that stops in the middle. `ended`: what came says how the answer ended. */
export interface BrokenStream {
  readonly answer: Answer;
  readonly ended: boolean;
}

/** The stream broken off at this many places, closed or reset in turn. */
export function brokenStreams(
  body: string,
  places: number,
  read: (body: string, streamed: boolean) => Reading,
): readonly BrokenStream[] {
  const bytes = Buffer.from(body, "utf8");
  return Array.from({ length: places }, (_, i) => {
    const at = Math.floor(((i + 1) * bytes.length) / (places + 1));
    const { finish, error } = read(readable(bytes.toString("utf8", 0, at)), true);
    return {
      answer: { streamed: true, body, breakOff: { at, how: i % 2 === 0 ? "end" : "reset" } },
      ended: finish !== undefined || error !== undefined,
    };
  });
}

/** The lines so far, without a last one that broke in the middle. */
function readable(text: string): string {
  try {
    eventsOf(text);
    return text;
  } catch {
    return text.slice(0, text.lastIndexOf("\n") + 1);
  }
}

/** A whole answer as a stream in small pieces. */
export function streamOfWhole(dialect: Dialect, body: string): string {
  const events = pieces(dialect, JSON.parse(body)).map((event) => sse(dialect, event));
  return events.join("") + (dialect === "chat" || dialect === "openrouter" ? "data: [DONE]\n\n" : "");
}

function pieces(dialect: Dialect, answer: Json): readonly Json[] {
  switch (dialect) {
    case "chat":
    case "openrouter":
      return chatPieces(answer);
    case "google":
      return googlePieces(answer);
    case "anthropic":
      return anthropicPieces(answer);
    case "responses":
      return responsesPieces(answer);
  }
}

function halves(text: string): readonly string[] {
  return [text.slice(0, text.length / 2), text.slice(text.length / 2)];
}

function chatPieces({ choices: [choice], usage, ...base }: Json): readonly Json[] {
  const { tool_calls: calls, content, role, ...rest } = choice.message;
  const delta = (given: Json, finish: unknown = null): Json => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: given, finish_reason: finish }],
  });
  const texts =
    typeof content === "string" ? halves(content) : content === null || content === undefined ? [] : [content];
  return [
    delta({ ...rest, role, content: "" }),
    ...texts.map((piece) => delta({ content: piece })),
    ...(calls ?? []).flatMap(({ function: { name, arguments: text }, ...call }: Json, index: number) => [
      delta({ tool_calls: [{ ...call, index, function: { name, arguments: "" } }] }),
      ...halves(text).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    delta({}, choice.finish_reason),
    ...(usage ? [{ ...base, object: "chat.completion.chunk", choices: [], usage }] : []),
  ];
}

function googlePieces({ candidates, usageMetadata, ...base }: Json): readonly Json[] {
  if (!candidates?.[0]) return [{ ...base, candidates, usageMetadata }];
  const { content, finishReason, ...rest } = candidates[0];
  const parts: readonly Json[] = content?.parts ?? [];
  return [
    ...parts.map((part) => ({ ...base, candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] })),
    { ...base, candidates: [{ ...rest, content: { role: "model", parts: [] }, finishReason }], usageMetadata },
  ];
}
