/** What the compiler accepts and refuses of MCP servers and their tools. Checked by `npm run typecheck`; never run. */
import { Agent, createApp, defineAgent, defineTool, defineWorkflow, token, toolOf, type ToolContext, type ToolHandler } from "tenon";
import { PlainText } from "tenon/dto";
import { McpServer, McpServerClient, McpTool, mcpTools } from "tenon/mcp";
import { callTool, testWith } from "tenon/testing";
import { Ask, Database, Told } from "./parts.js";

@McpServer({ name: "files", command: "node", args: ["x"], env: ["A"], tools: ["read", "write"], timeoutMs: 5, lockFile: new URL("file:///x") })
class Files extends McpServerClient {}
@McpServer({ name: "mail", url: "https://x.test", tools: ["send"], headers: (context: { token: string }, env) => ({ authorization: context.token + (env["A"] ?? "") }) })
class Mail extends McpServerClient {}
// @ts-expect-error it is no client
@McpServer({ name: "x", command: "x", tools: ["x"] })
class NoClient {}
// @ts-expect-error env lists names
@McpServer({ name: "x", command: "x", tools: ["x"], env: { A: "value" } })
class Values extends McpServerClient {}
// @ts-expect-error tools are missing
@McpServer({ name: "x", command: "x" })
class NoTools extends McpServerClient {}
// @ts-expect-error the app makes the object
@McpServer({ name: "x", command: "x", tools: ["x"] })
class WithParameter extends McpServerClient {
  constructor(readonly name: string) {
    super();
  }
}

// ---- it fits
@McpTool({ server: Files, tool: "write", description: "d", input: Ask, output: PlainText, access: "write", approval: (input) => input.words === "" })
class Write implements ToolHandler<Ask, PlainText> {
  constructor(private readonly files: Files) {}
  run(input: Ask, ctx: ToolContext) { return this.files.call("write", input, ctx); }
}
@McpTool({ server: Files, tool: "read", name: "read", description: "d", output: Told, deps: [Database, Files] })
class WithMore {
  constructor(private readonly db: Database, private readonly files: Files) {}
  async run(_input: Record<string, never>, ctx: ToolContext): Promise<Told> {
    const told = await this.files.call<Told>("read", undefined, ctx);
    return { text: told.text + this.db.find("x").join() };
  }
}
@McpTool({ server: Mail, tool: "send", description: "d", durable: true })
class NoArguments {
  constructor(private readonly mail: Pick<McpServerClient, "call">) {}
  run(_input: Record<string, never>, ctx: ToolContext) { return this.mail.call("send", {}, ctx); }
}
const own = defineTool({ name: "own", description: "d", deps: [Files], run: async (_input, ctx, files) => (await files.call<Told>("read", {}, ctx)).text });
@Agent({ name: "a", description: "d", tools: [Write, WithMore, NoArguments, own, ...mcpTools(Files, { prefix: "f_", access: { read: "read" }, approval: { write: (input) => input.path === "" }, timeoutMs: 5 })] })
class Main {}
const workflow = defineWorkflow({ name: "w", agents: [Main], mcp: [Files, Mail] });
void createApp(workflow, { providers: [{ provide: Files, useValue: { call: async () => undefined as never } }] });
const fake = { call: async () => ({ text: "x" }) as never };
void toolOf(new Write(fake)).invoke({ words: "x" }).then((result) => result.kind === "ok" && result.value.text satisfies string);
void callTool(Write, { words: "x" });
testWith(Main)("t", ({ mcpOf }) => void mcpOf(Files).tool("read").mockResolvedValue({ text: "x" }));

// ---- it does not
// @ts-expect-error run takes another input
@McpTool({ server: Files, tool: "write", description: "d", input: Ask })
class OtherInput {
  constructor(private readonly files: Files) {}
  run(input: { path: string }, ctx: ToolContext) { return this.files.call("write", input, ctx); }
}
// @ts-expect-error run returns another output
@McpTool({ server: Files, tool: "write", description: "d", output: Told })
class OtherOutput {
  constructor(private readonly files: Files) {}
  async run(_input: Record<string, never>, ctx: ToolContext): Promise<number> { return this.files.call<number>("write", {}, ctx); }
}
// @ts-expect-error the server is its only dependency
@McpTool({ server: Files, tool: "write", description: "d" })
class OtherDeps {
  constructor(private readonly db: Database) {}
  run() { return this.db.find("x"); }
}
// @ts-expect-error no server
@McpTool({ tool: "write", description: "d" })
class NoServer {
  constructor(private readonly files: Files) {}
  run() { return this.files; }
}
// @ts-expect-error no such access
mcpTools(Files, { access: { read: "all" } });
// @ts-expect-error no class of a client
mcpTools(Database);
// @ts-expect-error the context is missing
void new Files().call("read", {});
// @ts-expect-error arguments are an object
void new Files().call("read", "x", {} as ToolContext);
void [NoClient, Values, NoTools, WithParameter, OtherInput, OtherOutput, OtherDeps, NoServer, defineAgent, token];
