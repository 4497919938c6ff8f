// A server over stdio that appends lines to a file. "exit" ends it after the write, before it answered; "hang" never answers.
import { appendFileSync } from "node:fs";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [, , file] = process.argv;
const input = fromJsonSchema({ type: "object", properties: { line: { type: "string" } }, required: ["line"] });
const say = (words) => ({ content: [{ type: "text", text: words }] });

serveStdio(() => {
  const server = new McpServer({ name: "writer", version: "1" }, { capabilities: { tools: {} } });
  server.registerTool("append", { description: "Appends a line.", inputSchema: input }, async ({ line }, ctx) => {
    appendFileSync(file, `${line}\n`);
    if (line === "exit") process.kill(process.pid, "SIGKILL");
    if (line === "hang")
      await new Promise((resolve) =>
        ctx.mcpReq.signal.addEventListener("abort", () => {
          appendFileSync(file, "aborted\n");
          resolve();
        }),
      );
    return say(`appended ${line}`);
  });
  server.registerTool("about", { description: "Says who it is." }, () =>
    say(JSON.stringify({ pid: process.pid, env: Object.keys(process.env).sort(), token: process.env.WRITER_TOKEN })),
  );
  return server;
});
