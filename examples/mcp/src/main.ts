import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createApp } from "tenon";
import { serveMcp } from "tenon/mcp";
import { offlineModel } from "tenon/models";
import { Desk } from "./desk.js";
import { shelf } from "./files.js";

// Both ways, without a key and without a network. What is not as it should be throws, and ends the process with 1.

const monday = resolve(shelf, "monday.md");
const tuesday = resolve(shelf, "tuesday.md");
for (const file of [monday, tuesday]) await rm(file, { force: true });

await using app = await createApp(Desk, { models: { default: offlineModel() } });

// As a client: the agent writes through the server for files, once somebody has approved it.
const asked = await app.run({ prompt: 'write the report named "monday.md" with the text "All quiet."' });
assert.equal(asked.status, "paused");
const [pause] = asked.pauses;
console.log(`the desk asks: ${pause.question} ${JSON.stringify(pause.input)}`);
await assert.rejects(readFile(monday));
const written = await app.resume(asked.runId, { [pause.id]: { approved: true, by: "ann" } });
assert.equal(written.status, "completed");
assert.equal(await readFile(monday, "utf8"), "All quiet.");
console.log(`the desk says: ${written.text.split("\n")[0]}`);

// As a server: any MCP client calls the desk's tools. Its user is asked before a write.
await using serving = await serveMcp(app);
const client = new Client({ name: "example", version: "1" }, { capabilities: { elicitation: { form: {} } } });
const questions: string[] = [];
let answer: { action: "accept" | "decline"; content?: Record<string, boolean> } = { action: "decline" };
client.setRequestHandler("elicitation/create", async ({ params }) => {
  questions.push(params.message);
  return answer;
});
await client.connect(new StreamableHTTPClientTransport(new URL(serving.url!)));

const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  ["read_report", "write_report", "tenon_result"],
);
const call = async (name: string, args: Record<string, string>): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  const [block] = content;
  assert.equal(block?.type, "text");
  console.log(`a client calls ${name}: ${block.text}`);
  return block.text;
};
assert.equal(await call("read_report", { name: "monday.md" }), "All quiet.");

const report = { name: "tuesday.md", text: "A storm." };
assert.match(await call("write_report", report), /not allowed|declined/);
await assert.rejects(readFile(tuesday));
answer = { action: "accept", content: { approve: true } };
assert.equal(await call("write_report", report), "wrote tuesday.md");
assert.equal(await readFile(tuesday, "utf8"), "A storm.");
assert.equal(questions.length, 2);
await client.close();

// All of it is in one journal.
const runs = await app.runs();
assert.deepEqual(
  runs.map(({ agent, status }) => `${agent} ${status}`),
  ["tool:write_report completed", "tool:write_report completed", "tool:read_report completed", "desk completed"],
);
console.log("\nAll as it should be.");
