// What the official suite starts with the address of one of its servers: Tenon's connection lists the tools and calls each.
import { ServerConnection } from "../../../src/mcp/connection/server-connection.js";
import { systemClock } from "../../../src/util/clock.js";

const inputs = { add_numbers: { a: 5, b: 3 } };

const connection = new ServerConnection(
  { name: "suite", url: process.argv.at(-1), env: {}, startTimeoutMs: 10_000 },
  { clock: systemClock },
);
try {
  for (const { name } of await connection.tools()) {
    const answer = await connection.call(name, inputs[name] ?? {}, {
      signal: AbortSignal.timeout(10_000),
      idleTimeoutMs: 10_000,
      context: undefined,
      onProgress() {},
    });
    if (answer.isError) throw new Error(JSON.stringify(answer.content));
  }
} finally {
  await connection.close();
}
