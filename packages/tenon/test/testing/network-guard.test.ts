import dns, { lookup, promises as dnsPromises, resolve4 } from "node:dns";
import { createServer, get, request } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net, { connect, createServer as createTcp, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Agent, createApp } from "../../src/doors/tenon/index.js";
import { allowNetwork, NetworkBlockedError, replyWith, testWith } from "../../src/doors/testing/index.js";
import { guardNetwork } from "../../src/testing/network-guard.js";

@Agent({ name: "plain", description: "Talks." })
class Plain {}
const plainTest = testWith(Plain);

const server = createServer((_request, response) => response.end("reached"));
let port = 0;
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  url = `http://127.0.0.1:${port}/`;
});
afterAll(() => void server.close());

/** The guard, until the test is over. */
function guarded(): void {
  onTestFinished(guardNetwork({}));
}

/** The error of an emitter, or of a promise, with what is behind it. */
async function failure(of: { once(event: "error", run: (error: unknown) => void): unknown } | Promise<unknown>) {
  const error = await (of instanceof Promise
    ? of.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    : new Promise((resolve) => of.once("error", resolve)));
  return ((error as Error | undefined)?.cause ?? error) as NetworkBlockedError;
}

describe("what is tried", () => {
  test.each<[string, string, () => Parameters<typeof failure>[0]]>([
    ["net.connect(port, host)", "127.0.0.1", () => connect(port, "127.0.0.1")],
    ["net.connect(options)", "192.0.2.1", () => net.connect({ host: "192.0.2.1", port })],
    ["net.connect(port)", "localhost", () => net.connect(port)],
    ["new net.Socket().connect(port as text)", "localhost", () => new net.Socket().connect(String(port) as never)],
    ["tls.connect", "192.0.2.1", () => tls.connect({ host: "192.0.2.1", port })],
    ["http.get", "127.0.0.1", () => get(url)],
    ["http.request with a body", "127.0.0.1", () => request(url, { method: "POST" }).end("body")],
    ["https.get", "example.com", () => https.get(`https://example.com:${port}/`)],
    ["http2.connect", "example.com", () => http2.connect(`https://example.com:${port}/`)],
    ["fetch of an address", "127.0.0.1", () => fetch(url)],
    ["fetch of a name", "example.com", () => fetch(`https://example.com:${port}/`)],
  ])("%s fails with an error that names the host and the way out", async (_what, host, tried) => {
    guarded();
    const error = await failure(tried());
    expect(NetworkBlockedError.is(error)).toBe(true);
    expect(error.data).toEqual({ host, port });
    expect(error.message).toBe(
      `A test tried to reach the network: ${host}:${port}. Put a mock in its place, or allow it: allowNetwork("${host}").`,
    );
  });

  test.each<[string, () => Promise<unknown>]>([
    ["dns.lookup", () => promisify(lookup)("example.com")],
    ["dns.lookup with options", () => promisify(dns.lookup)("example.com", { family: 4 })],
    ["dns.resolve4", () => promisify(resolve4)("example.com")],
    ["dns.promises.lookup", () => dnsPromises.lookup("example.com")],
    ["dns.promises.resolveMx", () => dns.promises.resolveMx("example.com")],
    ["a Resolver", () => new dns.promises.Resolver().resolve4("example.com")],
    [
      "a Resolver with a callback",
      () =>
        new Promise((resolve, reject) =>
          new dns.Resolver().resolve4("example.com", (error) => (error === null ? resolve(0) : reject(error))),
        ),
    ],
  ])("%s fails, too", async (_what, tried) => {
    guarded();
    const error = await failure(tried());
    expect(NetworkBlockedError.is(error)).toBe(true);
    expect(error.data).toEqual({ host: "example.com", port: undefined });
    expect(error.message).toContain("network: example.com. Put");
  });

  test("a WebSocket fails", async () => {
    guarded();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    await new Promise((resolve) => socket.addEventListener("error", resolve));
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });

  test("an address of version 6 is shown in brackets", async () => {
    guarded();
    expect((await failure(net.connect(80, "::1"))).message).toContain("network: [::1]:80");
  });
});

test("listening, looking up this machine, files' sockets and child processes are none of its business", async () => {
  guarded();
  const listening = createTcp();
  await new Promise<void>((resolve) => listening.listen(0, "localhost", resolve));
  listening.close();
  expect((await dnsPromises.lookup("127.0.0.1")).address).toBe("127.0.0.1");
  expect((await promisify(lookup)("localhost")).address).toBeTypeOf("string");
  const path = join(tmpdir(), `tenon-guard-${process.pid}.sock`);
  const local = createTcp((socket) => socket.end("local"));
  await new Promise<void>((resolve) => local.listen(path, resolve));
  const socket = net.connect(path);
  const text = await new Promise((resolve) => socket.on("data", (data) => resolve(String(data))));
  local.close();
  expect(text).toBe("local");
  const script = `fetch("${url}").then((r) => r.text()).then(console.log)`;
  expect((await promisify(execFile)(process.execPath, ["--eval", script])).stdout.trim()).toBe("reached");
});

test("without anybody who wants it, nothing is guarded", async () => {
  const letGo = guardNetwork({});
  letGo();
  expect(await (await fetch(url)).text()).toBe("reached");
});

describe("allowNetwork", () => {
  const reached = async (): Promise<string> => (await fetch(url)).text();

  test.each([["127.0.0.1"], ["loopback"], ["*"]])("lets through %s", async (host) => {
    guarded();
    allowNetwork("other.example", host);
    expect(await reached()).toBe("reached");
  });

  test("may name the port, and then lets through no other", async () => {
    guarded();
    allowNetwork(`127.0.0.1:${port}`, "LOCALHOST:1");
    expect(await reached()).toBe("reached");
    expect((await failure(net.connect(1, "127.0.0.1"))).code).toBe("network_blocked");
    expect((await failure(net.connect(1, "localhost"))).code).not.toBe("network_blocked");
  });

  test("loopback is this machine only, and a name is that name only", async () => {
    guarded();
    allowNetwork("loopback", "example.com");
    for (const host of ["192.0.2.1", "127.0.0.1.example.com", "sub.example.com"])
      expect((await failure(net.connect(port, host))).code).toBe("network_blocked");
  });

  test("ends with its test", async () => {
    guarded();
    expect((await failure(reached())).code).toBe("network_blocked");
  });

  test("ends when it is disposed of", async () => {
    guarded();
    const allowed = allowNetwork("127.0.0.1");
    expect(await reached()).toBe("reached");
    allowed[Symbol.dispose]();
    expect((await failure(fetch(url, { headers: { connection: "close" } }))).code).toBe("network_blocked");
  });

  test("takes hosts", () => {
    for (const bad of [[], [""], ["http://127.0.0.1/"], ["a b"], [undefined], [5]])
      expect(() => allowNetwork(...(bad as string[]))).toThrowError(expect.objectContaining({ code: "bad_input" }));
  });
});

describe("testWith", () => {
  plainTest("guards its tests by itself", async ({ app }) => {
    expect((await app.health()).closed).toBe(false);
    expect((await failure(fetch(url))).code).toBe("network_blocked");
  });

  test("and no others", async () => {
    expect(await (await fetch(url)).text()).toBe("reached");
  });

  plainTest("a run fails where its model is on the network", async ({ app, mockLlm }) => {
    mockLlm(Plain).thenReturn(replyWith("scripted"));
    expect((await app.run({ prompt: "a" })).text).toBe("scripted");
    await using other = await createApp(Plain, { env: { TENON_MODEL: "m", TENON_BASE_URL: `${url}v1` } });
    const { status, error } = await other.run({ prompt: "a" });
    expect([status, error?.code]).toEqual(["failed", "model_error"]);
    expect(error?.message).toContain("allowNetwork");
  });

  testWith(Plain, { network: ["loopback"] })("may be told what to allow", async ({ app }) => {
    await app.health();
    expect(await (await fetch(url)).text()).toBe("reached");
  });

  testWith(Plain, () => ({ network: ["http://x/"] }))("refuses what is no host", async ({ app }) => {
    await expect(app.health()).rejects.toThrow(/`network` lists hosts/);
  });
});
