import { afterAll, expect, test } from "vitest";
import { ServerConnection } from "../../src/mcp/connection/server-connection.js";
import { systemClock } from "../../src/util/clock.js";

const everything = new URL(
  "../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
  import.meta.url,
).pathname;

const connection = new ServerConnection(
  { name: "everything", command: "node", args: [everything, "stdio"], env: {}, startTimeoutMs: 20_000 },
  { clock: systemClock },
);
afterAll(() => connection.close());

test("a server of the older SDK is listed and called", async () => {
  const tools = await connection.tools();
  expect(tools.map(({ name }) => name)).toContain("echo");
  // This server says once, right after it started, that its tools changed.
  await expect.poll(() => Array.isArray(connection.tools())).toBe(true);
  expect(connection.version).toBe(1);
  const answer = await connection.call("echo", { message: "hi" }, { idleTimeoutMs: 5_000 });
  expect(answer).toEqual({ content: [{ type: "text", text: "Echo: hi" }], isError: false });
});
