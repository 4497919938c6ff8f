import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { bytesOf, type Wire } from "./dialect.ts";

/** A body that is sent as it is. */
export interface Answer {
  readonly body: Wire;
  readonly streamed: boolean;
  readonly status?: number | undefined;
  /** Where the bytes are parted, each part a packet of its own. */
  readonly cuts?: readonly number[] | undefined;
  /** The connection breaks after this many bytes: closed as if all was sent, or reset. */
  readonly breakOff?: { readonly at: number; readonly how: "end" | "reset" } | undefined;
}

/** A server on this machine that gives answers in turn, the last one again and again. */
export interface ReplayServer {
  readonly url: string;
  /** What it was asked since the last `play`. */
  readonly asked: readonly { readonly path: string; readonly body: any; readonly text: string }[];
  play(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

export async function replayServer(): Promise<ReplayServer> {
  let answers: readonly Answer[] = [];
  let asked: { path: string; body: any; text: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      asked.push({ path: request.url ?? "", body: JSON.parse(text), text });
      void send(response, answers[Math.min(asked.length, answers.length) - 1]!);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    play(...next) {
      answers = next;
      asked = [];
    },
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  const { body, streamed, status = 200, breakOff } = answer;
  const stream = typeof body === "string" ? "text/event-stream; charset=utf-8" : "application/vnd.amazon.eventstream";
  response.writeHead(status, { "content-type": streamed ? stream : "application/json" });
  response.flushHeaders();
  const whole = bytesOf(body);
  const bytes = breakOff === undefined ? whole : whole.subarray(0, breakOff.at);
  let from = 0;
  for (const cut of answer.cuts ?? []) {
    if (cut <= from || cut >= bytes.length) continue;
    response.write(bytes.subarray(from, cut));
    from = cut;
    await new Promise((next) => setImmediate(next));
  }
  if (breakOff?.how !== "reset") return void response.end(bytes.subarray(from));
  response.write(bytes.subarray(from), () => setImmediate(() => response.destroy()));
}
