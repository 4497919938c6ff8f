import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { seen, servesClerks } from "./clerk-app.js";
import { httpClient, metaOf, textOf } from "./mcp-client.js";

const at = seen();
const clerks = servesClerks(at);

describe.each(["modern", "legacy"] as const)("a client of the %s revisions", (era) => {
  let client: Client;
  beforeAll(async () => {
    client = await httpClient(clerks.serving.url!, { era });
  });
  afterAll(() => client.close());

  test("is told of each tool once, with schemas and what its options say of its effects", async () => {
    expect(client.getServerVersion()).toMatchObject({ name: "clerks", version: "1.2.3" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_notes",
      "save_note",
      "append_note",
      "ask_color",
      "ask_pin",
      "ask_nested",
      "count_up",
      "wait_long",
      "draw",
      "fail",
      "tenon_result",
    ]);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get("list_notes")).toEqual({
      name: "list_notes",
      description: "Lists notes.",
      inputSchema: {
        type: "object",
        properties: { limit: { type: "integer", description: "How many.", default: 20 } },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    });
    expect(byName.get("save_note")).toMatchObject({
      outputSchema: { type: "object", required: ["saved", "length"] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    });
    expect(byName.get("append_note")).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    });
  });

  test("[B13] a call without arguments is one with none: defaults are filled in", async () => {
    const answer = await client.callTool({ name: "list_notes" });
    expect(answer.isError).toBeFalsy();
    expect(textOf(answer)).toBe("20 notes");
    expect(textOf(await client.callTool({ name: "list_notes", arguments: { limit: 3 } }))).toBe("3 notes");
  });

  test("gets structured content and the same as text", async () => {
    const answer = await client.callTool({ name: "save_note", arguments: { text: "plain" } });
    expect(answer.structuredContent).toEqual({ saved: "plain", length: 5 });
    expect(JSON.parse(textOf(answer))).toEqual({ saved: "plain", length: 5 });
  });

  test("gets media as blocks of their own", async () => {
    const { content } = await client.callTool({ name: "draw" });
    expect(content).toEqual([
      { type: "text", text: '{"title":"a dot","image":"[image/png, 5 bytes]"}' },
      { type: "image", mimeType: "image/png", data: "aGVsbG8=" },
    ]);
  });

  test("reads what was wrong: with its arguments, in the tool, with the name", async () => {
    const unfit = await client.callTool({ name: "list_notes", arguments: { limit: "many" } });
    expect(unfit).toMatchObject({ isError: true, _meta: { "tenon/code": "invalid_input" } });
    expect(textOf(unfit)).toContain("limit");
    const failed = await client.callTool({ name: "fail" });
    expect(failed).toMatchObject({ isError: true, _meta: { "tenon/code": "tool_error" } });
    expect(textOf(failed)).toContain("the disk is full");
    await expect(client.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 });
  });

  test("hears of progress, in growing numbers", async () => {
    const told: unknown[] = [];
    const answer = await client.callTool({ name: "count_up" }, { onprogress: (progress) => told.push(progress) });
    expect(textOf(answer)).toBe("counted");
    expect(told).toEqual([
      { progress: 1, total: 3, message: "step 1" },
      { progress: 2, total: 3, message: "step 2" },
      { progress: 3, total: 3, message: "step 3" },
      { progress: 4, message: "nearly" },
    ]);
  });

  test("cancels a call: its tool is stopped, and its run has ended", async () => {
    const before = at.stopped;
    const waiting = at.effects.filter((effect) => effect === "waiting").length;
    const leaving = new AbortController();
    const call = client.callTool({ name: "wait_long" }, { signal: leaving.signal });
    const ended = expect(call).rejects.toThrow();
    await expect.poll(() => at.effects.filter((effect) => effect === "waiting").length).toBe(waiting + 1);
    leaving.abort();
    await ended;
    await expect.poll(() => at.stopped).toBe(before + 1);
    await expect.poll(async () => (await clerks.app.runs({ limit: 1 }))[0]!.status).toBe("cancelled");
  });

  test("whose connection breaks stops its calls", async () => {
    const other = await httpClient(clerks.serving.url!, { era });
    const before = at.stopped;
    const waiting = at.effects.filter((effect) => effect === "waiting").length;
    const ended = expect(other.callTool({ name: "wait_long" })).rejects.toThrow();
    await expect.poll(() => at.effects.filter((effect) => effect === "waiting").length).toBe(waiting + 1);
    await other.close();
    await ended;
    await expect.poll(() => at.stopped).toBe(before + 1);
  });
});

test("a call is a run of its own: listed, looked into, with its tool for an agent, and no argument in a list", async () => {
  const client = await httpClient(clerks.serving.url!);
  const answer = await client.callTool({ name: "save_note", arguments: { text: "plain", pin: "1234" } });
  await client.close();
  const runId = metaOf(answer)["tenon/runId"]!;
  const [run] = await clerks.app.runs({ limit: 1 });
  expect(run).toMatchObject({
    id: runId,
    threadId: runId,
    agent: "tool:save_note",
    prompt: "save_note",
    status: "completed",
  });
  const details = await clerks.app.inspect(runId);
  expect(details).toMatchObject({
    metadata: { mcp: { client: "test", version: "9" } },
    usage: { modelCalls: 0, toolCalls: 1 },
    turns: [
      {
        model: "none",
        calls: [
          {
            callId: `call_${runId}_1_1`,
            tool: "save_note",
            input: { text: "plain", pin: "***" },
            result: { kind: "ok", value: { saved: "plain" } },
          },
        ],
      },
    ],
  });
  const events: string[] = [];
  for await (const event of clerks.app.watch(runId)) {
    events.push(event.type);
    if (event.type === "run-start") expect(event.prompt).toBe("save_note");
  }
  expect(events).toEqual(["run-start", "turn-start", "tool-call", "tool-end", "turn-end", "run-end"]);
});

test("arguments that are nested without end are told to the client, and start nothing", async () => {
  const { length } = await clerks.app.runs();
  const client = await httpClient(clerks.serving.url!, { era: "legacy" });
  let deep: unknown = 1;
  for (let i = 0; i < 1_500; i++) deep = [deep];
  const answer = await client.callTool({ name: "list_notes", arguments: { limit: deep } });
  expect(answer).toMatchObject({ isError: true, _meta: { "tenon/code": "invalid_input" } });
  expect(textOf(answer)).toContain("nested too deeply");
  expect(await clerks.app.runs()).toHaveLength(length);
  await client.close();
});

test("a client that names the run of its call may send the call again: it is the same run", async () => {
  const client = await httpClient(clerks.serving.url!);
  const before = at.effects.length;
  const send = (text: string) =>
    client.callTool({ name: "save_note", arguments: { text }, _meta: { "tenon/runId": "note-0001" } });
  const first = await send("plain");
  expect(metaOf(first)).toMatchObject({ "tenon/runId": "note-0001" });
  expect(await send("plain")).toEqual(first);
  expect(at.effects.length).toBe(before + 1);
  expect(metaOf(await send("other"))).toMatchObject({ "tenon/code": "run_exists" });
  expect(at.effects.length).toBe(before + 1);
  await client.close();
});

test("a call that is sent again while its first connection is open goes on when that one breaks, and stops with the last", async () => {
  const [first, second] = [await httpClient(clerks.serving.url!), await httpClient(clerks.serving.url!)];
  const [stopped, waiting] = [at.stopped, at.effects.filter((effect) => effect === "waiting").length];
  const send = (client: typeof first) =>
    client.callTool({ name: "wait_long", arguments: {}, _meta: { "tenon/runId": "wait-0001" } });
  const one = expect(send(first)).rejects.toThrow();
  await expect.poll(() => at.effects.filter((effect) => effect === "waiting").length).toBe(waiting + 1);
  const two = expect(send(second)).rejects.toThrow();
  // Requests that were made after it have been answered: it has arrived.
  for (let i = 0; i < 3; i++) await second.callTool({ name: "list_notes", arguments: {} });
  await first.close();
  await one;
  const waited = async () => (await clerks.app.runs()).find(({ id }) => id === "wait-0001");
  expect(await waited()).toMatchObject({ status: "running" });
  expect(at.stopped).toBe(stopped);
  await second.close();
  await two;
  await expect.poll(() => at.stopped).toBe(stopped + 1);
  await expect.poll(async () => (await waited())?.status).toBe("cancelled");
  expect(at.effects.filter((effect) => effect === "waiting").length).toBe(waiting + 1);
});
