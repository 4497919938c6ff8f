import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { ToolError, MissingVariableError } from "tenon";
import { describe, expect, test } from "vitest";
import { findKey, readKey } from "../../src/builtin/http/api-key.js";
import type { HttpSettings } from "../../src/builtin/http/http-settings.js";
import { retryAfterMs, waitBefore } from "../../src/builtin/http/retry-wait.js";
import type { ServiceError } from "../../src/builtin/http/service-error.js";
import { ServiceHttp, type ServiceHttpOptions } from "../../src/builtin/http/service-http.js";
import {
  broken,
  cutOff,
  html,
  huge,
  quickClock,
  serviceServer,
  tooMany,
  unauthorized,
  type Answer,
} from "./service-server.js";

const key = { variable: "EXAMPLE_KEY", value: "s3cret+/" };

async function open(answers: readonly Answer[], settings: HttpSettings = {}, more: Partial<ServiceHttpOptions> = {}) {
  const server = await serviceServer(...answers);
  const clock = quickClock();
  const signal = new AbortController().signal;
  const http = new ServiceHttp({
    service: "Example",
    settings: { clock, ...settings },
    signal,
    timeoutMs: 30_000,
    ...more,
  });
  return { http, url: new URL(`${server.url}/v1?q=1`), asked: server.asked, waits: clock.waits };
}

async function failure(work: Promise<unknown>): Promise<ServiceError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ToolError);
  return thrown as ServiceError;
}

/** Where nobody listens any more. */
async function closedPort(): Promise<URL> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return new URL(`http://127.0.0.1:${port}/`);
}

describe("a request", () => {
  test("carries what the app says of itself, and JSON", async () => {
    const { http, url, asked } = await open([{ body: { ok: 1 } }], { email: "ops@example.com" });
    expect(await http.json({ url, headers: { "x-key": "k", "user-agent": "model" }, body: { a: 1 } })).toEqual({
      ok: 1,
    });
    expect(asked[0]).toMatchObject({
      method: "POST",
      body: '{"a":1}',
      headers: {
        "user-agent": "tenon (ops@example.com)",
        "content-type": "application/json",
        accept: "application/json",
        "x-key": "k",
      },
    });
    const named = await open([{ body: 1 }], { userAgent: "shop-bot/1.0", email: "ops@example.com" });
    await named.http.json({ url: named.url });
    expect(named.asked[0]).toMatchObject({ method: "GET", headers: { "user-agent": "shop-bot/1.0" } });
  });

  test("goes through the app's own fetch", async () => {
    const seen: string[] = [];
    const { http, url, asked } = await open([{ body: 1 }], {
      fetch: async (to) => {
        seen.push((to as URL).href);
        return Response.json({ mine: true });
      },
    });
    expect(await http.json({ url })).toEqual({ mine: true });
    expect(seen).toEqual([url.href]);
    expect(asked).toEqual([]);
  });
});

describe("an answer that cannot be used", () => {
  test.each<[string, Answer, RegExp]>([
    ["HTML", html, /^Example answered with HTML in place of JSON$/],
    ["HTML that calls itself JSON", { body: " <html></html>" }, /HTML in place of JSON/],
    ["another type", { type: "text/csv", body: "1,2" }, /answered with text\/csv in place of JSON$/],
    ["half a JSON", { body: '{"a":' }, /no whole JSON \(5 characters\)/],
    ["nothing", { status: 204 }, /no whole JSON \(0 characters\)/],
    ["a redirect", { status: 302, headers: { location: "http://169.254.169.254/" } }, /redirect.*\(status 302\)/],
    [
      "a wrong request",
      { status: 400, body: { error: { message: "no\nsuch field" } } },
      /refused the request \(status 400\): no such field$/,
    ],
    ["a status without words", { status: 404, type: "text/html", body: "<p>" }, /refused the request \(status 404\)$/],
  ])("%s is an error, and is not asked for again", async (_, answer, message) => {
    const { http, url, asked } = await open([answer]);
    expect((await failure(http.json({ url }))).message).toMatch(message);
    expect(asked).toHaveLength(1);
  });

  test("HTML in place of XML is an error too", async () => {
    const { http, url } = await open([html]);
    expect((await failure(http.xml({ url }))).message).toBe("Example answered with HTML in place of XML");
    const xml = await open([{ type: "text/xml; charset=UTF-8", body: "<a/>" }]);
    expect(await xml.http.xml({ url: xml.url })).toBe("<a/>");
  });

  test("more than the cap is not read, whatever its head says", async () => {
    const { http, url, asked } = await open([huge], { maxBytes: 30_000 });
    expect((await failure(http.json({ url }))).message).toBe("Example sent more than 30000 bytes. Ask for less");
    expect(asked).toHaveLength(1);
  });

  test("the cap counts what comes out of a compressed body", async () => {
    const bomb: Answer = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(`"${"x".repeat(1_000_000)}"`));
    };
    const { http, url } = await open([bomb], { maxBytes: 100_000 });
    expect((await failure(http.json({ url }))).message).toContain("more than 100000 bytes");
  });

  test("a key that the service refuses is named, and nothing of it is shown", async () => {
    const { http, url } = await open(
      [{ status: 401, body: { error: `bad key ${key.value}, also ${encodeURIComponent(key.value)}` } }],
      {},
      { key },
    );
    const { message, status } = await failure(http.json({ url }));
    expect(message).toBe("Example refused the key in EXAMPLE_KEY (status 401): bad key ***, also ***");
    expect(status).toBe(401);
    const plain = await open([unauthorized]);
    expect((await failure(plain.http.json({ url: plain.url }))).message).toMatch(
      /^Example refused the request \(status 401\)/,
    );
  });

  test("a service's words are cut", async () => {
    const { http, url } = await open([{ status: 400, body: { message: "x".repeat(5_000) } }]);
    expect((await failure(http.json({ url }))).message.length).toBeLessThan(300);
  });
});

describe("asking again", () => {
  test.each<[string, Answer]>([
    ["too many requests", tooMany],
    ["a broken gateway", broken],
    ["an answer that is cut off", cutOff],
  ])("%s passes", async (_, answer) => {
    const { http, url, asked, waits } = await open([answer, answer, { body: { ok: 1 } }]);
    expect(await http.json({ url })).toEqual({ ok: 1 });
    expect(asked).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  test("ends after three attempts, with what was wrong last", async () => {
    const { http, url, asked, waits } = await open([tooMany]);
    expect((await failure(http.json({ url }))).message).toBe(
      "Example has had too many requests (status 429): Too many requests. It asks to wait 2 s",
    );
    expect(asked).toHaveLength(3);
    for (const ms of waits) expect(ms).toBeGreaterThanOrEqual(2_000);
    const cut = await open([cutOff]);
    expect((await failure(cut.http.json({ url: cut.url }))).message).toMatch(
      /^Example could not be reached, or broke off its answer/,
    );
    const failed = await open([broken]);
    expect((await failure(failed.http.json({ url: failed.url }))).message).toBe(
      "Example failed (status 502). Try later, or do without",
    );
  });

  test("does not wait beyond the time of the call", async () => {
    const { http, url, asked, waits } = await open([{ status: 429, headers: { "retry-after": "30" } }]);
    expect((await failure(http.json({ url }))).message).toContain("It asks to wait 30 s");
    expect(asked).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test("a service that nobody answers for", async () => {
    const { http } = await open([]);
    const { message } = await failure(http.json({ url: await closedPort() }));
    expect(message).toBe("Example could not be reached, or broke off its answer (ECONNREFUSED)");
  });

  test("stops with the call, while it waits for an answer and between attempts", async () => {
    const stop = new AbortController();
    const end = (): void => stop.abort(new Error("stopped"));
    // The one is stopped as soon as it is asked, the other as soon as it waits.
    const waiting = await open([end], {}, { signal: stop.signal });
    await expect(waiting.http.json({ url: waiting.url })).rejects.toThrow("stopped");
    expect(waiting.asked).toHaveLength(1);

    const later = new AbortController();
    const clock = { ...quickClock(), setTimer: () => (later.abort(new Error("stopped")), { clear() {} }) };
    const between = await open([tooMany], { clock }, { signal: later.signal });
    await expect(between.http.json({ url: between.url })).rejects.toThrow("stopped");
    expect(between.asked).toHaveLength(1);
  });

  test("a gate is passed before each attempt", async () => {
    let passed = 0;
    const gate = async (): Promise<void> => void passed++;
    const { http, url } = await open([tooMany, { body: 1 }], {}, { gate });
    await http.json({ url });
    expect(passed).toBe(2);
  });
});

describe("a write", () => {
  test.each<[string, Answer]>([
    ["a failure", broken],
    ["a 503 that says nothing", { status: 503 }],
    ["a cut-off answer", cutOff],
    ["HTML", html],
    ["half a JSON", { body: "{" }],
  ])("is not made again after %s: it may have been done", async (_, answer) => {
    const { http, url, asked } = await open([answer]);
    const thrown = await failure(http.json({ url, body: {}, write: true }));
    expect(thrown.message).toContain("It may have been done: check before you repeat it");
    expect(thrown).toMatchObject({ inDoubt: true, outcome: undefined });
    expect(asked).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ["too many requests", tooMany],
    ["a service that is not ready and says until when", { status: 503, headers: { "retry-after": "1" } }],
  ])("is made again after %s", async (_, answer) => {
    const { http, url, asked } = await open([answer, { body: 1 }]);
    expect(await http.json({ url, body: {}, write: true })).toBe(1);
    expect(asked).toHaveLength(2);
  });

  const failed = (code: string, syscall: string | undefined): Error =>
    Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  test.each<[string, Error, number]>([
    ["a host that is not reached", failed("EHOSTUNREACH", "connect"), 3],
    ["a connection that nobody takes", failed("ECONNREFUSED", "connect"), 3],
    ["a name that is not found", failed("ENOTFOUND", "getaddrinfo"), 3],
    ["a connection that takes too long", failed("UND_ERR_CONNECT_TIMEOUT", undefined), 3],
    [
      "all addresses that are not reached",
      new AggregateError([failed("EHOSTUNREACH", "connect"), failed("ENETUNREACH", "connect")]),
      3,
    ],
    ["a host that is lost while it answers", failed("EHOSTUNREACH", "read"), 1],
    ["a network that is lost while it answers", failed("ENETUNREACH", "read"), 1],
    ["a refusal without its cause", failed("ECONNREFUSED", undefined), 1],
    [
      "one of two that was reached",
      new AggregateError([failed("EHOSTUNREACH", "connect"), failed("EPIPE", "write")]),
      1,
    ],
  ])("after %s", async (_, cause, requests) => {
    let sent = 0;
    const fetch: typeof globalThis.fetch = async () => {
      sent++;
      throw new TypeError("fetch failed", { cause });
    };
    const { http, url } = await open([], { fetch });
    const thrown = await failure(http.json({ url, body: {}, write: true }));
    expect({ sent, inDoubt: thrown.inDoubt }).toEqual({ sent: requests, inDoubt: requests === 1 });
  });

  test("did nothing where it was refused or never sent", async () => {
    const { http, url } = await open([{ status: 400 }]);
    expect(await failure(http.json({ url, body: {}, write: true }))).toMatchObject({
      inDoubt: false,
      outcome: "not-done",
    });
    const gone = await failure(http.json({ url: await closedPort(), body: {}, write: true }));
    expect(gone.message).not.toContain("check before");
  });
});

describe("waits and keys", () => {
  const at = Date.UTC(2030, 0, 1);
  test.each([
    ["3", 3_000],
    ["0.5", 500],
    ["Tue, 01 Jan 2030 00:00:10 GMT", 10_000],
    ["Mon, 31 Dec 2029 00:00:10 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
  ])("retry-after %j", (text, ms) => {
    expect(retryAfterMs(new Headers({ "retry-after": text }), at)).toBe(ms);
  });

  test("a date counts against the answer's own", () => {
    const headers = { "retry-after": "Tue, 01 Jan 2030 00:00:10 GMT", date: "Tue, 01 Jan 2030 00:00:07 GMT" };
    expect(retryAfterMs(new Headers(headers), 0)).toBe(3_000);
  });

  test("own waits double, half of them by chance", () => {
    expect([1, 2].map((n) => waitBefore(n, undefined, 9_000, () => 0))).toEqual([250, 500]);
    expect([1, 2].map((n) => waitBefore(n, undefined, 9_000, () => 1))).toEqual([500, 1_000]);
    expect(waitBefore(1, 2_000, 9_000, () => 1)).toBe(2_200);
    expect(waitBefore(1, undefined, 1_400, () => 1)).toBeUndefined();
  });

  test("a key comes from the environment of the app when it is asked for", () => {
    expect(findKey({ EXAMPLE_KEY: " k1\n" }, "EXAMPLE_KEY")).toEqual({ variable: "EXAMPLE_KEY", value: "k1" });
    for (const value of [undefined, "", "  "]) {
      expect(findKey({ EXAMPLE_KEY: value }, "EXAMPLE_KEY")).toBeUndefined();
      expect(() => readKey({ EXAMPLE_KEY: value }, "EXAMPLE_KEY", "Example")).toThrow(MissingVariableError);
      expect(() => readKey({ EXAMPLE_KEY: value }, "EXAMPLE_KEY", "Example")).toThrow(
        "Example needs a key: EXAMPLE_KEY. Set the environment variable EXAMPLE_KEY.",
      );
    }
  });

  test("what cannot be a key is refused before a header quotes it", () => {
    const refused = (): unknown => readKey({ EXAMPLE_KEY: "se\ncret" }, "EXAMPLE_KEY", "Example");
    expect(refused).toThrow(/EXAMPLE_KEY holds what cannot be a key/);
    expect(refused).not.toThrow(/cret/);
  });
});
