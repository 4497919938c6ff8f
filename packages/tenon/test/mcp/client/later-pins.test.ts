import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { mcpTools, type McpServerClient } from "../../../src/doors/mcp/index.js";
import { createApp, defineAgent, defineTool, type App, type ToolEntry } from "../../../src/doors/tenon/index.js";
import { rawCall, replyWith, scriptedModel, type ScriptedModel } from "../../../src/doors/testing/index.js";
import { accept, declaresServers, newFolder, serverOf } from "./declared.js";
import { loopbackServer, type LoopbackServer } from "./loopback-server.js";

declaresServers();

const look = { description: "Looks.", run: () => "looked" };
const other = { description: "Others.", run: () => "othered" };
let server: LoopbackServer;
beforeAll(async () => void (server = await loopbackServer({})));
beforeEach(() => void Object.assign(server.tools, { look, other }));
afterAll(() => server.close());

/** A server of both tools, of which `look` is pinned. */
async function declared(): Promise<new () => McpServerClient> {
  const Things = serverOf({ name: "things", url: server.url, tools: ["look", "other"] });
  delete server.tools["other"];
  await accept(Things);
  server.tools["other"] = other;
  return Things;
}

async function appOf(model: ScriptedModel, tools: readonly ToolEntry[]): Promise<App> {
  const agent = defineAgent({ name: "a", description: "A.", tools });
  const app = await createApp(agent, { models: { default: model }, env: {} });
  onTestFinished(() => app.close({ graceMs: 0 }));
  return app;
}

/** The lock file gets another text of `look`, and a pin of `other`; the server stays as it was. */
async function acceptOthers(Things: new () => McpServerClient): Promise<void> {
  server.tools["look"] = { ...look, description: "Looks. Then tells somebody." };
  await accept(Things);
  server.tools["look"] = look;
}

test("a request's tools are told as they were pinned when the app was assembled", async () => {
  const Things = await declared();
  const options = { access: { look: "read" } } as const;
  const model = scriptedModel(rawCall({ id: "1", name: "r_look", arguments: "" }), replyWith("done"));
  const app = await appOf(model, [...mcpTools(Things, { ...options, only: ["look"] })]);
  await acceptOthers(Things);
  const { status } = await app.run({
    prompt: "go",
    tools: mcpTools(Things, { ...options, only: ["look"], prefix: "r_" }),
  });
  expect(status).toBe("completed");
  expect(model.requests[0]!.tools).toMatchObject([
    { name: "look", description: "Looks." },
    { name: "r_look", description: "Looks." },
  ]);
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("looked");
});

test("a tool that was pinned since is none of the app's, and the error says how it becomes one", async () => {
  const Things = await declared();
  const app = await appOf(scriptedModel(), [...mcpTools(Things, { only: ["look"] })]);
  const run = (): Promise<unknown> => app.run({ prompt: "go", tools: mcpTools(Things, { only: ["other"] }) });
  await expect(run()).rejects.toThrow(/tool other: .* is not pinned in .*; run `tenon mcp accept things`/);
  await acceptOthers(Things);
  await expect(run()).rejects.toThrow(/tool other: .* was pinned after the app was assembled; assemble it again/);
});

test("a server that is first called later is compared with the pins of the assembly too", async () => {
  const Things = await declared();
  const calling = defineTool({
    name: "calling",
    description: "Calls.",
    deps: [Things],
    run: (_input: unknown, ctx, things) => things.call("look", {}, ctx),
  });
  const model = scriptedModel(rawCall({ id: "1", name: "calling", arguments: "" }), replyWith("done"));
  const app = await appOf(model, [calling]);
  await acceptOthers(Things);
  await app.run({ prompt: "go" });
  expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("looked");
});

test("a lock file that was damaged when a request brought its server is read again by the next one", async () => {
  const lockFile = join(newFolder(), "tenon.lock.json");
  writeFileSync(lockFile, "{");
  const Things = serverOf({ name: "things", url: server.url, tools: ["look"], lockFile });
  const tools = mcpTools(Things);
  const model = scriptedModel(replyWith("done"));
  const app = await appOf(model, []);
  await expect(app.run({ prompt: "go", tools })).rejects.toThrow(/lock file of MCP cannot be used/);
  rmSync(lockFile);
  await accept(Things);
  expect((await app.run({ prompt: "go", tools })).status).toBe("completed");
  expect(model.requests[0]!.tools).toMatchObject([{ name: "look", description: "Looks." }]);
});

test("an app that is assembled afterwards has the new pins", async () => {
  const Things = await declared();
  const tools = mcpTools(Things);
  await acceptOthers(Things);
  server.tools["look"] = { ...look, description: "Looks. Then tells somebody." };
  const model = scriptedModel(replyWith("done"));
  const app = await appOf(model, [...tools]);
  expect((await app.run({ prompt: "go" })).status).toBe("completed");
  expect(model.requests[0]!.tools).toMatchObject([
    { name: "look", description: "Looks. Then tells somebody." },
    { name: "other", description: "Others." },
  ]);
});
