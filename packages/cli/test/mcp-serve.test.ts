import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inject, onTestFinished, expect, test } from "vitest";
import { clerkApp, clerkProject, linesOf, started } from "./clerk-project.js";
import { startTenon, tenon, tenonEach } from "./run-cli.js";

const main = resolve(import.meta.dirname, "../dist/main.js");
const effects = (cwd: string): readonly string[] => linesOf(cwd, "effects.txt");
const version = { name: "test", version: "1" };

interface Talk {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** What the command says on standard error. */
  readonly said: () => string;
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean; runId: string }>;
}

/** A client that starts the command, as hosts do. */
async function talk(cwd: string, words: readonly string[] = []): Promise<Talk> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp", "serve", ...words],
    cwd,
    stderr: "pipe",
    env: { TMPDIR: inject("temporary"), PATH: process.env["PATH"]! },
  });
  let said = "";
  transport.stderr!.on("data", (text: Buffer) => (said += text.toString()));
  const client = new Client(version, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return {
    client,
    transport,
    said: () => said,
    async call(name, args = {}) {
      const answer = await client.callTool({ name, arguments: args });
      const { ["_meta"]: meta } = answer as { readonly ["_meta"]?: Record<string, string> };
      const [block] = answer.content as readonly { readonly text: string }[];
      return { text: block!.text, isError: answer.isError === true, runId: meta!["tenon/runId"]! };
    },
  };
}

test("over standard input and output: what the project writes there breaks nothing", async () => {
  const config = `
    console.log("loading");
    const { createApp, defineAgent, defineTool } = await import("tenon");
    const { offlineModel } = await import("tenon/models");
    const loud = defineTool({ name: "loud", description: "Is loud.", run: () => {
      console.log("in the tool");
      process.stdout.write("raw\\n");
      return "heard";
    } });
    const agent = defineAgent({ name: "loud", description: "Is loud.", tools: [loud], model: offlineModel() });
    export default { app: () => createApp(agent) };
  `;
  const { call, said, client, transport } = await talk(clerkProject({ "tenon.config.ts": config }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["loud"]);
  expect(await call("loud")).toMatchObject({ text: "heard", isError: false });
  for (const text of ["loading", "in the tool", "raw", "serving loud"]) expect(said()).toContain(text);
  const { pid } = transport;
  await client.close();
  await expect.poll(() => isAlive(pid!)).toBe(false);
});

test("a client of an older revision is asked while its call is open", async () => {
  const cwd = clerkProject();
  const client = new OlderClient(version, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    expect(params.message).toContain("Send 20 by transfer?");
    return { action: "accept", content: { approve: true } };
  });
  onTestFinished(() => client.close());
  await client.connect(
    new OlderTransport({
      command: process.execPath,
      args: [main, "mcp", "serve", "--owner", "ann"],
      cwd,
      stderr: "ignore",
      env: { TMPDIR: inject("temporary"), PATH: process.env["PATH"]! },
    }),
  );
  const answer = await client.callTool({ name: "transfer", arguments: { amount: 20 } });
  expect(answer.content).toEqual([{ type: "text", text: "sent 20" }]);
  expect(effects(cwd)).toHaveLength(1);
  await using app = await clerkApp(cwd);
  const [run] = await app.runs();
  expect(run).toMatchObject({ agent: "tool:transfer", prompt: "transfer", status: "completed" });
  expect(await app.inspect(run!.id)).toMatchObject({
    owner: "ann",
    audit: [{ decision: { approved: true, by: "ann" } }],
  });
});

test("a call that waits survives the kill of its server, and its result is picked up from the next one", async () => {
  const cwd = clerkProject();
  const first = await talk(cwd);
  const { text, runId, isError } = await first.call("transfer", { amount: 20, pin: "my pin" });
  expect(isError).toBe(true);
  const [, pauseId] = /tenon approve (\S+?)`/.exec(text)!;
  process.kill(first.transport.pid!, "SIGKILL");

  const second = await talk(cwd);
  expect(await second.call("tenon_result", { runId })).toEqual({ text, runId, isError: true });
  const shown = await tenon(["runs", "show", runId], { cwd });
  expect(shown.out).toContain("tool:transfer asks: Send 20 by transfer?");
  expect(shown.out).not.toContain("my pin");
  const approved = await tenon(["approve", pauseId!, "--by", "bea"], { cwd });
  expect(approved).toMatchObject({ code: 0, out: "sent 20\n" });
  expect(await second.call("tenon_result", { runId })).toEqual({ text: "sent 20", runId, isError: false });
  expect(effects(cwd)).toEqual([`call_${runId}_1_1 20 my pin`]);
});

test("a write that was interrupted by the kill of its server is not sent twice: a person finds out", async () => {
  const cwd = clerkProject();
  const first = await talk(cwd);
  const call = expect(first.call("slow_write", { text: "once" })).rejects.toThrow();
  await started(cwd, 1);
  process.kill(first.transport.pid!, "SIGKILL");
  await call;
  writeFileSync(join(cwd, "go"), "");

  await using app = await clerkApp(cwd);
  const runId = (await app.runs())[0]!.id;
  const second = await talk(cwd);
  // The lease of the process that is gone may hold the run a little longer: the answer waits for it.
  const doubtful = await second.call("tenon_result", { runId });
  expect(doubtful.text).toContain("slow_write was interrupted, and a person has to find out what happened");
  const [, pauseId] = /tenon approve (\S+) --done/.exec(doubtful.text)!;
  await app.decide(runId, { [pauseId!]: { action: "done", result: { text: "wrote once" }, by: "bea" } });
  expect(await second.call("tenon_result", { runId })).toEqual({ text: "wrote once", runId, isError: false });
  expect(linesOf(cwd, "starts.txt")).toHaveLength(1);
  expect(effects(cwd)).toEqual([]);
});

test("over HTTP: the address on standard output, callers by the configuration, and an end on a signal", async () => {
  const cwd = clerkProject({
    "tenon.config.ts": `import { createApp } from "tenon";
      import { sqliteStore } from "tenon/sqlite";
      import { Clerk } from "./src/clerk.js";
      import { echoModel } from "./src/echo-model.js";
      export default {
        app: () => createApp(Clerk, { store: sqliteStore(".tenon/tenon.db"), models: { default: echoModel } }),
        mcp: { authorize: (token) => (token === "secret" ? { owner: "ann" } : undefined), tools: ["transfer"] },
      };`,
  });
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    const server = startTenon(["mcp", "serve", "--http"], { cwd });
    await server.sees("/mcp\n");
    const url = new URL(server.out.trim());
    const connect = async (token: string): Promise<Client> => {
      const client = new Client(version);
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      return client;
    };
    await expect(connect("guess")).rejects.toThrow();
    const client = await connect("secret");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["transfer", "tenon_result"]);
    await client.callTool({ name: "transfer", arguments: { amount: 5 } });
    server.process.kill(signal);
    const ended = await server.ended;
    expect(ended).toMatchObject({ code, out: `${url.href}\n`, err: "serving transfer\n" });
  }
  await using app = await clerkApp(cwd);
  expect(await app.runs()).toHaveLength(2);
});

test("what cannot be served ends the command before anything is served", async () => {
  const cwd = clerkProject();
  const wrong = [
    [["--http", "--stdio"], "Choose one of --stdio and --http"],
    [["--port", "80"], "--port and --host go with --http"],
    [["--tools", "transfers"], "transfers is no tool of the app's agents"],
    [["--http", "--host", "0.0.0.0"], "can be reached from other machines"],
  ] as const;
  const ended = await tenonEach({ cwd }, ...wrong.map(([words]) => ["mcp", "serve", ...words]));
  for (const [index, [, said]] of wrong.entries()) {
    expect(ended[index]).toMatchObject({ code: 2, out: "" });
    expect(ended[index]!.err).toContain(said);
  }
  const nowhere = await tenon(["mcp", "serve"], { cwd: "/" });
  expect(nowhere).toMatchObject({ code: 3, out: "" });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
