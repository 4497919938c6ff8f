import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveMcp } from "../../../src/doors/mcp/index.js";
import { seen, servesClerks } from "./clerk-app.js";
import { metaOf, textOf } from "./mcp-client.js";
import { handshake, postHeaders } from "./raw-messages.js";

const at = seen();
const clerks = servesClerks(at);
beforeEach(() => {
  at.effects.length = 0;
  at.stopped = 0;
});

/** A client of the protocol's own package that knows one revision only. `asked`: what its user says to a question. */
async function olderClient(revision: string, asked?: (message: string) => object): Promise<Client> {
  const client = new Client(
    { name: "older", version: "1" },
    {
      capabilities: asked === undefined ? {} : { elicitation: {} },
      supportedProtocolVersions: [revision],
      versionNegotiation: { mode: "legacy" },
    },
  );
  if (asked !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => asked(params.message) as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(clerks.serving.url!)));
  onTestFinished(() => client.close());
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  return client;
}

const revisions = ["2025-06-18", "2025-03-26"];

describe.each(revisions)("a client that speaks %s alone", (revision) => {
  test("lists, calls, and reads texts, structured content, pictures and errors", async () => {
    const client = await olderClient(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...clerks.serving.tools, "tenon_result"]);
    expect(textOf(await client.callTool({ name: "list_notes" }))).toBe("20 notes");
    const saved = await client.callTool({ name: "save_note", arguments: { text: "plain" } });
    expect(saved.structuredContent).toEqual({ saved: "plain", length: 5 });
    expect(JSON.parse(textOf(saved))).toEqual({ saved: "plain", length: 5 });
    expect((await client.callTool({ name: "draw" })).content).toContainEqual({
      type: "image",
      mimeType: "image/png",
      data: "aGVsbG8=",
    });
    const failed = await client.callTool({ name: "fail" });
    expect(failed).toMatchObject({ isError: true, _meta: { "tenon/code": "tool_error" } });
    expect(textOf(failed)).toContain("the disk is full");
    await expect(client.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 });
  });

  test("hears of progress, and stops its call", async () => {
    const client = await olderClient(revision);
    const told: unknown[] = [];
    await client.callTool({ name: "count_up" }, { onprogress: (progress) => told.push(progress) });
    expect(told).toContainEqual({ progress: 3, total: 3, message: "step 3" });
    const leaving = new AbortController();
    const ended = expect(client.callTool({ name: "wait_long" }, { signal: leaving.signal })).rejects.toThrow();
    await expect.poll(() => at.effects).toEqual(["waiting"]);
    leaving.abort();
    await ended;
    await expect.poll(() => at.stopped).toBe(1);
  });

  test("is asked where a call waits, if it can be, and reads how to decide if it cannot", async () => {
    const questions: string[] = [];
    const can = await olderClient(revision, (message) => {
      questions.push(message);
      return { action: "accept", content: { approve: true } };
    });
    const saved = await can.callTool({ name: "save_note", arguments: { text: "milk" } });
    expect(saved.structuredContent).toEqual({ saved: "milk", length: 4 });
    expect(questions).toEqual([expect.stringContaining('Save "milk"?')]);
    const cannot = await olderClient(revision);
    const waits = await cannot.callTool({ name: "save_note", arguments: { text: "bread" } });
    expect(waits).toMatchObject({ isError: true, _meta: { "tenon/code": "approval_required" } });
    const { "tenon/runId": runId } = metaOf(waits);
    const [pause] = (await clerks.app.pauses()).filter((each) => each.runId === runId);
    await clerks.app.resume(runId!, { [pause!.id]: { approved: true, by: "ann" } });
    const picked = await cannot.callTool({ name: "tenon_result", arguments: { runId } });
    expect(picked.structuredContent).toEqual({ saved: "bread", length: 5 });
  });
});

test.each(revisions)("%s is spoken on standard input and output", async (revision) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  await using _ = await serveMcp(clerks.app, { transport: "stdio", input, output });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const ask = async (message: object): Promise<any> => {
    input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    return JSON.parse((await lines.next()).value as string);
  };
  const began = await ask(handshake(revision));
  expect(began).toMatchObject({ id: 1, result: { protocolVersion: revision } });
  input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const call = { name: "save_note", arguments: { text: "plain" } };
  expect(await ask({ id: 2, method: "tools/call", params: call })).toMatchObject({
    id: 2,
    result: { structuredContent: { saved: "plain", length: 5 } },
  });
});

/** Sends a message by hand, as clients of 2025-03-26 do: that revision names itself in no header. */
async function send(body: unknown, session?: string) {
  const response = await fetch(clerks.serving.url!, {
    method: "POST",
    headers: { ...postHeaders, ...(session === undefined ? {} : { "mcp-session-id": session }) },
    body: JSON.stringify(body),
  });
  const answers = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
  return { status: response.status, session: response.headers.get("mcp-session-id") ?? undefined, answers };
}

test("messages of 2025-03-26 name their revision once, in the handshake, and may come many in one", async () => {
  const began = await send(handshake("2025-03-26"));
  expect(began.answers).toMatchObject([{ id: 1, result: { protocolVersion: "2025-03-26" } }]);
  expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" }, began.session)).status).toBe(202);
  const call = (id: number, limit: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "list_notes", arguments: { limit } },
  });
  const { status, answers } = await send([call(2, 2), call(3, 3)], began.session);
  expect(status).toBe(200);
  const byId = Object.fromEntries(answers.map(({ id, result }) => [id, textOf(result)]));
  expect(byId).toEqual({ 2: "2 notes", 3: "3 notes" });
});

test("a client that asks for a revision nobody has is offered one that is there", async () => {
  const began = await send(handshake("2024-01-01"));
  expect(began.answers).toMatchObject([{ result: { protocolVersion: "2025-11-25" } }]);
});
