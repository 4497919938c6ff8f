import { expect, test } from "vitest";
import { PlainText } from "../../../src/doors/dto/index.js";
import { serveMcp } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { createApp, defineAgent, defineTool, jsonSchema } from "../../../src/doors/tenon/index.js";
import { httpClient } from "./mcp-client.js";

const form = jsonSchema({ type: "object", properties: { why: { type: "string" } } });
const save = defineTool({
  name: "save",
  description: "Saves.",
  input: PlainText,
  access: "write",
  approval: ({ text }) => `Save ${text}?`,
  run: () => "saved",
});
const ask = defineTool({
  name: "ask",
  description: "Asks.",
  input: PlainText,
  run: async ({ text }, ctx) => [await ctx.pause(text), await ctx.pause(text, { schema: form })],
});

test.each(["modern", "legacy"] as const)("what a person would not see is escaped: %s revisions", async (era) => {
  const agent = defineAgent({ name: "clerk", description: "Asks.", tools: [save, ask], model: offlineModel() });
  await using app = await createApp(agent, {});
  await using serving = await serveMcp(app);
  const messages: string[] = [];
  const client = await httpClient(serving.url!, {
    era,
    asked: ({ message, requestedSchema: { properties } }) => {
      messages.push(message);
      return { action: "accept", content: "approve" in properties ? { approve: true } : { answer: "a", why: "b" } };
    },
  });
  const text = "to ann\u202e\u200b\r\nor 👩🏽‍💻\u{e0041}";
  await client.callTool({ name: "save", arguments: { text } });
  await client.callTool({ name: "ask", arguments: { text } });
  await client.close();
  const shown = "to ann\\u202e\\u200b\nor 👩🏽‍💻\\udb40\\udc41";
  expect(messages).toEqual([
    `Save ${shown}?\n\nsave {"text":"${shown.replace("\n", String.raw`\r\n`)}"}`,
    shown,
    shown,
  ]);
});
