import { expect, test } from "vitest";
import { connectionToUrl, fastClock, wordsOf } from "./connections.js";
import { handshake, httpServer, result, said, sendJson, type Seen } from "./http-server.js";

test("[B81] a session that the server forgot is made anew, and the call is sent once more", async () => {
  const sessions = new Set<string>();
  let made = 0;
  const basics = handshake(sessions, () => `s${++made}`);
  let calls = 0;
  const server = await httpServer((seen, response) => {
    if (seen.method === "tools/call" && calls === 2 && made === 1) sessions.clear();
    if (basics(seen, response)) return;
    calls++;
    sendJson(response, 200, result(seen, said(String(seen.headers["mcp-session-id"]))));
  });
  const connection = connectionToUrl(server.url);
  const answers: string[] = [];
  for (let n = 0; n < 4; n++) answers.push(wordsOf(await connection.call("any", {})));
  expect(answers).toEqual(["s1", "s1", "s2", "s2"]);
  expect(server.count("initialize")).toBe(2);
  for (const { headers, method } of server.seen)
    if (method === "initialize") expect(headers["mcp-session-id"]).toBeUndefined();
});

test("[B81] a server that always answers 404 is an error after one retry, for calls and for lists", async () => {
  const sessions = new Set<string>();
  const basics = handshake(sessions);
  const server = await httpServer((seen, response) => {
    if (seen.method === "tools/call" || seen.method === "tools/list") return void response.writeHead(404).end();
    basics(seen, response);
  });
  const connection = connectionToUrl(server.url);
  await expect(connection.call("any", {})).rejects.toMatchObject({
    code: "mcp_connection",
    data: { reason: "refused", status: 404, started: false },
  });
  expect(server.count("tools/call")).toBe(2);
  expect(server.count("initialize")).toBe(2);
  await expect(connection.tools()).rejects.toMatchObject({ data: { status: 404 } });
  expect(server.count("tools/list")).toBe(2);
  expect(server.count("initialize")).toBe(4);
});

test("a server where nothing is found at all is asked twice, the newest way and the older one", async () => {
  const server = await httpServer((_seen, response) => void response.writeHead(404).end());
  const connection = connectionToUrl(server.url);
  await expect(connection.tools()).rejects.toMatchObject({ data: { reason: "start", status: 404, started: false } });
  expect(server.seen.map(({ method }) => method)).toEqual(["server/discover", "initialize"]);
});

interface Caller {
  readonly token: string;
}

const bearer = { headers: (context: unknown) => ({ authorization: `Bearer ${(context as Caller).token}` }) };

/** A session belongs to who made it, and the server says who asked. */
async function serverOfCallers() {
  const sessions = new Set<string>();
  const ofCaller = (seen: Seen): string => `session of ${(seen.headers.authorization ?? "").slice("Bearer ".length)}`;
  const basics = handshake(sessions, ofCaller);
  return httpServer((seen, response) => {
    if (seen.headers.authorization === undefined) return void response.writeHead(401).end();
    const session = seen.headers["mcp-session-id"];
    if (session !== undefined && session !== ofCaller(seen))
      return void response.writeHead(403).end("another's session");
    if (basics(seen, response)) return;
    sendJson(response, 200, result(seen, said(`${session}`)));
  });
}

test("callers with different headers have sessions of their own, and the same caller keeps one", async () => {
  const server = await serverOfCallers();
  const connection = connectionToUrl(server.url, bearer);
  const call = (token: string) => connection.call("any", {}, { context: { token } });
  const answers = await Promise.all(["token-ann", "token-bob", "token-ann"].map(call));
  expect(answers.map(wordsOf)).toEqual(["session of token-ann", "session of token-bob", "session of token-ann"]);
  expect(await connection.tools({ token: "token-bob" })).toHaveLength(1);
  expect(connection.tools({ token: "token-bob" })).not.toBeInstanceOf(Promise);
  expect(server.count("initialize")).toBe(2);
  await connection.close();
  expect(server.seen.filter(({ verb }) => verb === "DELETE").map(({ headers }) => headers["mcp-session-id"])).toEqual(
    expect.arrayContaining(["session of token-ann", "session of token-bob"]),
  );
});

test("what makes the headers may take its time, and what it throws is the caller's error before anything is sent", async () => {
  const server = await serverOfCallers();
  const connection = connectionToUrl(server.url, {
    headers: async (context) => {
      await Promise.resolve();
      if (context === undefined) throw new TypeError("nobody");
      return { authorization: "Bearer later" };
    },
  });
  expect(wordsOf(await connection.call("any", {}, { context: {} }))).toBe("session of later");
  const before = server.seen.length;
  await expect(connection.call("any", {})).rejects.toThrow("nobody");
  expect(server.seen).toHaveLength(before);
});

test("the sessions of many callers are bounded: the one that was not used for longest goes", async () => {
  const server = await serverOfCallers();
  const connection = connectionToUrl(server.url, bearer);
  const call = (n: number) => connection.call("any", {}, { context: { token: `caller-${n}` } });
  for (let n = 0; n < 40; n++) await call(n);
  await expect.poll(() => server.seen.filter(({ verb }) => verb === "DELETE").length).toBe(8);
  expect(server.seen.find(({ verb }) => verb === "DELETE")!.headers.authorization).toBe("Bearer caller-0");
  expect(wordsOf(await call(0))).toBe("session of caller-0");
});

test("where every session is in use, one more caller is refused before anything is sent", async () => {
  const sessions = new Set<string>();
  const basics = handshake(sessions, (seen) => String(seen.headers.authorization));
  const server = await httpServer((seen, response) => void basics(seen, response));
  const connection = connectionToUrl(server.url, bearer);
  const stop = new AbortController();
  const call = (n: number) => connection.call("any", {}, { signal: stop.signal, context: { token: `caller-${n}` } });
  const open = Array.from({ length: 32 }, (_, n) => call(n).catch((error: unknown) => error));
  await expect.poll(() => server.count("tools/call"), { timeout: 20_000 }).toBe(32);
  await expect(call(32)).rejects.toMatchObject({ data: { reason: "busy", started: false } });
  stop.abort();
  for (const error of await Promise.all(open)) expect(error).toMatchObject({ data: { reason: "aborted" } });
});

test("a caller's session that nobody uses is closed after five minutes", async () => {
  const server = await serverOfCallers();
  const spec = { ...bearer, startTimeoutMs: 6_000_000, idleTimeoutMs: 6_000_000 };
  const connection = connectionToUrl(server.url, spec, { clock: fastClock(600) });
  const call = () => connection.call("any", {}, { context: { token: "token-ann" } });
  await call();
  await expect.poll(() => server.seen.filter(({ verb }) => verb === "DELETE").length, { timeout: 10_000 }).toBe(1);
  expect(wordsOf(await call())).toBe("session of token-ann");
  expect(server.count("initialize")).toBe(2);
});

test("headers that cannot be sent are the caller's error, which shows none of their values", async () => {
  const connection = connectionToUrl("http://127.0.0.1:9/mcp", { headers: () => ({ authorization: "Bearer a\nb" }) });
  const error: unknown = await connection.call("any", {}).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "bad_input" });
  expect((error as Error).message).toContain("authorization");
  expect((error as Error).message).not.toContain("Bearer a");
});

test.each([
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["a value that is no text", { accept: "all", authorization: undefined }, "authorization"],
])("headers that are %s are the caller's error, and nothing is sent", async (_what, given, named) => {
  const server = await serverOfCallers();
  const connection = connectionToUrl(server.url, { headers: () => given as never });
  await expect(connection.call("any", {})).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining(`cannot be sent: ${named}.`) as string,
  });
  expect(server.seen).toEqual([]);
});

test("what makes the headers may show no value of the environment when it fails, at once or later", async () => {
  const env = { TOKEN: "s3cret-token-value" };
  const fail = (): never => {
    throw new Error(`no use for ${env.TOKEN}`);
  };
  const nothing = async (): Promise<never> => Promise.reject(null);
  for (const headers of [fail, async () => fail(), nothing]) {
    const connection = connectionToUrl("http://127.0.0.1:9/mcp", { env, headers });
    const error: unknown = await connection.call("any", {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "bad_input" });
    expect((error as Error).message).toContain("could not be made");
    expect((error as Error).stack).not.toContain(env.TOKEN);
  }
});

test("headers that are never made end the wait with the time that the server has to start", async () => {
  const connection = connectionToUrl("http://127.0.0.1:9/mcp", {
    startTimeoutMs: 50,
    headers: () => new Promise(() => {}),
  });
  await expect(connection.tools()).rejects.toMatchObject({
    code: "mcp_connection",
    message: expect.stringContaining("headers were not made within 50 ms") as string,
    data: { reason: "start", started: false },
  });
});

test("over HTTP the list is asked for again after a minute", async () => {
  const basics = handshake(new Set());
  const server = await httpServer((seen, response) => void basics(seen, response));
  const connection = connectionToUrl(server.url, { startTimeoutMs: 6_000_000 }, { clock: fastClock(600) });
  const first = await connection.tools();
  await expect.poll(async () => [await connection.tools(), server.count("tools/list") > 1]).toEqual([first, true]);
  // The same list, however often it came.
  expect(await connection.tools()).toBe(first);
});
