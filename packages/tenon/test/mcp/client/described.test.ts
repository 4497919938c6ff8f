import { expect, test } from "vitest";
import type { McpServerClient } from "../../../src/doors/mcp/index.js";
import { createApp, defineAgent, defineTool } from "../../../src/doors/tenon/index.js";
import { scriptedModel } from "../../../src/doors/testing/index.js";
import { declaresServers, serverOf } from "./declared.js";

declaresServers();

test("an app tells its servers and the names of their variables, no value, and none that something stands in for", async () => {
  const Mail = serverOf({ name: "mail", url: "http://127.0.0.1:9/", env: ["MAIL_KEY", "MAIL_USER"], tools: ["send"] });
  const Files = serverOf({ name: "files", command: "files-server", tools: ["list"] });
  const Fake = serverOf({ name: "fake", command: "fake-server", env: ["NOT_SET"], tools: ["list"] });
  const take = defineTool({ name: "take", description: "T.", deps: [Mail, Files, Fake], run: () => 1 });
  await using app = await createApp(defineAgent({ name: "a", description: "A.", tools: [take] }), {
    models: { default: scriptedModel() },
    env: { MAIL_KEY: "s3cret-1", MAIL_USER: "s3cret-2", OTHER: "x" },
    providers: [{ provide: Fake, useValue: {} as McpServerClient }],
  });
  const described = app.describe();
  expect(described.mcpServers).toEqual([
    { name: "mail", variables: ["MAIL_KEY", "MAIL_USER"] },
    { name: "files", variables: [] },
  ]);
  expect(JSON.stringify(described)).not.toContain("s3cret");
});
