import { expect, test, vi } from "vitest";
import type { App, ToolEntry } from "tenon";
import { serveMcp } from "tenon/mcp";
import { crashEverywhere, replyWith, type CrashStep, type CrashWorld } from "tenon/testing";
import { callId, deskWith, pauseId, pay, RUN, same, stores } from "./crash-desk.js";

// Hundreds of runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const REVISION = "2026-07-28";

/** One call of the newest revision, of a client that names its run and so may send the call again. */
async function call(app: App, name: string): Promise<unknown> {
  const serving = await serveMcp(app, { transport: "none" });
  const answer = await serving.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        host: "localhost",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": REVISION,
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name,
          arguments: { n: 1 },
          _meta: {
            "tenon/runId": RUN,
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientInfo": { name: "crash", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    }),
  );
  return answer.json();
}

const calls =
  (name: string): CrashStep =>
  (app) =>
    call(app, name);
const served = (world: CrashWorld, tool: ToolEntry) => deskWith(world, [tool], [replyWith("nobody asks")]);
const both = stores();

test.each(both)(
  "a served write, its client sends the call again after a crash: paid once, on %s",
  async (_store, on) => {
    const { points } = await crashEverywhere({
      ...on,
      app: (world) => served(world, pay(world)),
      drive: calls("pay"),
      ...same(({ runs, effects, requests }) => {
        expect(runs).toMatchObject([{ runId: RUN, status: "completed", text: '{"paid":1}' }]);
        expect(effects).toEqual([{ name: "pay", key: callId(1), value: { paid: 1 } }]);
        expect(requests).toEqual([]);
      }),
    });
    expect(points.length).toBeGreaterThan(5);
  },
);

test.each(both)("a served call that waits for approval, on %s", async (_store, on) => {
  const { points } = await crashEverywhere({
    ...on,
    app: (world) => served(world, pay(world, { approval: true })),
    drive: [
      calls("pay"),
      (app) => app.resume(RUN, { [pauseId(1)]: { approved: true, by: "ann" } }),
      // After a crash in its middle it is in doubt here.
      calls("pay"),
    ],
    ...same(({ runs, effects }) => {
      expect(runs).toMatchObject([{ status: "completed" }]);
      expect(effects).toHaveLength(1);
    }),
  });
  expect(points).toContain(`after decide ${pauseId(1)}`);
});
