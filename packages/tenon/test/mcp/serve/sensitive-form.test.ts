import { expect, test } from "vitest";
import { serveMcp } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { createApp, defineAgent, defineTool, jsonSchema } from "../../../src/doors/tenon/index.js";
import { httpClient, metaOf } from "./mcp-client.js";

test("what is sensitive as a whole is not put into a form", async () => {
  const secret = jsonSchema({ type: "object", writeOnly: true, properties: { pin: { type: "string" } } });
  const ask = defineTool({
    name: "ask",
    description: "Asks.",
    run: async (_input: unknown, ctx) => JSON.stringify(await ctx.pause("Your pin?", { schema: secret })),
  });
  const agent = defineAgent({ name: "asker", description: "Asks.", tools: [ask], model: offlineModel() });
  await using app = await createApp(agent, {});
  await using serving = await serveMcp(app);
  let asked = 0;
  const client = await httpClient(serving.url!, { asked: () => (asked++, { action: "cancel" }) });
  expect(metaOf(await client.callTool({ name: "ask" }))["tenon/code"]).toBe("approval_required");
  expect(asked).toBe(0);
  await client.close();
});
