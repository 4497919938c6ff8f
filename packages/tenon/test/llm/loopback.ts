import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the server of a test got it. */
export interface Asked {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: any;
}

/** A server on this machine, closed after the test. `answers` are chat completions, whole; a streamed one is sent in pieces. */
export async function chatServer(
  ...answers: readonly { readonly whole: object; readonly pieces: readonly object[]; readonly cut?: boolean }[]
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const body = JSON.parse(text);
      const answer = answers[Math.min(asked.length, answers.length - 1)]!;
      asked.push({ url: request.url, key: request.headers.authorization, body });
      if (body.stream === true) sendPieces(response, answer.pieces, answer.cut === true);
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer.whole));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

function sendPieces(response: ServerResponse, pieces: readonly object[], cut: boolean): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(pieces.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("") + (cut ? "" : "data: [DONE]\n\n"));
}

const base = { id: "r1", created: 1, model: "m", object: "chat.completion" };
const usage = {
  prompt_tokens: 20,
  completion_tokens: 7,
  total_tokens: 27,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
  cost: 0.001,
};

/** Reasoning and one call of `search`, whole and in pieces. */
export function callingAnswer(more: object = {}, moreDelta: object = more) {
  const call = { id: "c1", type: "function", function: { name: "search", arguments: '{"q":"x"}' } };
  return {
    whole: {
      ...base,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: null, tool_calls: [call], ...more },
          finish_reason: "tool_calls",
        },
      ],
      usage,
    },
    pieces: [
      piece({ role: "assistant", ...moreDelta }),
      piece({
        tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "search", arguments: '{"q"' } }],
      }),
      piece({ tool_calls: [{ index: 0, function: { arguments: ':"x"}' } }] }),
      piece({}, "tool_calls"),
      { ...base, object: "chat.completion.chunk", choices: [], usage },
    ],
  };
}

/** A text, whole and in pieces. */
export function textAnswer(text: string) {
  const half = Math.ceil(text.length / 2);
  return {
    whole: {
      ...base,
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage,
    },
    pieces: [
      piece({ role: "assistant", content: text.slice(0, half) }),
      piece({ content: text.slice(half) }),
      piece({}, "stop"),
      { ...base, object: "chat.completion.chunk", choices: [], usage },
    ],
  };
}

/** One piece of a streamed answer. */
export function piece(delta: object, finish: string | null = null): object {
  return { ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] };
}
