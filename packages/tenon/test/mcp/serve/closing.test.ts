import { PassThrough, Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { serveMcp } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { defineAgent, type App } from "../../../src/doors/tenon/index.js";
import { testClock } from "../../../src/doors/testing/index.js";
import { createAppWith } from "../../../src/app/create-app.js";
import { clerkApp, clerkTools, seen } from "./clerk-app.js";
import { httpClient, metaOf, textOf } from "./mcp-client.js";
import { handshake, posted } from "./raw-messages.js";

const at = seen();
let app: App;
beforeAll(async () => {
  app = await clerkApp(at);
});
afterAll(() => app.close());
beforeEach(() => {
  at.effects.length = 0;
  at.stopped = 0;
});

test.each(["modern", "legacy"] as const)("while it closes, a %s call begins nothing", async (era) => {
  const serving = await serveMcp(app);
  const client = await httpClient(serving.url!, { era });
  const stop = new AbortController();
  const open = client.callTool({ name: "wait_long" }, { signal: stop.signal }).catch(() => "gone");
  await expect.poll(() => at.effects).toEqual(["waiting"]);
  const runId = (await app.runs({ limit: 1 }))[0]!.id;
  const closed = serving.close({ graceMs: 10_000 });
  const late = await client.callTool({ name: "append_note", arguments: { text: "late" } });
  expect(metaOf(late)["tenon/code"]).toBe("app_closed");
  expect(textOf(late)).toContain("Nothing was started");
  expect(at.effects).toEqual(["waiting"]);
  await app.cancel(runId);
  await Promise.all([open, closed, client.close()]);
});

test("the grace goes by the app's clock; none waits for nothing", async () => {
  const clock = testClock();
  const { wait } = clerkTools(at);
  const agent = defineAgent({ name: "clerk", description: "Waits.", tools: [wait], model: offlineModel() });
  const still = await createAppWith(agent, {}, { clock });
  const stop = new AbortController();
  const params = { name: "wait_long" };
  const open = async () => {
    const serving = await serveMcp(still);
    const client = await httpClient(serving.url!);
    const before = at.effects.length;
    const call = client.callTool(params, { signal: stop.signal }).catch(() => "gone");
    await expect.poll(() => at.effects.length).toBe(before + 1);
    return { serving, leave: () => Promise.all([call, client.close()]) };
  };
  const first = await open();
  let closed = false;
  const closing = first.serving.close({ graceMs: 20_000 }).then(() => (closed = true));
  await clock.advance(19_999);
  expect(closed).toBe(false);
  await clock.advance(1);
  // By the real clock it would take 20 seconds.
  await expect.poll(() => closed, { timeout: 5_000 }).toBe(true);
  await closing;
  const second = await open();
  await second.serving.close({ graceMs: 0 });
  stop.abort();
  await Promise.all([first.leave(), second.leave()]);
  expect(at.stopped).toBe(0);
  await clock.runUntil(still.close());
});

test("a grace that is none is told of what was to be closed, and closes nothing", async () => {
  await using serving = await serveMcp(app, { transport: "none" });
  const wrong = { graceMs: -1 };
  const fault = "cannot be closed like that: graceMs must be a number of milliseconds, zero or more, not -1.";
  await expect(serving.close(wrong)).rejects.toThrow(`A serving of MCP ${fault}`);
  await expect(app.close(wrong)).rejects.toThrow(`An app ${fault}`);
  const began = await serving.fetch(posted(handshake()));
  await began.text();
  expect(began.status).toBe(200);
});

test("when it is closed, `fetch` refuses: new sessions, old ones, and requests that were still being looked at", async () => {
  let admit = (): void => {};
  const admitted = new Promise<void>((resolve) => (admit = resolve));
  const serving = await serveMcp(app, {
    transport: "none",
    authorize: async (token) => {
      if (token === "slow") await admitted;
      return {};
    },
  });
  const began = await serving.fetch(posted(handshake()));
  await began.text();
  const session = { "mcp-session-id": began.headers.get("mcp-session-id")! };
  const slow = serving.fetch(posted(handshake(), { authorization: "Bearer slow" }));
  await serving.close();
  admit();
  const call = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "append_note", arguments: { text: "x" } },
  };
  const modern = {
    ...call,
    params: {
      ...call.params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "append_note" };
  const answers = [slow, serving.fetch(posted(handshake())), serving.fetch(posted(call, session))];
  for (const answer of [...answers, serving.fetch(posted(modern, headers))]) {
    const { status } = await answer;
    expect(status).toBe(503);
  }
  expect(at.effects).toEqual([]);
});

test.each([
  ["its input ends", (input: PassThrough) => void input.end()],
  ["nobody reads its output", (_: PassThrough, output: Writable) => void output.destroy(new Error("EPIPE"))],
  ["a message has no end", (input: PassThrough) => void input.write("x".repeat(11 * 1024 * 1024))],
])("serving on streams is over when %s, and its calls are stopped", async (_, leave) => {
  const input = new PassThrough();
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  output.on("error", () => {});
  const serving = await serveMcp(app, { transport: "stdio", input, output });
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait_long", arguments: {} } };
  input.write(`${JSON.stringify(handshake())}\n${JSON.stringify(call)}\n`);
  await expect.poll(() => at.effects).toEqual(["waiting"]);
  leave(input, output);
  await serving.closed;
  expect(at.stopped).toBe(1);
});
