import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createApp, defineAgent } from "../../../src/doors/tenon/index.js";
import { McpServer, McpServerClient, mcpTools } from "../../../src/doors/mcp/index.js";
import { sqliteStore } from "../../../src/doors/sqlite/index.js";
import { crashEverywhere, rawCall, replyWith, scriptedModel } from "../../../src/doors/testing/index.js";
import { lives } from "../connections.js";
import { accept, declaresServers, newFolder, serverOf } from "./declared.js";

declaresServers();

const script = fileURLToPath(new URL("file-writer.mjs", import.meta.url));
const host = fileURLToPath(new URL("killed-host.mjs", import.meta.url));
const RUN = "mcp-kill-run";
const soon = { timeout: 20_000 };

/** A folder with a run whose process was killed while the server had its second call, a write; and that run's agent. */
async function killedInTheMiddle() {
  const folder = newFolder();
  const file = join(folder, "lines.txt");
  writeFileSync(file, "");
  const lines = (): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);
  const command = process.execPath;
  const Writer = serverOf({
    name: "writer",
    command,
    args: [script, file],
    tools: ["append", "about"],
    lockFile: join(folder, "tenon.lock.json"),
  });
  await accept(Writer);
  const child = spawn(command, ["--no-warnings", host, folder, script, command], { stdio: "inherit" });
  await expect.poll(lines, soon).toEqual(["hang"]);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  const agent = defineAgent({
    name: "desk",
    description: "Writes.",
    tools: mcpTools(Writer, { access: { about: "read" } }),
  });
  return { folder, lines, agent };
}

describe("kill -9 in the middle of a write", () => {
  test("the server ends with its host; the run waits for somebody who says what happened, and goes on", async () => {
    const { folder, lines, agent } = await killedInTheMiddle();
    const model = scriptedModel(replyWith("done"));
    const store = sqliteStore(join(folder, "tenon.db"));
    const app = await createApp(agent, { models: { default: model }, env: {}, store, leaseMs: 300 });
    onTestFinished(() => app.close({ graceMs: 0 }));
    await expect.poll(async () => (await app.recover(), await app.pauses()).length, soon).toBe(1);
    const [pause] = await app.pauses();
    expect(pause).toMatchObject({ kind: "in-doubt", tool: "append", interruption: "crash" });
    const told = (await app.inspect(RUN)).turns[0]!.calls[0]!.result as unknown as { value: { text: string } };
    const { pid } = JSON.parse(told.value.text) as { pid: number };
    await expect.poll(() => lives(pid), soon).toBe(false);
    const result = await app.resume(RUN, {
      [pause!.id]: { action: "done", result: { text: "appended hang" }, by: "Ada" },
    });
    expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(lines().filter((line) => line === "hang")).toHaveLength(1);
    expect(JSON.stringify(model.requests[0])).toContain("appended hang");
  });
});

test("whenever the process dies, a write of a server's tool happens once, or a person says what happened", async () => {
  @McpServer({ name: "bank", url: "http://127.0.0.1:9/", tools: ["pay"] })
  class Bank extends McpServerClient {}
  const report = await crashEverywhere({
    app: (world) =>
      world.createApp(
        defineAgent({ name: "payer", description: "Pays.", tools: [...mcpTools(Bank, { approval: true })] }),
        {
          providers: [
            {
              provide: Bank,
              useValue: {
                call: async (_tool: string, _input: unknown, { callId }: any) => world.effect("paid", callId) as never,
              },
            },
          ],
          models: { default: world.model(rawCall({ id: "a", name: "pay", arguments: "" }), replyWith("Paid.")) },
        },
      ),
  });
  expect(report.points.some((point) => point.includes("effect paid"))).toBe(true);
}, 60_000);
