import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { PlainText, Text } from "../../../src/doors/dto/index.js";
import { serveMcp, type McpServing } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { createApp, defineAgent, defineTool, type App } from "../../../src/doors/tenon/index.js";
import { httpClient, metaOf, textOf } from "./mcp-client.js";

const CAP = 300;

class Page {
  @Text() title!: string;
  @Text() body!: string;
}

/** A tool of each kind of output that gives what its input says, in a result that may be longer than its cap. */
const options = { description: "Gives.", input: PlainText, maxResultChars: CAP } as const;
const plain = defineTool({ ...options, name: "plain", output: PlainText, run: ({ text }) => ({ text }) });
const page = defineTool({ ...options, name: "page", output: Page, run: ({ text }) => ({ title: "t", body: text }) });
const bare = defineTool({ ...options, name: "bare", run: ({ text }) => text });
const fails = defineTool({
  ...options,
  name: "fails",
  run: ({ text }) => {
    throw new Error(text);
  },
});
const asked = defineTool({
  ...options,
  name: "asked",
  output: PlainText,
  approval: true,
  run: ({ text }) => ({ text }),
});

let app: App;
let serving: McpServing;
beforeAll(async () => {
  const tools = [plain, page, bare, fails, asked];
  app = await createApp(defineAgent({ name: "giver", description: "Gives.", tools, model: offlineModel() }));
  serving = await serveMcp(app);
});
afterAll(async () => {
  await serving.close();
  await app.close();
});

/** What is there of a text that was cut: its beginning, as much as the cap leaves beside the note. */
function cut(whole: string): string {
  const note = `\n[cut: the result has ${whole.length} characters, this is its beginning; ask for a smaller part to see the rest]`;
  return whole.slice(0, CAP - note.length) + note;
}

const long = 'He said "no".\n'.repeat(30);

describe.each(["modern", "legacy"] as const)("a client of the %s revisions", (era) => {
  let client: Client;
  beforeAll(async () => {
    client = await httpClient(serving.url!, { era });
  });
  afterAll(() => client.close());
  const call = (name: string, text: string) => client.callTool({ name, arguments: { text } });

  test("reads a PlainText as the bare text, cut at the cap, and has it whole as structured content", async () => {
    expect(await call("plain", 'a "word"')).toMatchObject({
      content: [{ type: "text", text: 'a "word"' }],
      structuredContent: { text: 'a "word"' },
    });
    const answer = await call("plain", long);
    expect(answer.isError).toBeFalsy();
    expect(answer.content).toEqual([{ type: "text", text: cut(long) }]);
    expect(answer.structuredContent).toEqual({ text: long });
  });

  test("reads a PlainText whole that only its JSON makes longer than the cap", async () => {
    const fits = '"'.repeat(CAP);
    expect((await call("plain", fits)).content).toEqual([{ type: "text", text: fits }]);
    expect((await call("plain", `${fits}"`)).content).toEqual([{ type: "text", text: cut(`${fits}"`) }]);
  });

  test("reads of a PlainText what a model may read: no base64, and an empty one is told from nothing", async () => {
    expect(textOf(await call("plain", `see data:image/png;base64,${"A".repeat(8)}`))).toBe(
      "see [image/png, 6 bytes, not shown]",
    );
    expect(textOf(await call("plain", ""))).toBe('{"text":""}');
  });

  test("reads another object as JSON that is cut, and has it whole beside it", async () => {
    const answer = await call("page", long);
    expect(textOf(answer)).toBe(cut(JSON.stringify({ title: "t", body: long })));
    expect(answer.structuredContent).toEqual({ title: "t", body: long });
  });

  test("reads what has no declared output as text alone, cut", async () => {
    const given = await call("bare", long);
    expect(given.content).toEqual([{ type: "text", text: cut(long) }]);
    expect(given.structuredContent).toBeUndefined();
  });

  test("reads an error whole: the cap is one of results", async () => {
    const answer = await call("fails", long);
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain(long.trim());
  });

  test("reads below a PlainText that a person changed the input", async () => {
    const waits = await call("asked", "as it was");
    const runId = metaOf(waits)["tenon/runId"]!;
    const [pause] = (await app.pauses()).filter((each) => each.runId === runId);
    await app.resume(runId, { [pause!.id]: { approved: true, by: "ann", edit: { text: "as it is" } } });
    expect(textOf(await client.callTool({ name: "tenon_result", arguments: { runId } }))).toBe(
      "as it is\n[note: a person changed the input before the call ran]",
    );
  });
});
