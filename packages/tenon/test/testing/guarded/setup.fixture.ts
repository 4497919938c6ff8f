import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent, createApp, defineTool } from "../../../src/doors/tenon/index.js";
import { allowNetwork, callTool, replyWith, scriptedModel } from "../../../src/doors/testing/index.js";

const server = createServer((_request, response) => response.end("reached"));
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const reached = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/`)).text();
const ask = defineTool({ name: "ask", description: "Asks.", approval: true, run: () => "asked" });
@Agent({ name: "asker", description: "Asks.", tools: [ask] })
class Asker {}

test("is blocked, also where the test does not look", async () => {
  await reached();
});

test("is allowed until the test is over", async () => {
  allowNetwork("127.0.0.1");
  expect(await reached()).toBe("reached");
});

test("is blocked again in the next test", async () => {
  await expect(reached()).rejects.toThrow("fetch failed");
});

test("has the matchers", async () => {
  await using app = await createApp(Asker, {
    models: { default: scriptedModel(callTool(ask), replyWith("done")) },
    env: {},
  });
  expect(await app.run({ prompt: "go" })).toHavePausedAt(ask);
});

test("fails by a matcher", async () => {
  await using app = await createApp(Asker, { models: { default: scriptedModel(replyWith("done")) }, env: {} });
  expect(await app.run({ prompt: "go" })).toHavePausedAt(ask);
});
