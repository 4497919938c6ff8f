// A process that uses a server and then ends in some way, without closing it. Bundled by its test.
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { ServerConnection } from "../../src/mcp/connection/server-connection.js";
import { systemClock } from "../../src/util/clock.js";

const [, , how, file, server] = process.argv as unknown as readonly [string, string, string, string, string];
const connection = new ServerConnection(
  {
    name: "tested",
    command: process.execPath,
    args: [server, "answers", file],
    env: {},
    startTimeoutMs: 20_000,
    idleTimeoutMs: 10_000,
  },
  { clock: systemClock },
);
await connection.tools();
// The server's own child needs its time to start.
while (readFileSync(file, "utf8").split("\n").length < 3) await wait(20);
console.log("ready");
if (how === "exit") process.exit(7);
if (how === "throw") throw new Error("thrown on purpose");
if (how !== "idle") setInterval(() => {}, 1_000);
