import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectionInTest, hurriedClock, wordsOf } from "./connections.js";
import { temporaryFile } from "./temporary-file.js";

const caught = (made: unknown): Promise<unknown> => Promise.resolve(made).catch((error: unknown) => error);
/** So long that a hundredth of it is still long. */
const long = { startTimeoutMs: 2_000_000 };

test("a command that is not there is told at once", async () => {
  const clock = hurriedClock(250);
  const server = connectionInTest("", [], { command: "no-such-command-of-tenon", ...long }, { clock });
  const error = await caught(server.tools());
  expect(error).toMatchObject({ code: "mcp_connection", data: { server: "tested", reason: "start", started: false } });
  expect((error as Error).message).toContain("no-such-command-of-tenon ENOENT");
  expect(clock.waits.filter((ms) => ms < long.startTimeoutMs)).toEqual([]);
});

test("a program that ends at once is tried again after growing pauses; the error has its last words and no secret", async () => {
  const starts = temporaryFile();
  const clock = hurriedClock(250);
  const env = { SECRET_TOKEN: "s3cret-token-value" };
  const server = connectionInTest("hostile/ends-at-once.mjs", [starts], { env, ...long }, { clock, random: () => 1 });
  const error = await caught(server.tools());
  expect(error).toMatchObject({ data: { reason: "start", started: false } });
  expect((error as Error).message).toContain("no database for ***");
  expect((error as Error).message).toContain("code 9");
  expect(JSON.stringify([error, (error as Error).stack])).not.toContain("s3cret-token-value");
  // The first attempt asks the older way too: some older servers end at the newest question.
  expect(readFileSync(starts, "utf8")).toBe("started\n".repeat(4));
  expect(clock.waits.filter((ms) => ms < long.startTimeoutMs)).toEqual([500, 1_000]);
});

test("a program that does not answer is told with the time it had and its own words, and what it was not given", async () => {
  const silent = "console.error('fetching a package'); setInterval(() => {}, 1000)";
  const server = connectionInTest("", [], { command: process.execPath, args: ["-e", silent], startTimeoutMs: 1_000 });
  const { message } = (await caught(server.tools())) as Error;
  expect(message).toContain("it did not answer within 1000 ms; its last words: fetching a package. ");
  expect(message).toContain("a program gets PATH and the variables that `env` names, and no others");
});

test("a program that is lost again and again is started after growing pauses, and at once when it has answered", async () => {
  const clock = hurriedClock(250);
  const patient = { ...long, idleTimeoutMs: 1_000_000 };
  const server = connectionInTest("hostile/misbehaving.mjs", [], patient, { clock, random: () => 1 });
  const waits = (): number[] => clock.waits.filter((ms) => ms < 1_000_000);
  for (let n = 0; n < 4; n++) await caught(server.call("crash", {}));
  expect(waits()).toEqual([500, 1_000]);
  expect(wordsOf(await server.call("calls", {}))).toBe("1");
  expect(waits()).toEqual([500, 1_000, 2_000]);
  await caught(server.call("crash", {}));
  await server.call("calls", {});
  expect(waits()).toEqual([500, 1_000, 2_000]);
});

test("a caller that gives up while the server starts does not end the start for others", async () => {
  const server = connectionInTest("hostile/misbehaving.mjs");
  const stop = new AbortController();
  const gone = caught(server.call("echo", {}, { signal: stop.signal }));
  const stays = server.call("calls", {});
  stop.abort();
  expect(await gone).toMatchObject({ data: { reason: "aborted", started: false } });
  expect(wordsOf(await stays)).toBe("1");
});
