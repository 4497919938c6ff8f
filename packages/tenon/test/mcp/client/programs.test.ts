import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { PlainText, Text } from "../../../src/doors/dto/index.js";
import {
  McpTool,
  mcpTools,
  type McpServerClient,
  type McpServerOptions,
  type McpToolsOptions,
} from "../../../src/doors/mcp/index.js";
import {
  createApp,
  defineAgent,
  defineTool,
  type App,
  type RunResult,
  type ToolContext,
  type ToolEntry,
} from "../../../src/doors/tenon/index.js";
import { rawCall, replyWith, scriptedModel, type ScriptedModel } from "../../../src/doors/testing/index.js";
import { serverDeclarationOf } from "../../../src/mcp/client/server-options.js";
import { lives } from "../connections.js";
import { accept, declaresServers, newFolder, serverOf } from "./declared.js";

declaresServers();

const path = (url: string): string => fileURLToPath(new URL(url, import.meta.url));
const publicServer = (name: string): string =>
  path(`../../../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

/** A server's class for a script, with its declared tools accepted. */
async function program(
  script: string,
  args: readonly string[],
  tools: readonly string[],
  more: Partial<McpServerOptions> = {},
) {
  const declared = serverOf({ name: "program", command: process.execPath, args: [script, ...args], tools, ...more });
  await accept(declared);
  return declared;
}

async function appOf(model: ScriptedModel, tools: readonly ToolEntry[], options: object = {}): Promise<App> {
  const agent = defineAgent({ name: "a", description: "A.", tools });
  const app = await createApp(agent, { models: { default: model }, env: {}, ...options });
  onTestFinished(() => app.close({ graceMs: 0 }));
  return app;
}

const call = (name: string, input: object = {}) => rawCall({ id: name, name, arguments: JSON.stringify(input) });
const readIn = (model: ScriptedModel, request: number): string =>
  JSON.stringify(model.requests[request]!.messages.at(-1));

describe("public servers", () => {
  test("filesystem: a read, and a write that waits for approval; the write happens after the yes", async () => {
    const folder = join(newFolder(), "files");
    mkdirSync(folder);
    writeFileSync(join(folder, "note.txt"), "the note");
    const Files = await program(publicServer("filesystem"), [folder], ["read_text_file", "write_file"]);
    class WriteFileInput {
      @Text() path!: string;
      @Text() content!: string;
    }
    @McpTool({
      server: Files,
      tool: "write_file",
      description: "Writes a file.",
      input: WriteFileInput,
      output: PlainText,
      access: "write",
      approval: true,
    })
    class WriteFile {
      constructor(private readonly files: McpServerClient) {}
      run(input: WriteFileInput, ctx: ToolContext): Promise<PlainText> {
        return this.files.call("write_file", input, ctx);
      }
    }
    const target = join(folder, "new.txt");
    const model = scriptedModel(
      call("read_text_file", { path: join(folder, "note.txt") }),
      call("write_file", { path: target, content: "written" }),
      replyWith("done"),
    );
    const app = await appOf(model, [
      WriteFile,
      ...mcpTools(Files, { only: ["read_text_file"], access: { read_text_file: "read" } }),
    ]);
    const paused = await app.run({ prompt: "go" });
    expect(paused).toMatchObject({ status: "paused", pauses: [{ kind: "approval", tool: "write_file" }] });
    expect(readIn(model, 1)).toContain("the note");
    expect(existsSync(target)).toBe(false);
    const result = await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "Ada" } });
    expect(result.status).toBe("completed");
    expect(readFileSync(target, "utf8")).toBe("written");
    expect(readIn(model, 2)).toMatch(/text\\?":\\?"Successfully wrote/);
  });

  test("everything: text, a picture, structured content, an error", async () => {
    const tools = ["echo", "get-tiny-image", "get-structured-content", "get-resource-links"];
    const Everything = await program(publicServer("everything"), ["stdio"], tools);
    const model = scriptedModel(
      call("echo", { message: "hi" }),
      call("get-tiny-image"),
      call("get-structured-content", { location: "New York" }),
      call("get-resource-links", { count: 2 }),
      replyWith("done"),
    );
    const access = Object.fromEntries(tools.map((name) => [name, "read" as const]));
    const app = await appOf(model, [...mcpTools(Everything, { access })]);
    expect((await app.run({ prompt: "go" })).error).toBeUndefined();
    expect(readIn(model, 1)).toContain("Echo: hi");
    expect(readIn(model, 2)).toMatch(/\[image\/png, \d+ bytes\]|image\/png/);
    expect(readIn(model, 3)).toContain("temperature");
    expect(readIn(model, 4)).toMatch(/\[link: /);
  });

  test("memory: what one call stores the next one finds; the child gets the named variables and no others", async () => {
    const memory = join(newFolder(), "memory.jsonl");
    const Memory = serverOf({
      name: "memory",
      command: process.execPath,
      args: [publicServer("memory")],
      env: ["MEMORY_FILE_PATH"],
      tools: ["create_entities", "search_nodes"],
    });
    await accept(Memory);
    const entities = [{ name: "Ada", entityType: "person", observations: ["wrote programs"] }];
    const model = scriptedModel(
      call("create_entities", { entities }),
      call("search_nodes", { query: "programs" }),
      replyWith("done"),
    );
    const app = await appOf(model, [...mcpTools(Memory, { access: { search_nodes: "read" } })], {
      env: { MEMORY_FILE_PATH: memory },
    });
    expect((await app.run({ prompt: "go" })).error).toBeUndefined();
    expect(readIn(model, 2)).toContain("wrote programs");
    expect(readFileSync(memory, "utf8")).toContain("Ada");
  });

  test("[B85] six tools of three pages", async () => {
    const names = [0, 1, 2, 3, 4, 5].map((n) => `t${n}`);
    const Pages = await program(path("../hostile/bad-lists.mjs"), ["pages"], names);
    const model = scriptedModel(replyWith("done"));
    const app = await appOf(model, [...mcpTools(Pages)]);
    expect((await app.run({ prompt: "go" })).error).toBeUndefined();
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(names);
  });
});

/** The writer's tools, accepted once; each app starts a program of its own. */
let file: string;
let Writer: new () => McpServerClient;
beforeAll(async () => {
  file = join(newFolder(), "lines.txt");
  Writer = await program(path("file-writer.mjs"), [file], ["append", "about"]);
});
beforeEach(() => writeFileSync(file, ""));
const lines = (): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);
const soon = { timeout: 20_000 };

/** An app with the writer's tools. */
function writing(model: ScriptedModel, options: McpToolsOptions = {}): Promise<App> {
  return appOf(model, mcpTools(Writer, { access: { about: "read" }, ...options }));
}

const pauseOf = ({ pauses }: RunResult): string => pauses[0]!.id;

describe("a write whose answer does not come", () => {
  test("the server ends in the middle: a person is asked whether it happened; the next call starts it again", async () => {
    const model = scriptedModel(call("append", { line: "exit" }), call("append", { line: "two" }), replyWith("done"));
    const app = await writing(model);
    const paused = await app.run({ prompt: "go" });
    expect(paused).toMatchObject({
      status: "paused",
      pauses: [
        {
          kind: "in-doubt",
          tool: "append",
          interruption: "crash",
          question: expect.stringMatching(/Did append happen/),
        },
      ],
    });
    expect(lines()).toEqual(["exit"]);
    const result = await app.resume(paused.runId, {
      [pauseOf(paused)]: { action: "done", result: { text: "it is there" }, by: "Ada" },
    });
    expect(result.error).toBeUndefined();
    expect(readIn(model, 1)).toContain("it is there");
    expect(lines()).toEqual(["exit", "two"]);
  });

  test("with inDoubt: rerun the model reads that the outcome is not known, and nothing is repeated by itself", async () => {
    const model = scriptedModel(call("append", { line: "exit" }), replyWith("done"));
    const app = await writing(model, { inDoubt: { append: "rerun" } });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(readIn(model, 1)).toMatch(
      /append got no answer: .*went away.*It may have completed: check before you repeat it/,
    );
    expect(lines()).toEqual(["exit"]);
  });

  test("the tool's time is over: the server hears of it, and a person is asked", async () => {
    const model = scriptedModel(call("append", { line: "hang" }));
    const app = await writing(model, { timeoutMs: 500 });
    const paused = await app.run({ prompt: "go" });
    expect(paused).toMatchObject({ status: "paused", pauses: [{ kind: "in-doubt", interruption: "timeout" }] });
    await expect.poll(lines, soon).toEqual(["hang", "aborted"]);
  });

  test("the run is cancelled: the question stays with the ended run", async () => {
    const model = scriptedModel(call("append", { line: "hang" }));
    const app = await writing(model);
    const stop = new AbortController();
    const running = app.run({ prompt: "go" }, { signal: stop.signal });
    await expect.poll(lines, soon).toEqual(["hang"]);
    stop.abort();
    expect((await running).status).toBe("cancelled");
    await expect.poll(lines, soon).toEqual(["hang", "aborted"]);
    expect(await app.pauses()).toMatchObject([{ kind: "in-doubt", interruption: "cancel" }]);
  });
});

describe("one program for each server and app", () => {
  const aboutIn = (model: ScriptedModel, request: number): { pid: number; env: string[]; token?: string } =>
    JSON.parse(/\{\\+"pid.*?\}/.exec(readIn(model, request))![0].replaceAll(/\\+"/g, '"')) as never;

  test("is started at the first use, serves all runs and agents, and is gone after close", async () => {
    const model = scriptedModel(call("about"), replyWith("done"), call("own"), replyWith("done"));
    const own = defineTool({
      name: "own",
      description: "Own.",
      deps: [Writer],
      run: (_input, ctx, writer) => writer.call("about", {}, ctx),
    });
    const app = await appOf(model, [own, ...mcpTools(Writer, { only: ["about"], access: { about: "read" } })]);
    for (const prompt of ["one", "two"]) expect((await app.run({ prompt })).error).toBeUndefined();
    const [one, two] = [aboutIn(model, 1), aboutIn(model, 3)];
    expect(two.pid).toBe(one.pid);
    expect(lives(one.pid)).toBe(true);
    expect(one.env.filter((name) => name !== "PATH" && !name.startsWith("__"))).toEqual([]);
    await app.close();
    expect(lives(one.pid)).toBe(false);
    await app.close();
  });

  test("app.tool calls it without a run, with the values of the app's own environment", async () => {
    const Secret = serverOf({
      name: "program",
      command: process.execPath,
      args: [path("file-writer.mjs"), file],
      tools: ["about"],
      env: ["WRITER_TOKEN"],
      lockFile: serverDeclarationOf(Writer)!.options.lockFile,
    });
    const [about] = mcpTools(Secret, { access: { about: "read" } });
    const app = await appOf(scriptedModel(), [about!], { env: { WRITER_TOKEN: "t0ken" } });
    const result = await app.tool(about!).invoke({});
    expect(JSON.parse((result as { value: { text: string } }).value.text)).toMatchObject({ token: "t0ken" });
  });

  test("close while it starts leaves nothing behind, and a start that fails neither", async () => {
    const silent = join(newFolder(), "pid.txt");
    const script = `require("fs").writeFileSync(${JSON.stringify(silent)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const Silent = serverOf({ name: "silent", command: process.execPath, args: ["-e", script], tools: ["x"] });
    const tool = defineTool({
      name: "t",
      description: "T.",
      deps: [Silent],
      run: (_input, ctx, own) => own.call("x", {}, ctx),
    });
    const app = await appOf(scriptedModel(call("t")), [tool]);
    const running = app.run({ prompt: "go" }).catch(() => {});
    await expect.poll(() => existsSync(silent) && readFileSync(silent, "utf8") !== "", soon).toBe(true);
    const pid = Number(readFileSync(silent, "utf8"));
    await app.close({ graceMs: 0 });
    await running;
    await expect.poll(() => lives(pid), soon).toBe(false);

    const Missing = serverOf({ name: "missing", command: "no-such-program-here", tools: ["x"] });
    await expect(accept(Missing)).rejects.toThrow(/cannot be reached/);
    const model = scriptedModel();
    const failing = await appOf(model, [
      defineTool({ name: "own", description: "O.", run: () => 1 }),
      ...mcpTools(Missing, { only: [] }),
      needing(Missing),
    ]);
    expect(await failing.run({ prompt: "go" })).toMatchObject({
      error: { code: "mcp_connection", data: { reason: "start" } },
    });
    expect(model.requests).toEqual([]);
  });
});

function needing(Server: new () => McpServerClient): ToolEntry {
  @McpTool({ server: Server, tool: "x", description: "X." })
  class Needing {
    constructor(private readonly server: McpServerClient) {}
    run(_input: unknown, ctx: ToolContext): Promise<unknown> {
      return this.server.call("x", {}, ctx);
    }
  }
  return Needing;
}
