import { halves } from "./halves.ts";
import { anthropicPieces } from "./anthropic-pieces.ts";
import { bedrockPieces } from "./bedrock-pieces.ts";
import { coherePieces } from "./cohere-pieces.ts";
import { bytesOf, streamOf, textOf, type Dialect, type Wire } from "./dialect.ts";
import { frameEnds } from "./event-stream.ts";
import { interactionsPieces } from "./interactions-pieces.ts";
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

/** A way in which a stream is sent. */
interface Variant {
  readonly way: string;
  readonly answer: Answer;
}

/** The same stream, in ways that a network, a proxy or another server may send it. Frames can only be cut. */
export function streamVariants(body: Wire, seed: number): readonly Variant[] {
  if (typeof body !== "string")
    return [
      { way: "as it is", answer: { streamed: true, body } },
      { way: "cut at random", answer: { streamed: true, body, cuts: randomCuts(body, seed) } },
      { way: "cut in small pieces", answer: { streamed: true, body, cuts: everyFew(body, 7) } },
    ];
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

function everyFew(body: Wire, few: number): readonly number[] {
  return Array.from({ length: Math.floor(bytesOf(body).length / few) }, (_, i) => (i + 1) * few);
}

function randomCuts(body: Wire, seed: number): readonly number[] {
  const next = seeded(seed + 1);
  const { length } = bytesOf(body);
  return Array.from({ length: 24 }, () => next(length)).sort((a, b) => a - b);
}

/** A stream that stops in the middle. `ended`: what came says how the answer ended. */
export interface BrokenStream {
  readonly answer: Answer;
  readonly ended: boolean;
}

/** The stream broken off at this many places, closed or reset in turn; every fourth one between two events. */
export function brokenStreams(
  body: Wire,
  places: number,
  read: (body: string, streamed: boolean) => Reading,
): readonly BrokenStream[] {
  const bytes = bytesOf(body);
  const ends = eventEnds(body);
  return Array.from({ length: places }, (_, i) => {
    const middle = Math.floor(((i + 1) * bytes.length) / (places + 1));
    const at = i % 4 === 2 ? (ends.findLast((end) => end <= middle) ?? middle) : middle;
    const { finish, error } = read(soFar(body, at), true);
    return {
      answer: { streamed: true, body, breakOff: { at, how: i % 2 === 0 ? "end" : "reset" } },
      ended: finish !== undefined || error !== undefined,
    };
  });
}

/** Where an event ends and another one begins. */
function eventEnds(body: Wire): readonly number[] {
  if (typeof body !== "string") return frameEnds(body).slice(0, -1);
  let length = 0;
  return body
    .split("\n\n")
    .slice(0, -2)
    .map((event) => (length += Buffer.byteLength(event) + 2));
}

/** The events of so many bytes, without a last one that broke in the middle. */
function soFar(body: Wire, bytes: number): string {
  const start = bytesOf(body).subarray(0, bytes);
  return typeof body === "string" ? readable(Buffer.from(start).toString("utf8")) : textOf(start);
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
export function streamOfWhole(dialect: Dialect, body: string): Wire {
  return streamOf(dialect, pieces(dialect, JSON.parse(body)));
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
    case "interactions":
      return interactionsPieces(answer);
    case "bedrock":
      return bedrockPieces(answer);
    case "cohere":
      return coherePieces(answer);
  }
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
