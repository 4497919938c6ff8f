import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectionInTest, wordsOf } from "./connections.js";
import { temporaryFile } from "./temporary-file.js";

const everything = "../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js";

test("a server of the older SDK is listed and called", async () => {
  const server = connectionInTest(everything, ["stdio"]);
  const tools = await server.tools();
  expect(tools.map(({ name }) => name)).toContain("echo");
  // This server says once, right after it started, that its tools changed.
  await expect.poll(() => Array.isArray(server.tools())).toBe(true);
  expect(server.tools()).toBe(tools);
  const answer = await server.call("echo", { message: "hi" });
  expect(answer).toEqual({ content: [{ type: "text", text: "Echo: hi" }], isError: false });
});

test("a server of the newer SDK is called, told of an abort, and its answers are not checked here", async () => {
  const server = connectionInTest("modern-server.mjs", [], { idleTimeoutMs: 1_000 });
  expect(wordsOf(await server.call("gone", undefined))).toBe("here");
  expect((await server.call("typed", {})).structuredContent).toEqual({ n: 1 });
  const slow = server.call("slow", {});
  await expect(slow).rejects.toMatchObject({ data: { reason: "idle", started: true } });
  await expect.poll(async () => wordsOf(await server.call("seen", {}))).toBe("aborted");
});

test("a server that is silent at the question for the newest revision is asked the older way", async () => {
  const starts = temporaryFile();
  const server = connectionInTest("hostile/leaves-at-probe.mjs", [starts, "silent"], { startTimeoutMs: 4_000 });
  expect(await server.tools()).toHaveLength(1);
  expect(readFileSync(starts, "utf8")).toBe("started\n");
});

test("a server that ends at the question for the newest revision is asked the older way, and that is remembered", async () => {
  const starts = temporaryFile();
  const server = connectionInTest("hostile/leaves-at-probe.mjs", [starts]);
  expect(await server.tools()).toHaveLength(1);
  expect(readFileSync(starts, "utf8")).toBe("started\nstarted\n");
});
