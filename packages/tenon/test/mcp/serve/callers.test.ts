import { createServer, request as nodeRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveMcp, type ServeMcpOptions } from "../../../src/doors/mcp/index.js";
import { createApp, defineAgent, defineTool, defineWorkflow, type App } from "../../../src/doors/tenon/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { testClock } from "../../../src/doors/testing/index.js";
import { createAppWith } from "../../../src/app/create-app.js";
import { clerkTools, seen, servesClerks } from "./clerk-app.js";
import { httpClient, metaOf, textOf } from "./mcp-client.js";
import { handshake, posted, postHeaders } from "./raw-messages.js";

const at = seen();
const faults: unknown[] = [];
const clerks = servesClerks(at, {
  authorize(token, request) {
    if (token === "broken") throw new Error("the directory is down");
    if (token === undefined || !token.startsWith("user-")) return undefined;
    return { owner: token.slice(5), executionContext: { token, agent: request.headers.get("user-agent") !== null } };
  },
  onError: (thrown) => faults.push(thrown),
});
beforeEach(() => {
  at.contexts.length = 0;
});

/** A request with whatever headers and method: `fetch` sets `Host` itself, and knows no `TRACE`. */
function raw(
  url: string,
  headers: Record<string, string>,
  body: unknown = handshake(),
  method = "POST",
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = nodeRequest(url, {
      method,
      headers: { ...postHeaders, ...headers },
    });
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on("error", reject);
    sent.end(method === "POST" ? JSON.stringify(body) : undefined);
  });
}

describe.each(["modern", "legacy"] as const)("callers of the %s revisions", (era) => {
  test("are who their token says: owner and context reach the tool", async () => {
    const ann = await httpClient(clerks.serving.url!, { era, token: "user-ann" });
    await ann.callTool({ name: "list_notes" });
    await ann.close();
    expect(at.contexts).toEqual([
      { owner: "ann", executionContext: { token: "user-ann", agent: true }, agent: "tool:list_notes" },
    ]);
    const [run] = await clerks.app.runs({ limit: 1 });
    expect(await clerks.app.inspect(run!.id)).toMatchObject({ owner: "ann" });
  });

  test("see nothing of each other's runs", async () => {
    const ann = await httpClient(clerks.serving.url!, { era, token: "user-ann" });
    const bob = await httpClient(clerks.serving.url!, { era, token: "user-bob" });
    const waiting = await ann.callTool({ name: "save_note", arguments: { text: "milk" } });
    const { "tenon/runId": runId } = metaOf(waiting);
    const foreign = await bob.callTool({ name: "tenon_result", arguments: { runId } });
    const absent = await bob.callTool({ name: "tenon_result", arguments: { runId: "00000000-none" } });
    expect(foreign).toMatchObject({ isError: true, _meta: { "tenon/code": "run_not_found" } });
    expect(textOf(foreign).replace(runId!, "00000000-none")).toBe(textOf(absent));
    expect(textOf(await ann.callTool({ name: "tenon_result", arguments: { runId } }))).toContain("waits for approval");
    await Promise.all([ann.close(), bob.close()]);
  });

  test("without a token that counts are refused", async () => {
    await expect(httpClient(clerks.serving.url!, { era })).rejects.toThrow();
    await expect(httpClient(clerks.serving.url!, { era, token: "nobody" })).rejects.toThrow();
    const before = faults.length;
    await expect(httpClient(clerks.serving.url!, { era, token: "broken" })).rejects.toThrow();
    expect(faults.slice(before)).toMatchObject([{ message: "the directory is down" }]);
  });
});

test("a session belongs to who began it", async () => {
  const began = await fetch(clerks.serving.url!, {
    method: "POST",
    headers: { ...postHeaders, authorization: "Bearer user-ann" },
    body: JSON.stringify(handshake()),
  });
  expect(began.status).toBe(200);
  const session = { "mcp-session-id": began.headers.get("mcp-session-id")! };
  await began.text();
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  expect(await raw(clerks.serving.url!, { ...session, authorization: "Bearer user-bob" }, list)).toBe(404);
  expect(await raw(clerks.serving.url!, { ...session, authorization: "Bearer nobody" }, list)).toBe(401);
  expect(await raw(clerks.serving.url!, { ...session, authorization: "Bearer user-ann" }, list)).toBe(200);
});

test("only this machine's names reach it, from no foreign page", async () => {
  const token = { authorization: "Bearer user-ann" };
  expect(await raw(clerks.serving.url!, token)).toBe(200);
  expect(await raw(clerks.serving.url!, { ...token, host: "evil.example" })).toBe(403);
  expect(await raw(clerks.serving.url!, { ...token, origin: "http://evil.example" })).toBe(403);
  expect(await raw(clerks.serving.url!, { ...token, origin: "http://localhost:5000" })).toBe(200);
  expect(await raw(clerks.serving.url!, { ...token, host: "localhost" })).toBe(200);
  expect(await raw(new URL("/other", clerks.serving.url).href, token)).toBe(404);
});

test.each(["local host", "[::1", "localhost:99999", "localhost@evil.example"])(
  "a `Host` that is none is refused as a foreign one: %s",
  async (host) => {
    const before = faults.length;
    expect(await raw(clerks.serving.url!, { authorization: "Bearer user-ann", host })).toBe(403);
    expect(faults.slice(before)).toEqual([]);
  },
);

test.each(["TRACE", "PUT", "PATCH", "OPTIONS"])(
  "a method that is not served, %s, is refused as such",
  async (method) => {
    const before = faults.length;
    expect(await raw(clerks.serving.url!, { authorization: "Bearer user-ann" }, undefined, method)).toBe(405);
    expect(faults.slice(before)).toEqual([]);
  },
);

test.each<readonly [string, () => unknown, string]>([
  ["a list", () => [], "a list"],
  ["a text", () => "ann", "ann"],
  ["a misspelled owner", () => ({ user: "ann" }), "unknown option `user`"],
  ["an owner that is no text", () => ({ owner: 5 }), "owner must be a text"],
  ["an owner of nothing", () => ({ owner: " " }), "owner must be a text"],
  ["half a character", () => ({ owner: "a\ud800" }), "well-formed"],
  [
    "what cannot be read",
    () => ({
      get owner() {
        throw new Error("no");
      },
    }),
    "",
  ],
])("`authorize` that gives %s refuses, and its author hears why", async (_, authorize, why) => {
  const heard: unknown[] = [];
  const options = { authorize: authorize as never, onError: (thrown: unknown) => void heard.push(thrown) };
  await using odd = await serveMcp(clerks.app, options);
  expect(await raw(odd.url!, {})).toBe(401);
  expect(heard).toHaveLength(1);
  expect(String(heard[0])).toContain(why);
});

test.each<readonly [string, () => unknown]>([
  ["throws", () => JSON.parse("{")],
  ["rejects", () => Promise.reject(new Error("nobody is there"))],
])("an `onError` that %s breaks nothing", async (_, onError) => {
  let heard = 0;
  const unhandled: unknown[] = [];
  const hear = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  await using odd = await serveMcp(clerks.app, {
    authorize: () => Promise.reject(new Error("the directory is down")),
    onError: () => (heard++, onError()),
  });
  for (const times of [1, 2]) {
    expect(await raw(odd.url!, {})).toBe(401);
    expect(heard).toBe(times);
  }
  // What nobody handles is told once everything that goes on now is done.
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

test("`authorize` that hangs refuses after its time, and lets nobody in later", async () => {
  const clock = testClock();
  const heard: unknown[] = [];
  const asked: ((caller: { owner: string }) => void)[] = [];
  const { append } = clerkTools(at);
  const agent = defineAgent({ name: "clerk", description: "Appends.", tools: [append], model: offlineModel() });
  await using slow = await createAppWith(agent, {}, { clock });
  await using hanging = await serveMcp(slow, {
    transport: "none",
    authorize: () => new Promise((resolve) => asked.push(resolve)),
    onError: (thrown) => void heard.push(thrown),
  });
  const statuses: number[] = [];
  const send = (): Promise<unknown> => hanging.fetch(posted(handshake())).then(({ status }) => statuses.push(status));
  const late = send();
  await clock.advance(9_999);
  const inTime = send();
  asked[1]!({ owner: "ann" });
  await inTime;
  expect(statuses).toEqual([200]);
  expect(heard).toEqual([]);
  await clock.advance(1);
  await late;
  expect(statuses).toEqual([200, 401]);
  expect(heard).toMatchObject([{ code: "bad_input", message: expect.stringContaining("no answer in 10000 ms") }]);
  asked[0]!({ owner: "ann" });
  // The one that was answered has no time left that could run out.
  await clock.advance(60_000);
  expect(statuses).toEqual([200, 401]);
  expect(heard).toHaveLength(1);
});

test("names that are allowed reach it", async () => {
  await using named = await serveMcp(clerks.app, { allowedHosts: ["tools.example"], allowedOrigins: ["app.example"] });
  expect(await raw(named.url!, { host: "tools.example" })).toBe(200);
  expect(await raw(named.url!, { host: "localhost" })).toBe(403);
  expect(await raw(named.url!, { host: "tools.example", origin: "https://app.example" })).toBe(200);
  expect(await raw(named.url!, { host: "tools.example", origin: "https://tools.example" })).toBe(403);
});

test("mounted into a server of one's own, in both ways", async () => {
  await using mounted = await serveMcp(clerks.app, { transport: "none", caller: { owner: "house" } });
  expect(mounted.url).toBeUndefined();
  const server = createServer((request, response) => void mounted.handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/anywhere`;
  const client = await httpClient(url);
  expect(textOf(await client.callTool({ name: "list_notes" }))).toBe("20 notes");
  expect(at.contexts).toMatchObject([{ owner: "house" }]);
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const answer = await mounted.fetch(posted(handshake()));
  expect(answer.status).toBe(200);
  await answer.text();
});

test("the tools that are offered: those that are named, by class or name", async () => {
  await using some = await serveMcp(clerks.app, { tools: ["draw", "list_notes"] });
  expect(some.tools).toEqual(["draw", "list_notes"]);
  const client = await httpClient(some.url!);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["draw", "list_notes"]);
  await expect(client.callTool({ name: "save_note", arguments: { text: "plain" } })).rejects.toMatchObject({
    code: -32602,
  });
  await client.close();
});

const { list: stranger } = clerkTools(seen());
const wrong: readonly (readonly [string, unknown, string])[] = [
  ["a name that is not there", { tools: ["list_note"] }, "list_note is no tool of the app's agents"],
  ["a tool of nobody", { tools: [stranger] }, "list_notes is no tool of the app's agents"],
  ["a caller with a slip", { caller: { user: "ann" } }, "unknown option `user`"],
  ["something else", { tools: [5] }, "5 is no tool"],
  ["an unknown option", { tool: [] }, "unknown option `tool`"],
  ["a way that is none", { transport: "pigeon" }, 'transport must be "http" or "stdio" or "none"'],
  ["a port that is none", { port: 70_000 }, "port must be a whole number from 0 to 65535"],
  ["a path that is none", { path: "mcp" }, "path must begin with /"],
  ["an address that others reach, open to all", { host: "0.0.0.0" }, "give `authorize` too"],
  [
    "a port without a server of its own",
    { transport: "none", port: 1, path: "/x" },
    'port says nothing where `transport` is "none"',
  ],
  [
    "a host of standard input and output",
    { transport: "stdio", host: "localhost" },
    'host says nothing where `transport` is "stdio"',
  ],
  ["an output that is none", { transport: "stdio", output: 5 }, "output must be a stream"],
  ["an output that only writes", { transport: "stdio", output: { write: () => true } }, "output must be a stream"],
  ["an input that only reads", { transport: "stdio", input: { read: () => null } }, "input must be a stream"],
  [
    "a caller beside authorize",
    { authorize: () => undefined, caller: { owner: "ann" } },
    "caller says nothing beside `authorize`",
  ],
  ["an output of HTTP", { output: process.stderr }, 'output says nothing where `transport` is "http"'],
  ["a caller without a name", { caller: { owner: "" } }, "caller: owner must be a text that is not empty"],
];
test.each(wrong)("%s is an error at once", async (_what, options, message) => {
  await expect(serveMcp(clerks.app, options as ServeMcpOptions)).rejects.toMatchObject({ code: "bad_input" });
  await expect(serveMcp(clerks.app, options as ServeMcpOptions)).rejects.toThrow(message);
});

test("what is no app, a port that is taken, and two tools of one name are errors at once", async () => {
  await expect(serveMcp({} as App)).rejects.toMatchObject({ code: "bad_input" });
  await expect(serveMcp(clerks.app, { port: Number(new URL(clerks.serving.url!).port) })).rejects.toThrow(
    "cannot listen there",
  );
  const tool = (said: string) => defineTool({ name: "same", description: "Says it.", run: () => said });
  const model = offlineModel();
  const agents = ["a", "b"].map((name) => defineAgent({ name, description: "Says.", tools: [tool(name)], model }));
  await using two = await createApp(defineWorkflow({ name: "two", agents }));
  await expect(serveMcp(two)).rejects.toThrow("two tools of the app are named same");
});
