import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { connectionInTest, lives } from "./connections.js";
import { temporaryFile } from "./temporary-file.js";

const pidsIn = (file: string): number[] =>
  existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").filter(Boolean).map(Number) : [];
const left = (file: string): number[] => pidsIn(file).filter(lives);
/** Long enough for a machine that is busy; what is waited for takes no more than 5 s. */
const patience = { timeout: 20_000 };

test("[B83] close ends a program that ignores every wish, and what it started, and may be called twice", async () => {
  const pids = temporaryFile();
  const server = connectionInTest("hostile/unstoppable.mjs", ["answers", pids]);
  await server.tools();
  await expect.poll(() => pidsIn(pids).length, patience).toBe(2);
  expect(left(pids)).toHaveLength(2);
  const closed = server.close();
  expect(server.close()).toBe(closed);
  await closed;
  expect(left(pids)).toEqual([]);
  await server.close();
  await expect(server.call("any", {})).rejects.toMatchObject({ data: { reason: "closed", started: false } });
  await expect(Promise.resolve().then(() => server.tools())).rejects.toMatchObject({ data: { reason: "closed" } });
});

test("[B83] a program that never answers the handshake is ended when the time is over", async () => {
  const pids = temporaryFile();
  const server = connectionInTest("hostile/unstoppable.mjs", ["silent", pids], { startTimeoutMs: 1_500 });
  await expect(server.tools()).rejects.toMatchObject({ data: { reason: "start", started: false } });
  expect(pidsIn(pids).length).toBeGreaterThan(0);
  expect(left(pids)).toEqual([]);
});

test("[B83] close while the program starts leaves nothing, and who waits is told", async () => {
  const pids = temporaryFile();
  const server = connectionInTest("hostile/unstoppable.mjs", ["silent", pids]);
  const listing = server.tools() as Promise<unknown>;
  const told = expect(listing).rejects.toMatchObject({ data: { reason: "closed", started: false } });
  await expect.poll(() => pidsIn(pids).length, patience).toBeGreaterThan(0);
  await server.close();
  await told;
  expect(left(pids)).toEqual([]);
});

test("close in the same moment as the first use starts nothing that stays", async () => {
  const pids = temporaryFile();
  const server = connectionInTest("hostile/unstoppable.mjs", ["silent", pids]);
  const listing = server.tools() as Promise<unknown>;
  const told = expect(listing).rejects.toMatchObject({ data: { reason: "closed" } });
  await server.close();
  await told;
  expect(left(pids)).toEqual([]);
});

test("close ends an open call: it may have reached the server", async () => {
  const server = connectionInTest("hostile/misbehaving.mjs");
  await server.tools();
  const told = expect(server.call("silent", {})).rejects.toMatchObject({
    data: { reason: "closed", started: true },
  });
  await server.call("echo", {});
  await server.close();
  await told;
});

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The program `host.ts` with all that it imports, in one file. */
function bundledHost(): string {
  const outfile = `${temporaryFile()}.mjs`;
  buildSync({
    entryPoints: [path("host.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "error",
  });
  return outfile;
}

const ends = { SIGTERM: "SIGTERM", SIGKILL: "SIGKILL", exit: 7, throw: 1, idle: 0 } as const;

test("[B83] a host that ends leaves no program: by a signal, by itself, by an error, or because nothing keeps it", async () => {
  const host = bundledHost();
  const ending = Object.entries(ends).map(async ([how, code]) => {
    const pids = temporaryFile();
    const started = spawn(process.execPath, [host, how, pids, path("hostile/unstoppable.mjs")], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = new Promise((resolve) => started.once("exit", (exit, signal) => resolve(signal ?? exit)));
    await new Promise((resolve) => started.stdout.once("data", resolve));
    await expect.poll(() => pidsIn(pids).length, patience).toBe(2);
    started.stdout.resume();
    if (how.startsWith("SIG")) started.kill(how as NodeJS.Signals);
    // Nothing of ours stands between a signal and the host's end.
    expect([how, await ended]).toEqual([how, code]);
    await expect.poll(() => left(pids), { timeout: 5_000 }).toEqual([]);
  });
  await Promise.all(ending);
});
