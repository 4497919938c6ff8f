import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { Text } from "../../../src/doors/dto/index.js";
import { McpServer, McpServerClient, McpTool, mcpTools, type McpServerOptions } from "../../../src/doors/mcp/index.js";
import {
  AssemblyError,
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  toolDefinitionOf,
  toolOf,
  type AppOptions,
  type ToolContext,
  type ToolEntry,
} from "../../../src/doors/tenon/index.js";
import { rawCall, rawTurn, replyWith, scriptedModel } from "../../../src/doors/testing/index.js";
import { accept, declaresServers, serverOf } from "./declared.js";
import { loopbackServer, type LoopbackServer } from "./loopback-server.js";

declaresServers();

const words = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

let mail: LoopbackServer;
let crm: LoopbackServer;
beforeAll(async () => {
  mail = await loopbackServer({
    send_email: { description: "Sends by mail.", input: words, run: ({ to }) => `mail to ${to}` },
    "ns.x": { description: "Dotted.", run: () => "ns.x" },
  });
  crm = await loopbackServer({
    send_email: { description: "Sends by CRM.", input: words, run: ({ to }) => `crm to ${to}` },
  });
});
afterAll(() => Promise.all([mail.close(), crm.close()]));

/** What is wrong with an app of these tools, a line each. */
async function faultsOf(tools: readonly ToolEntry[], options: AppOptions = {}): Promise<readonly string[]> {
  const agent = defineAgent({ name: "a", description: "A.", tools: tools as never });
  const thrown: unknown = await createApp(agent, {
    models: { default: scriptedModel() },
    env: {},
    ...options,
  } as never).then(
    (app) => app.close(),
    (error: unknown) => error,
  );
  if (thrown === undefined) return [];
  if (!AssemblyError.is(thrown)) throw thrown as Error;
  return thrown.violations.map(({ at, message }) => `${at}: ${message}`);
}

/** A tool that takes a server as a dependency. */
const taking = (server: new () => McpServerClient): ToolEntry =>
  defineTool({ name: "taking", description: "Takes it.", deps: [server], run: () => 1 });

const declaredAs = (options: object): new () => McpServerClient => {
  @McpServer(options as McpServerOptions)
  class Own extends McpServerClient {}
  return Own;
};

describe("the options of @McpServer are checked at assembly, all at once", () => {
  const right = { name: "files", command: "node", tools: ["read"] };
  test.each<[string, object, RegExp]>([
    ["both ways", { ...right, url: "https://x.test/mcp" }, /both command and url/],
    ["neither way", { name: "files", tools: ["read"] }, /neither command nor url/],
    ["no name", { command: "node", tools: ["read"] }, /name must match/],
    ["env with values", { ...right, env: { TOKEN: "s3cret" } }, /env must list the names/],
    ["env with a value among the names", { ...right, env: ["TOKEN=s3cret"] }, /env\[0\] is no name/],
    ["a doubled variable", { ...right, env: ["A", "A"] }, /env names A twice/],
    ["an address with a password", { name: "f", url: "https://u:s3cret@x.test/", tools: ["r"] }, /user or password/],
    ["an address of another kind", { name: "f", url: "ftp://x.test/", tools: ["r"] }, /must begin with https/],
    ["no address", { name: "f", url: "x.test", tools: ["r"] }, /must be an address/],
    ["args with an address", { name: "f", url: "https://x.test/", args: [], tools: ["r"] }, /args goes with command/],
    ["headers with a command", { ...right, headers: () => ({}) }, /headers go with url/],
    [
      "headers that are no function",
      { name: "f", url: "https://x.test/", headers: {}, tools: ["r"] },
      /must be a function/,
    ],
    ["an unknown option", { ...right, tool: ["read"] }, /unknown option `tool`; did you mean `tools`/],
    ["no tools", { ...right, tools: [] }, /at least one tool/],
    ["a doubled tool", { ...right, tools: ["read", "read"] }, /names "read" twice/],
    ["tools that are no texts", { ...right, tools: [1] }, /must list the names/],
    ["args that are no texts", { ...right, args: [1] }, /args must be a list of texts/],
    ["args that are no list", { ...right, args: "--key s3cret" }, /args must be a list of texts/],
    ["a lock file that is no file", { ...right, lockFile: new URL("https://x.test/l") }, /lockFile must be a path/],
    ["a lock file with U+0000", { ...right, lockFile: "a\0b" }, /lockFile must be a path/],
    ["a lock file of too long a name", { ...right, lockFile: "x".repeat(5_000) }, /The lock file of MCP/],
    ["a time that is none", { ...right, timeoutMs: 0 }, /timeoutMs must be a whole number/],
    ["no options", undefined as never, /must be a plain object/],
  ])("%s", async (_name, options, why) => {
    const faults = await faultsOf([taking(declaredAs(options))]);
    expect(faults.join("\n")).toMatch(why);
    expect(faults.join("\n")).not.toContain("s3cret");
  });

  test("several at once, with those of other parts", async () => {
    const faults = await faultsOf([
      taking(declaredAs({ name: "?", tools: [], timeoutMs: -1 })),
      defineTool({ name: "bad name", description: "", run: () => 1 }),
    ]);
    expect(faults).toHaveLength(6);
  });

  test("a variable that is not set is named, and none is read from elsewhere", async () => {
    const server = declaredAs({ ...right, env: ["FILES_TOKEN", "PATH", "FILES_KEY"] });
    expect(await faultsOf([taking(server)], { env: { FILES_KEY: "k" } })).toEqual([
      expect.stringMatching(/^server files: the environment variable FILES_TOKEN is not set/),
      expect.stringMatching(/^server files: the environment variable PATH is not set.*\(it has FILES_KEY\)$/),
    ]);
    expect(await faultsOf([taking(server)], { env: { FILES_KEY: "k", PATH: "p", FILES_TOKEN: "t" } })).toEqual([]);
  });

  test("a variable is what was set, and nothing that every object has; one that no program can take shows no value", async () => {
    const server = declaredAs({ ...right, env: ["constructor", "__proto__", "FILES_TOKEN"] });
    expect(await faultsOf([taking(server)], { env: { FILES_TOKEN: "s3cret\0" } })).toEqual([
      expect.stringMatching(/^server files: the environment variable constructor is not set/),
      expect.stringMatching(/^server files: the environment variable __proto__ is not set/),
      "server files: the environment variable FILES_TOKEN must be a text without the character U+0000",
    ]);
  });

  test("two servers of one name", async () => {
    const faults = await faultsOf([
      defineTool({ name: "t", description: "T.", deps: [declaredAs(right), declaredAs(right)], run: () => 1 }),
    ]);
    expect(faults).toEqual([expect.stringMatching(/servers of one name/)]);
  });

  test("a class without @McpServer, also behind another class, and a workflow's list of what is none", async () => {
    class Bare extends McpServerClient {}
    class Repository {
      constructor(readonly server: Bare) {}
    }
    const tool = defineTool({ name: "t", description: "T.", deps: [Repository], run: () => 1 });
    const providers = [{ provide: Repository, useClass: Repository, deps: [Bare] }];
    expect(await faultsOf([tool], { providers: providers as never })).toEqual([
      expect.stringMatching(/^Bare: it is no server.*@McpServer/),
    ]);
    const workflow = defineWorkflow({
      name: "w",
      agents: [defineAgent({ name: "a", description: "A." })],
      mcp: [Bare, declaredAs({ ...right, env: ["NOT_SET"] })],
    });
    await expect(createApp(workflow, { models: { default: scriptedModel() }, env: {} })).rejects.toThrow(
      /mcp\[0\] is no server[^]*NOT_SET is not set/,
    );
  });
});

describe("pins", () => {
  test("mcpTools without a lock file, and without a pin, says how to make one; nothing is connected", async () => {
    const before = mail.calls.length;
    const server = serverOf({ name: "mail", url: mail.url, tools: ["send_email", "later"] });
    expect(await faultsOf([...mcpTools(server)])).toEqual([
      expect.stringMatching(/^tool send_email: .*there is no .*tenon\.lock\.json; run `tenon mcp accept mail`/),
      expect.stringMatching(/^tool later: .*there is no .*tenon\.lock\.json/),
    ]);
    await accept(server);
    expect(await faultsOf([...mcpTools(server)])).toEqual([
      expect.stringMatching(/^tool later: the tool "later" of the server mail is not pinned in .*tenon\.lock\.json/),
    ]);
    expect(mail.calls.length).toBe(before);
  });

  test("a damaged lock file is a fault of the server", async () => {
    const server = serverOf({
      name: "mail",
      url: mail.url,
      tools: ["send_email"],
      lockFile: new URL("./assembly.test.ts", import.meta.url),
    });
    expect((await faultsOf([taking(server)])).join()).toMatch(/lock file of MCP cannot be used/);
  });

  test("the lock file is found from the declaring file upward, and a path counts from its folder", async () => {
    @McpServer({ name: "mail", url: "http://127.0.0.1:9/", tools: ["send_email"], lockFile: "nowhere/lock.json" })
    class Given extends McpServerClient {}
    expect((await faultsOf([...mcpTools(Given)])).join()).toContain(join(import.meta.dirname, "nowhere", "lock.json"));
    @McpServer({ name: "mail", url: "http://127.0.0.1:9/", tools: ["send_email"] })
    class Nearest extends McpServerClient {}
    expect((await faultsOf([...mcpTools(Nearest)])).join()).toContain(
      join(import.meta.dirname, "..", "..", "..", "tenon.lock.json"),
    );
  });

  test("description, schemas and policy come from the pin and from the options", async () => {
    const server = serverOf({ name: "mail", url: mail.url, tools: ["send_email", "ns.x"] });
    await accept(server);
    const [send, other] = mcpTools(server, {
      prefix: "m_",
      access: { "ns.x": "read" },
      approval: { send_email: true },
      timeoutMs: { send_email: 5_000 },
      inDoubt: { send_email: "rerun" },
    });
    expect(toolDefinitionOf(send!)).toMatchObject({
      name: "m_send_email",
      description: "Sends by mail.",
      inputSchema: words,
    });
    const agent = defineAgent({ name: "a", description: "A.", tools: [send!, other!] });
    await using app = await createApp(agent, { models: { default: scriptedModel() }, env: {} });
    expect(app.describe().agents[0]!.tools).toMatchObject([
      {
        name: "m_send_email",
        access: "write",
        origin: "mcp",
        server: "mail",
        approval: true,
        timeoutMs: 5_000,
        inDoubt: "rerun",
        source: "untrusted",
        description: "Sends by mail.",
      },
      { access: "read", approval: false, timeoutMs: 600_000, inDoubt: "rerun", source: "untrusted" },
    ]);
  });

  test("bad options of mcpTools, and what is no server, are refused where they stand", () => {
    const server = serverOf({ name: "mail", url: mail.url, tools: ["send_email"] });
    expect(() => mcpTools(server, { access: { send: "read" } })).toThrow(/access names "send"/);
    expect(() => mcpTools(server, { only: ["send"] })).toThrow(/only names "send"/);
    expect(() => mcpTools(server, { prefix: "a b" })).toThrow(/prefix must be/);
    expect(() => mcpTools(server, { acces: {} } as never)).toThrow(/did you mean `access`/);
    expect(() => mcpTools(undefined as never)).toThrow(/an import cycle/);
    expect(() => mcpTools(McpServerClient)).toThrow(/Decorate it with/);
    expect(() => mcpTools(declaredAs({ name: "?", tools: [] }))).toThrow(/name must match/);
    expect(mcpTools(server, { only: [] })).toEqual([]);
  });

  test("options by tool are checked as those of other tools", async () => {
    const server = serverOf({ name: "mail", url: mail.url, tools: ["send_email"] });
    await accept(server);
    const faults = await faultsOf([
      ...mcpTools(server, { access: { send_email: "wirte" as never }, timeoutMs: 0, maxResultChars: 5 }),
    ]);
    expect(faults).toHaveLength(3);
  });
});

describe("@McpTool", () => {
  class To {
    @Text() to!: string;
  }
  const Mail = declaredAs({ name: "mail", url: "http://127.0.0.1:9/", tools: ["send_email", "a b"] });

  test("a tool that its server is not declared with, a server that is none, and bad options", async () => {
    @McpTool({ server: Mail, tool: "send_mail", description: "Sends.", input: To })
    class Misnamed {
      constructor(private readonly own: McpServerClient) {}
      run(input: To, ctx: ToolContext): Promise<unknown> {
        return this.own.call("send_mail", input, ctx);
      }
    }
    @McpTool({ server: McpServerClient, tool: "send_email", description: "Sends.", deps: [] })
    class NoServer {
      run(): number {
        return 1;
      }
    }
    @McpTool({ server: Mail, tool: "send_email", name: "x", description: "", acess: "read" } as never)
    class BadOptions {
      constructor(private readonly own: McpServerClient) {}
      run(): unknown {
        return this.own;
      }
    }
    const faults = await faultsOf([Misnamed, NoServer as never, BadOptions]);
    expect(faults).toEqual([
      "tool x: unknown option `acess`; did you mean `access`?",
      expect.stringMatching(/^tool x: description must be/),
      expect.stringMatching(/^McpServerClient: it is no server/),
      expect.stringMatching(/^tool send_mail: tool: the server mail is not declared with "send_mail"/),
      expect.stringMatching(/^tool send_email: server must be a class decorated with @McpServer/),
    ]);
  });

  test("its name is the server's, or one made from it; a plain object stands in for the server", async () => {
    @McpTool({ server: Mail, tool: "a b", description: "Spaced.", input: To })
    class Spaced {
      constructor(private readonly own: Pick<McpServerClient, "call">) {}
      run(input: To, ctx: ToolContext): Promise<unknown> {
        return this.own.call("a b", input, ctx);
      }
    }
    expect(toolDefinitionOf(Spaced as never).name).toMatch(/^a_b_[A-Za-z0-9]{9}$/);
    const seen: unknown[] = [];
    const fake = { call: async (...args: readonly unknown[]) => void seen.push(args.slice(0, 2)) };
    expect(await toolOf(new Spaced(fake as never)).invoke({ to: "x" })).toEqual({ kind: "ok", value: null });
    expect(seen).toEqual([["a b", { to: "x" }]]);
    const made = await toolOf(new Spaced(new Mail())).invoke({ to: "x" });
    expect(made).toMatchObject({ code: "tool_error", message: expect.stringMatching(/belongs to no app/) });
  });

  test("providers put something in the place of a server: it needs neither its variables nor a lock file", async () => {
    const Secret = serverOf({ name: "mail", url: "http://127.0.0.1:9/", env: ["NOT_SET"], tools: ["send_email"] });
    const fake = { call: async (tool: string, input: unknown) => ({ tool, input }) };
    const agent = defineAgent({ name: "a", description: "A.", tools: [...mcpTools(Secret)] });
    const model = scriptedModel(rawCall({ id: "a", name: "send_email", arguments: '{"to":"x"}' }), replyWith("done"));
    const providers = [{ provide: Secret, useValue: fake as McpServerClient }] as const;
    await using app = await createApp(agent, { models: { default: model }, env: {}, providers });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(JSON.stringify(model.requests[1])).toContain(String.raw`{\"tool\":\"send_email\"`);
  });
});

describe("names", () => {
  test("[B20] two servers with a tool of one name, or a local tool and a server's: an error that names both and the way out", async () => {
    const Mail = serverOf({ name: "mail", url: mail.url, tools: ["send_email"] });
    const Crm = serverOf({ name: "crm", url: crm.url, tools: ["send_email"] });
    await Promise.all([accept(Mail), accept(Crm)]);
    expect(await faultsOf([...mcpTools(Mail), ...mcpTools(Crm)])).toEqual([
      expect.stringMatching(/send_email \(of the server mail\) and send_email \(of the server crm\).*`prefix`/),
    ]);
    const local = defineTool({ name: "send-email", description: "Own.", run: () => 1 });
    expect(await faultsOf([local, ...mcpTools(Crm)])).toEqual([
      expect.stringMatching(/send-email \(of this app\) and send_email \(of the server crm\)/),
    ]);
  });

  test("[B20] with a prefix both are there, and each call reaches its own server", async () => {
    const Mail = serverOf({ name: "mail", url: mail.url, tools: ["send_email"] });
    const Crm = serverOf({ name: "crm", url: crm.url, tools: ["send_email"] });
    await Promise.all([accept(Mail), accept(Crm)]);
    const agent = defineAgent({
      name: "a",
      description: "A.",
      tools: [...mcpTools(Mail), ...mcpTools(Crm, { prefix: "crm_" })],
    });
    const model = scriptedModel(
      rawTurn({
        calls: [
          { id: "a", name: "send_email", arguments: '{"to":"A"}' },
          { id: "b", name: "crm_send_email", arguments: '{"to":"B"}' },
        ],
      }),
      replyWith("done"),
    );
    await using app = await createApp(agent, { models: { default: model }, env: {} });
    await app.run({ prompt: "go" });
    const told = JSON.stringify(model.requests[1]);
    expect(told).toContain("mail to A");
    expect(told).toContain("crm to B");
  });

  test("[B59] names that providers refuse are mapped, each to another one, and a call reaches the tool of the original name", async () => {
    // The SDK warns of such names.
    vi.spyOn(console, "warn").mockReturnValue();
    const names = ["calendar.create", "calendar_create", "ns/x", "a b", "ü"];
    const odd = await loopbackServer(Object.fromEntries(names.map((name) => [name, { run: () => name }])));
    onTestFinished(() => odd.close());
    const server = serverOf({ name: "odd", url: odd.url, tools: names });
    await accept(server);
    const agent = defineAgent({ name: "a", description: "A.", tools: [...mcpTools(server)] });
    const model = scriptedModel();
    await using app = await createApp(agent, { models: { default: model }, env: {} });
    const told = app.describe().agents[0]!.tools.map(({ name }) => name);
    for (const name of told) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(told).size).toBe(5);
    expect(told[1]).toBe("calendar_create");
    model.thenReturn(
      rawTurn({ calls: told.map((name, i) => ({ id: `c${i}`, name, arguments: "" })) }),
      replyWith("done"),
    );
    await app.run({ prompt: "go" });
    expect(odd.calls.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(told);
    const results = JSON.stringify(model.requests[1]!.messages.at(-1));
    for (const name of names) expect(results).toContain(String.raw`{\"text\":\"${name}\"}`);
  });
});

test("an object of a server belongs to one open app: another's calls would go out with its credentials", async () => {
  const Mail = serverOf({ name: "mail", url: mail.url, tools: ["ns.x"] });
  await accept(Mail);
  const agent = defineAgent({ name: "a", description: "A.", tools: mcpTools(Mail) });
  const make = async (one: McpServerClient, ...steps: ReturnType<typeof replyWith>[]) => {
    const providers = [{ provide: Mail, useFactory: () => one }];
    const app = await createApp(agent, { models: { default: scriptedModel(...steps) }, env: {}, providers });
    onTestFinished(() => app.close({ graceMs: 0 }));
    return app;
  };
  const one = new Mail();
  const first = await make(one, replyWith("first"));
  expect((await first.run({ prompt: "go" })).text).toBe("first");
  const second = await (await make(one)).run({ prompt: "go" });
  expect(second.error).toMatchObject({ code: "bad_input" });
  expect(second.error!.message).toContain("belongs to another app");
  await first.close();
  expect((await (await make(one, replyWith("third"))).run({ prompt: "go" })).text).toBe("third");
  const frozen = await (await make(Object.freeze(new Mail()))).run({ prompt: "go" });
  expect(frozen.error!.message).toContain("it is frozen");
});
