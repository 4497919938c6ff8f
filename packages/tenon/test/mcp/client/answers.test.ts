import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Int, PlainText } from "../../../src/doors/dto/index.js";
import { McpTool, mcpTools, type McpServerClient } from "../../../src/doors/mcp/index.js";
import {
  createApp,
  defineAgent,
  defineTool,
  type RunEvent,
  type ToolContext,
  type ToolEntry,
} from "../../../src/doors/tenon/index.js";
import { rawCall, replyWith, scriptedModel } from "../../../src/doors/testing/index.js";
import { accept, declaresServers, serverOf } from "./declared.js";
import { loopbackServer, type LoopbackServer } from "./loopback-server.js";

declaresServers();

class Count {
  @Int({ min: 0 }) count!: number;
}

const picture = Buffer.from("a picture, but not really").toString("base64");
const counted = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
const text = (words: string) => ({ type: "text", text: words });
const blocks = {
  text: text("first"),
  image: { type: "image", data: picture, mimeType: "image/png" },
  audio: { type: "audio", data: picture, mimeType: "audio/wav" },
  link: { type: "resource_link", uri: "file:///report.pdf", name: "report", mimeType: "application/pdf", size: 12 },
  page: { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "the page" } },
  blob: { type: "resource", resource: { uri: "file:///b.bin", mimeType: "application/zip", blob: picture } },
};

/** What the server answers next. */
let answer: unknown;
let server: LoopbackServer;
let Things: new () => McpServerClient;
beforeAll(async () => {
  server = await loopbackServer({
    give: { description: "Gives.", run: () => answer },
    count: { description: "Counts.", output: counted, run: () => answer },
  });
  Things = serverOf({ name: "things", url: server.url, tools: ["give", "count"], timeoutMs: 5_000 });
});
afterAll(() => server.close());

/** A tool of a server whose handler gives what the call gives. */
function giving(options: { readonly tool?: string; readonly output?: typeof PlainText | typeof Count }): ToolEntry {
  const { tool = "give", output } = options;
  @McpTool({ server: Things, tool, name: "own", description: "Gives.", output: output as never })
  class Own {
    constructor(private readonly things: McpServerClient) {}
    run(_input: unknown, ctx: ToolContext): Promise<never> {
      return this.things.call(tool, undefined, ctx);
    }
  }
  return Own;
}

/** The result of one call of a tool in a run, and what the model reads of it. */
async function called(tool: ToolEntry, given: unknown, takesFiles = false) {
  answer = given;
  await accept(Things);
  const agent = defineAgent({ name: "a", description: "A.", tools: [tool] });
  const name = "name" in tool && "kind" in tool ? tool.name : "own";
  const model = scriptedModel(rawCall({ id: "a", name, arguments: "" }), replyWith("done"));
  if (takesFiles) Object.assign(model, { supportedUrls: {} });
  await using app = await createApp(agent, { models: { default: model }, env: {} });
  const told: unknown[] = [];
  const onEvent = (event: RunEvent): void => void (event.type === "tool-progress" && told.push(event.value));
  const run = await app.run({ prompt: "go" }, { onEvent });
  expect(run.error).toBeUndefined();
  const details = await app.inspect(run.runId);
  const last = model.requests[1]!.messages.at(-1)!;
  return { result: details.turns[0]!.calls[0]!.result, read: JSON.stringify(last), last, told };
}

describe("without a declared output", () => {
  const bare = (): ToolEntry => mcpTools(Things, { only: ["give"] })[0]!;

  test("texts are one text", async () => {
    const { result } = await called(bare(), { content: [text("a"), text("b")] });
    expect(result).toEqual({ kind: "ok", value: { text: "a\nb" } });
    expect((await called(bare(), { content: [] })).result).toEqual({ kind: "ok", value: { text: "" } });
  });

  test("structured content comes before the text that repeats it, and with the files beside it", async () => {
    const structuredContent = { count: 3 };
    expect((await called(bare(), { content: [text('{"count":3}')], structuredContent })).result).toEqual({
      kind: "ok",
      value: { count: 3 },
    });
    expect((await called(bare(), { content: [blocks.image], structuredContent })).result).toEqual({
      kind: "ok",
      value: { structured: { count: 3 }, content: [{ $media: "image/png", data: picture }] },
    });
  });

  test("[B80] every block is there, in order; files are media, and no base64 is in a text", async () => {
    const { result, read } = await called(bare(), { content: Object.values(blocks) });
    expect(result).toEqual({
      kind: "ok",
      value: {
        content: [
          "first",
          { $media: "image/png", data: picture },
          { $media: "audio/wav", data: picture },
          '[link: file:///report.pdf, "report", application/pdf, 12 bytes]',
          "[resource: file:///a.txt, text/plain]",
          "the page",
          "[resource: file:///b.bin, application/zip]",
          { $media: "application/zip", data: picture },
        ],
      },
    });
    const texts = [...read.matchAll(/"type":"text","(?:text|value)":"((?:[^"\\]|\\.)*)"/g)].map(([, each]) => each!);
    expect(texts.join()).not.toContain(picture);
    const marks = ["first", "image/png, 25 bytes", "audio/wav, 25 bytes", "report.pdf", "a.txt", "the page", "b.bin"];
    const at = marks.map((mark) => read.indexOf(mark));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
  });

  test("what cannot be read, and what is not known, is a note", async () => {
    const { result } = await called(bare(), {
      content: [
        { type: "image", data: picture, mimeType: "no type" },
        { type: "resource_link", uri: `data:text/plain;base64,${picture}`, name: "in\nside" },
      ],
    });
    expect(result).toEqual({
      kind: "ok",
      value: {
        content: [
          `[image that cannot be read: "no type", ${picture.length} characters]`,
          `[link: data:text/plain;base64…, ${23 + picture.length} characters, "in\\nside"]`,
        ],
      },
    });
    expect(JSON.stringify(result)).not.toContain(picture);
  });
});

describe("output: PlainText", () => {
  test("[B80] all of it is one text, a note for each file, also where there is structured content", async () => {
    const plain = giving({ output: PlainText });
    const { result, read } = await called(plain, { content: Object.values(blocks), structuredContent: { count: 1 } });
    expect(result).toEqual({
      kind: "ok",
      value: {
        text: [
          "first",
          "[image/png, 25 bytes]",
          "[audio/wav, 25 bytes]",
          '[link: file:///report.pdf, "report", application/pdf, 12 bytes]',
          "[resource: file:///a.txt, text/plain]",
          "the page",
          "[resource: file:///b.bin, application/zip]",
          "[application/zip, 25 bytes]",
        ].join("\n"),
      },
    });
    expect(read).not.toContain(picture);
  });

  test("structured content alone is its JSON", async () => {
    const { result } = await called(giving({ output: PlainText }), { content: [], structuredContent: { count: 1 } });
    expect(result).toEqual({ kind: "ok", value: { text: '{"count":1}' } });
  });
});

describe("a declared output", () => {
  test("is the structured content, checked; or one text of JSON", async () => {
    const own = giving({ output: Count });
    for (const given of [
      { content: [], structuredContent: { count: 3 } },
      { content: [text('{"count":3}')] },
      { content: [text("three")], structuredContent: { count: 3, more: true } },
    ])
      expect((await called(own, given)).result).toEqual({ kind: "ok", value: { count: 3 } });
  });

  test("that does not come is an error result", async () => {
    const own = giving({ output: Count });
    expect((await called(own, { content: [], structuredContent: { count: -1 } })).result).toMatchObject({
      code: "invalid_output",
      message: expect.stringMatching(/count/),
    });
    for (const content of [[text("three")], [], [text("{}"), text("{}")]])
      expect((await called(own, { content })).result).toMatchObject({
        code: "tool_error",
        message: expect.stringMatching(/give of the server things gave no structured content/),
      });
  });

  test.each<[string, () => ToolEntry]>([
    ["of a class", () => giving({ tool: "count", output: Count })],
    ["of the pin", () => mcpTools(Things, { only: ["count"] })[0]!],
  ])(
    "%s has no place for what stands beside it: it is told as progress, and the model reads the value alone",
    async (_, tool) => {
      await accept(Things);
      const given = { content: [text("three"), ...Object.values(blocks)], structuredContent: { count: 3 } };
      const { result, last, told } = await called(tool(), given, true);
      expect(result).toEqual({ kind: "ok", value: { count: 3 } });
      expect(told).toEqual([
        "not in the result: [image/png, 25 bytes]",
        "not in the result: [audio/wav, 25 bytes]",
        'not in the result: [link: file:///report.pdf, "report", application/pdf, 12 bytes]',
        "not in the result: [resource: file:///a.txt, text/plain]",
        "not in the result: [resource: file:///b.bin, application/zip]",
      ]);
      const output = { type: "text", value: '{"count":3}' };
      expect(last).toMatchObject({ role: "tool", content: [{ type: "tool-result", output }] });
    },
  );

  test("is that of the pin for tools that are taken as they are", async () => {
    const [tool] = mcpTools(Things, { only: ["count"] });
    await accept(Things);
    const again = mcpTools(Things, { only: ["count"] })[0]!;
    expect((await called(again, { content: [], structuredContent: { count: 3 } })).result).toEqual({
      kind: "ok",
      value: { count: 3 },
    });
    expect((await called(tool!, { content: [text('{"count":"many"}')] })).result).toMatchObject({ kind: "error" });
  });
});

describe("isError", () => {
  test("is an error result with the text, bounded", async () => {
    const own = giving({ output: Count });
    expect((await called(own, { content: [text("no such"), text("file")], isError: true })).result).toEqual({
      kind: "error",
      code: "tool_error",
      message: "no such\nfile",
    });
    const long = (await called(own, { content: [text("x".repeat(50_000))], isError: true })).result;
    expect(JSON.stringify(long).length).toBeLessThan(11_000);
    expect((await called(own, { content: [], isError: true })).result).toMatchObject({
      message: "give of the server things failed, and did not say why",
    });
  });
});

describe("in an ordinary tool", () => {
  test("a server is a dependency, and a call gives what is there; arguments that are absent are {}", async () => {
    const tool = defineTool({
      name: "own",
      description: "Adds up.",
      deps: [Things],
      output: PlainText,
      run: async (_input, ctx, things) => {
        const { count } = await things.call<Count>("count", undefined, ctx);
        return { text: `twice ${count * 2}` };
      },
    });
    const before = server.calls.length;
    const { result } = await called(tool, { content: [], structuredContent: { count: 4 } });
    expect(result).toEqual({ kind: "ok", value: { text: "twice 8" } });
    expect(server.calls.slice(before)).toEqual([{ name: "count", args: {} }]);
  });

  test("only declared tools can be called, and arguments are an object", async () => {
    const other = (name: string, input: unknown): ToolEntry =>
      defineTool({
        name: "own",
        description: "Calls.",
        deps: [Things],
        run: (_input, ctx, things) => things.call(name, input as never, ctx),
      });
    expect((await called(other("other", {}), undefined)).result).toMatchObject({
      message: expect.stringMatching(
        /things is not declared with this tool: "other"\. Add it to `tools` of @McpServer/,
      ),
    });
    expect((await called(other("give", [1]), undefined)).result).toMatchObject({
      message: expect.stringMatching(/arguments of a server's tool are an object/),
    });
  });

  test.each<[string, unknown, unknown, RegExp]>([
    ["without a context", {}, undefined, /needs the context that `run` got: give: undefined\./],
    ["with a signal that is none", {}, { signal: "stop" }, /needs the context .*signal is "stop"/],
    ["with null for arguments", null, {}, /arguments of a server's tool are an object: give: null\./],
    ["with a promise among them", { a: Promise.resolve() }, {}, /have no JSON form: give: contains a promise/],
  ])("%s nothing is sent, and the message says what to do", async (_name, input, ctx, why) => {
    const tool = defineTool({
      name: "own",
      description: "Calls.",
      deps: [Things],
      run: (_input, _ctx, things) => things.call("give", input as never, ctx as never),
    });
    const before = server.calls.length;
    expect((await called(tool, undefined)).result).toMatchObject({ message: expect.stringMatching(why) });
    expect(server.calls.length).toBe(before);
  });
});
