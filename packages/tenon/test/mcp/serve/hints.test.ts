import { expect, test } from "vitest";
import { mcpTools, serveMcp } from "../../../src/doors/mcp/index.js";
import { offlineModel } from "../../../src/doors/models/index.js";
import { createApp, defineAgent, defineTool, Tool } from "../../../src/doors/tenon/index.js";
import { accept, declaresServers, serverOf } from "../client/declared.js";
import { loopbackServer } from "../client/loopback-server.js";
import { httpClient } from "./mcp-client.js";

declaresServers();

const description = "Does it.";
const run = (): string => "done";

/** What each tool says of itself, and what a client is told by it. */
const cases = [
  ["nothing", {}, { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
  ["read", { access: "read" }, { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
  [
    "read_in_doubt",
    { access: "read", inDoubt: "ask" },
    { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
  ],
  ["write", { access: "write" }, { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
  [
    "write_again",
    { access: "write", inDoubt: "rerun" },
    { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  ],
  [
    "untrusted_read",
    { source: "untrusted" },
    { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  ],
  [
    "untrusted_write",
    { access: "write", source: "untrusted" },
    { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  ],
  ["trusted", { source: "trusted" }, { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
] as const;

@Tool({ name: "as_class", description, access: "write", source: "untrusted" })
class AsClass {
  run = run;
}

test.each(["modern", "legacy"] as const)("a %s client is told of each tool what its options say", async (era) => {
  const stranger = await loopbackServer({ theirs: { description, run } });
  const Theirs = serverOf({ name: "theirs", url: stranger.url, tools: ["theirs"] });
  await accept(Theirs);
  const tools = cases.map(([name, options]) => defineTool({ name, description, ...options, run }));
  const remote = mcpTools(Theirs);
  const agent = defineAgent({
    name: "clerk",
    description,
    tools: [...tools, AsClass, ...remote],
    model: offlineModel(),
  });
  await using app = await createApp(agent, { env: {} });
  await using serving = await serveMcp(app);
  const client = await httpClient(serving.url!, { era });
  const listed = new Map((await client.listTools()).tools.map(({ name, annotations }) => [name, annotations]));
  for (const [name, , hints] of cases) expect(listed.get(name), name).toEqual(hints);
  const strangers = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  expect(listed.get("as_class")).toEqual(strangers);
  // A server's tool counts as a write, and as words of strangers, whatever the server says of it.
  expect(listed.get("theirs")).toEqual(strangers);
  await client.close();
  await stranger.close();
});
