import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the server of a test got it. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the server answers with: a body and its head, or a function that has the connection. */
export type Answer = Played | ((response: ServerResponse, asked: Asked) => void);

interface Played {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes as JSON, a text as it is. */
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly type?: string;
}

/** A server on this machine, closed after the test. The last answer stands for all that follow. */
export async function serviceServer(
  ...answers: readonly Answer[]
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const answer = answers[Math.min(asked.length, answers.length - 1)]!;
      const url = new URL(request.url!, "http://service.test");
      asked.push({ method: request.method!, url, headers: request.headers, body });
      if (typeof answer === "function") answer(response, asked.at(-1)!);
      else play(response, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function play(
  response: ServerResponse,
  { status = 200, headers = {}, body = "", type = "application/json" }: Played,
): void {
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** What every service may do wrong; how each tool tells it is the same. */
export const html: Answer = { type: "text/html; charset=utf-8", body: "<!doctype html><title>Sign in</title>" };
export const unauthorized: Answer = { status: 401, body: { error: "Invalid API key" } };
export const tooMany: Answer = { status: 429, headers: { "retry-after": "2" }, body: { error: "Too many requests" } };
export const broken: Answer = { status: 502, type: "text/html", body: "<h1>Bad Gateway</h1>" };
export const never: Answer = () => {};
export const cutOff: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"query":');
  setImmediate(() => response.destroy());
};
/** More than any cap of a test, without a length in its head. */
export const huge: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"query":"');
  for (let i = 0; i < 20; i++) response.write("x".repeat(10_000));
  response.end('"}');
};

/** The faults that any service may have, each with what the model reads of it to the end. */
export const faults: readonly (readonly [string, Answer, RegExp])[] = [
  ["HTML", html, /answered with HTML in place of \w+$/],
  ["401", unauthorized, /refused the \w+.* \(status 401\): Invalid API key$/],
  ["429 to the end", tooMany, /too many requests \(status 429\)/],
  ["a broken gateway", broken, /failed \(status 502\)/],
  ["a cut-off answer", cutOff, /broke off its answer/],
  ["more than is read", huge, /sent more than 50000 bytes/],
];

/** A clock on which every wait is over at once. `waits` are those that were asked for, in milliseconds. */
export function quickClock(): {
  readonly waits: number[];
  now(): number;
  elapsedMs(): number;
  setTimer(run: () => void, ms: number): { clear(): void };
} {
  const waits: number[] = [];
  let now = Date.UTC(2030, 0, 1);
  return {
    waits,
    now: () => now,
    elapsedMs: () => now,
    setTimer(run, ms) {
      waits.push(ms);
      const timer = setImmediate(() => {
        now += ms;
        run();
      });
      return { clear: () => clearImmediate(timer) };
    },
  };
}
