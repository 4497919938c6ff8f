import { spawn } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { connectionToUrl, wordsOf } from "./connections.js";

const say = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

const tokenOf = ({ _meta: meta }: { _meta?: { progressToken?: string | number | undefined } }) => meta?.progressToken;

/** A server of the newer SDK. `seen` has what the call of `slow` saw, `names` are its tools, and `changed` says that they changed. */
async function newerServer() {
  const seen: string[] = [];
  const names = new Set(["slow", "steps", "mirrored"]);
  const where: object = { type: "string", "x-mcp-header": "Where" };
  const input = fromJsonSchema<{ where?: string }>({ type: "object", properties: { where } });
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "newer", version: "1" }, { capabilities: { tools: { listChanged: true } } });
    for (const name of names)
      server.registerTool(name, { description: name, inputSchema: input }, async (args, ctx) => {
        if (name === "slow") {
          await new Promise((resolve) => ctx.mcpReq.signal.addEventListener("abort", resolve));
          seen.push("aborted");
        }
        if (name === "steps") {
          const progressToken = tokenOf(ctx.mcpReq);
          if (progressToken !== undefined)
            await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
        }
        return say(`${name} ${args.where ?? ""}`);
      });
    return server;
  });
  const headers: unknown[] = [];
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => {
    headers.push(request.headers["mcp-param-where"]);
    void node(request as IncomingMessage & { method: string; url: string }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { url, seen, names, headers, changed: () => handler.notify.toolsChanged() };
}

test("a server of the newer SDK: progress, an abort, arguments in headers, and [B87] changes of the list", async () => {
  const server = await newerServer();
  const connection = connectionToUrl(server.url, { idleTimeoutMs: 1_000 });
  const names = async (): Promise<string[]> => (await connection.tools()).map(({ name }) => name);
  expect(await names()).toEqual(["slow", "steps", "mirrored"]);
  const told: number[] = [];
  const onProgress = ({ progress }: { progress: number }): void => void told.push(progress);
  expect(wordsOf(await connection.call("steps", {}, { onProgress }))).toBe("steps ");
  expect(told).toEqual([1]);
  await expect(connection.call("slow", {})).rejects.toMatchObject({
    data: { reason: "idle", started: true },
  });
  await expect.poll(() => server.seen).toEqual(["aborted"]);
  expect(wordsOf(await connection.call("mirrored", { where: "here" }))).toBe("mirrored here");
  expect(server.headers).toContain("here");
  server.names.delete("slow");
  // The subscription comes about beside the first requests.
  await expect
    .poll(async () => {
      server.changed();
      return names();
    })
    .toEqual(["steps", "mirrored"]);
});

test("a server of the older SDK with sessions", async () => {
  const script = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const free = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(free));
    });
  });
  const server = spawn(process.execPath, [script, "streamableHttp"], {
    env: { PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  await new Promise<void>((resolve) =>
    server.stderr.on("data", (text: Buffer) => text.includes("listening") && resolve()),
  );
  const connection = connectionToUrl(`http://127.0.0.1:${port}/mcp`);
  expect((await connection.tools()).map(({ name }) => name)).toContain("echo");
  expect(wordsOf(await connection.call("echo", { message: "hi" }))).toBe("Echo: hi");
});
