import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { serveMcp, type McpServing } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { defineAgent, defineTool, type App } from "../../../src/doors/tenon/index.js";
import { createAppWith } from "../../../src/app/create-app.js";
import { TestClock } from "../../../src/testing/test-clock.js";
import { handshake, posted } from "./raw-messages.js";

const clock = new TestClock(Date.UTC(2026, 11, 1));
let began = 0;
let stopped = 0;
const hold = defineTool({
  name: "hold",
  description: "Waits until it is stopped.",
  timeoutMs: 10_800_000,
  run: (_input: unknown, { signal }) =>
    new Promise((resolve) => {
      began++;
      signal.addEventListener("abort", () => {
        stopped++;
        resolve("stopped");
      });
    }),
});

let app: App;
let serving: McpServing;
beforeAll(async () => {
  const agent = defineAgent({ name: "holder", description: "Holds.", tools: [hold], model: offlineModel() });
  app = await createAppWith(agent, {}, { clock });
});
afterAll(() => app.close());
beforeEach(async () => {
  began = 0;
  stopped = 0;
  serving = await serveMcp(app, { transport: "none", authorize: (token) => ({ owner: token }) });
  return async () => {
    await serving.close({ graceMs: 0 });
    for (const { id } of await app.runs({ limit: 1 })) await app.cancel(id);
  };
});

function send(owner: string, body: unknown, session?: string): Promise<Response> {
  const more = session === undefined ? {} : { "mcp-session-id": session };
  return serving.fetch(posted(body, { authorization: `Bearer ${owner}`, ...more }));
}

async function begin(owner: string): Promise<string> {
  const answer = await send(owner, handshake());
  await answer.text();
  expect(answer.status).toBe(200);
  return answer.headers.get("mcp-session-id")!;
}

async function listed(owner: string, session: string): Promise<number> {
  const answer = await send(owner, { jsonrpc: "2.0", id: 2, method: "tools/list" }, session);
  await answer.text();
  return answer.status;
}

async function held(owner: string, session: string): Promise<void> {
  const { status } = await send(
    owner,
    { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "hold" } },
    session,
  );
  expect(status).toBe(200);
  await expect.poll(() => began).toBe(1);
}

test("who begins too many sessions loses the own ones, and nobody loses one with an open call", async () => {
  const ann = await begin("ann");
  const busy = await begin("bob");
  const idle = await begin("bob");
  await held("bob", busy);
  for (let left = 1_000; left > 0; left -= 50) await Promise.all(Array.from({ length: 50 }, () => begin("bob")));
  expect(stopped).toBe(0);
  expect(await listed("ann", ann)).toBe(200);
  expect(await listed("bob", busy)).toBe(200);
  expect(await listed("bob", idle)).toBe(404);
}, 20_000);

test("a session ends when it was not used for half an hour: not by a clock that is set, and not while a call is open", async () => {
  const busy = await begin("ann");
  const idle = await begin("ann");
  await held("ann", busy);
  clock.jump(3_600_000);
  expect(await listed("ann", idle)).toBe(200);
  await clock.advance(31 * 60_000);
  await begin("ann");
  expect(await listed("ann", idle)).toBe(404);
  expect(stopped).toBe(0);
  expect(await listed("ann", busy)).toBe(200);
});
