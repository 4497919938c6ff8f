import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { filesOfTar } from "../tar.ts";
import { streamOf, type Dialect, type Wire } from "./dialect.ts";

/** An answer that a provider gave. */
export interface Recording {
  readonly name: string;
  /** Who gave it. */
  readonly provider: string;
  /** Undefined where no package that is here reads it. */
  readonly dialect: Dialect | undefined;
  readonly streamed: boolean;
  readonly status: number;
  readonly body: Wire;
}

const kinds: { readonly [kind: string]: Dialect } = {
  "openai-chat": "chat",
  "openrouter-chat": "openrouter",
  "openai-responses": "responses",
  anthropic: "anthropic",
  google: "google",
  bedrock: "bedrock",
  cohere: "cohere",
};

/** Recorded pairs, a JSON line each. */
export function recordedTurns(path: string): readonly Recording[] {
  const bytes = readFileSync(path);
  const lines = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").trim().split("\n");
  return lines.map((line, at) => {
    const { f, k, sse, status, response } = JSON.parse(line);
    const frames = response.type === "Buffer";
    return {
      name: `line ${at + 1}, ${String(f).replace(/^.*cassettes\//, "")}`,
      provider: k,
      dialect: kinds[k],
      streamed: sse || frames,
      status,
      body: frames ? Buffer.from(response.data) : typeof response === "string" ? response : JSON.stringify(response),
    };
  });
}

/** By the first words of a file's name. */
const chunkDialects: readonly (readonly [start: string, dialect: Dialect | undefined])[] = [
  ["anthropic__", "anthropic"],
  ["google__google-", "google"],
  ["google__interactions__", "interactions"],
  ["amazon-bedrock__amazon-", "bedrock"],
  ["cohere__cohere-embedding", undefined],
  ["cohere__", "cohere"],
  ["google-vertex__google-vertex-stream", "google"],
  ["openai__responses__", "responses"],
  ["azure__azure-deepseek", "chat"],
  ["azure__", "responses"],
  ["xai__responses__", "responses"],
  ["open-responses__", "responses"],
  ["openai__chat__", "chat"],
  ["openai-compatible__", "chat"],
  ["deepseek__", "chat"],
  ["groq__", "chat"],
  ["mistral__", "chat"],
  ["moonshotai__", "chat"],
  ["alibaba__", "chat"],
  ["perplexity__", "chat"],
];

const LAST = /"type":\s*"(?:message_stop|message-end|response\.(?:completed|incomplete|failed))"/;

/** Raw answers, a file each: whole, or the data of an event a line. */
export function providerChunks(path: string): readonly Recording[] {
  const recordings: Recording[] = [];
  for (const [file, content] of filesOfTar(gunzipSync(readFileSync(path)))) {
    const name = file.replace(/^.*\//, "");
    const streamed = name.endsWith(".chunks.txt");
    if (!streamed && !name.endsWith(".json")) continue;
    const dialect = chunkDialects.find(([start]) => name.startsWith(start))?.[1];
    const text = content.toString("utf8");
    const body = !streamed || dialect === undefined ? text : firstStream(dialect, text);
    recordings.push({ name, provider: name.split("__")[0]!, dialect, streamed, status: 200, body });
  }
  return recordings.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Some files hold several answers, one after the other: the first one counts. */
function firstStream(dialect: Dialect, text: string): Wire {
  const all = text.split("\n").filter((line) => line.trim() !== "");
  const last = all.findIndex((line) => LAST.test(line));
  const lines = last < 0 ? all : all.slice(0, last + 1);
  return streamOf(dialect, lines);
}
