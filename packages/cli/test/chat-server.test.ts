import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startTenon, tenon } from "./run-cli.js";
import { startProject } from "./temp-project.js";

type Json = { readonly [key: string]: unknown };

const event = (choice: Json | undefined, more: Json = {}): string =>
  `data: ${JSON.stringify({ id: "r", created: 1, model: "m", choices: choice === undefined ? [] : [{ index: 0, ...choice }], ...more })}\n\n`;
const delta = (given: Json, finish: string | null = null): string => event({ delta: given, finish_reason: finish });
const usage = (input: number, output: number, cost: number | undefined): string =>
  event(undefined, { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, cost } });

/** An OpenAI-compatible server on this machine: each answer is sent as a stream, by what it is given to write to. */
async function modelServer(
  ...answers: readonly ((response: ServerResponse) => void | Promise<void>)[]
): Promise<{ readonly env: { readonly [name: string]: string }; readonly asked: any[] }> {
  const asked: any[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      asked.push({ url: request.url, key: request.headers.authorization, ...JSON.parse(body) });
      response.writeHead(200, { "content-type": "text/event-stream" });
      void answers[asked.length - 1]?.(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const env = { TENON_MODEL: "some-model", TENON_BASE_URL: `http://127.0.0.1:${port}/v1`, TENON_API_KEY: "k" };
  return { env, asked };
}

const callPieces = [
  delta({ role: "assistant", content: null, reasoning_content: "stock?" }),
  delta({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "stock_count", arguments: "" } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '{"name":' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '"flour"}' } }] }),
  delta({}, "tool_calls"),
];

test("a chat with an OpenAI-compatible server shows the text as it comes, the calls, and what it cost", async () => {
  let goOn!: () => void;
  const seen = new Promise<void>((resolve) => (goOn = resolve));
  const { env, asked } = await modelServer(
    (response) => void response.end(callPieces.join("") + usage(100, 10, 0.0015) + "data: [DONE]\n\n"),
    async (response) => {
      response.write(delta({ role: "assistant", content: "There are " }));
      // The rest is not sent before what came first was shown.
      await seen;
      response.end(
        delta({ content: "three, 北京." }) + delta({}, "stop") + usage(200, 20, 0.0005) + "data: [DONE]\n\n",
      );
    },
  );
  const chat = startTenon(["chat", "how much flour?"], { cwd: startProject(), env });
  await chat.sees('→ stock_count {"name":"flour"}');
  await chat.sees("← stock_count ok");
  await chat.sees("There are ");
  goOn();
  await chat.sees("three, 北京.\n");
  await chat.sees("cost: $0.002 · 300 tokens in, 30 out · 2 model calls, 1 tool call · journal: sqlite");
  expect(await chat.ended).toMatchObject({ code: 0, err: "" });
  expect(asked).toMatchObject([
    { url: "/v1/chat/completions", key: "Bearer k", model: "some-model", stream: true },
    { stream_options: { include_usage: true } },
  ]);
  expect(asked[1].messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: "c1" });
});

test("without a cost of its own a server on this machine is free; without usage the tokens are an estimate", async () => {
  const hello = delta({ content: "hello" }) + delta({}, "stop");
  const { env } = await modelServer(
    (response) => void response.end(`${hello}${usage(100, 10, undefined)}data: [DONE]\n\n`),
    (response) => void response.end(`${hello}data: [DONE]\n\n`),
  );
  const cwd = startProject();
  const first = await tenon(["chat", "hi"], { cwd, env });
  expect(first.out).toMatch(/^hello\n.*cost: \$0 \(free model\) · 100 tokens in, 10 out · 1 model call, 0 tool calls/s);
  const second = await tenon(["chat", "hi"], { cwd, env });
  expect(second.out).toMatch(/cost: \$0 \(free model\) · about \d+ tokens in, 2 out/);
  expect(second.code).toBe(0);
});

test("an error in the middle of an answer ends the run, in the server's words", async () => {
  const { env } = await modelServer(
    (response) =>
      void response.end(
        `${delta({ content: "Well, " })}data: {"error":{"code":400,"message":"the upstream is gone"},"choices":[]}\n\ndata: [DONE]\n\n`,
      ),
  );
  const { out, code } = await tenon(["chat", "hi"], { cwd: startProject(), env });
  expect(out).toMatch(/Well, \n?.*the run failed model_error .*status 400, the upstream is gone/s);
  expect(code).toBe(1);
});
