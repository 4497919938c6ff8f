import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { CallAnswer } from "../../src/mcp/connection/call-answer.js";
import { ServerConnection, type ConnectionParts } from "../../src/mcp/connection/server-connection.js";
import type { ServerSpec } from "../../src/mcp/connection/server-spec.js";
import { type Clock, systemClock } from "../../src/util/clock.js";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A connection to a server of this folder; the test or its file closes it. */
export function connectionTo(
  script: string,
  args: readonly string[] = [],
  spec: Partial<ServerSpec> = {},
  parts: Partial<ConnectionParts> = {},
): ServerConnection {
  return new ServerConnection(
    {
      name: "tested",
      command: process.execPath,
      args: [file(script), ...args],
      env: {},
      startTimeoutMs: 20_000,
      idleTimeoutMs: 10_000,
      ...spec,
    },
    { clock: systemClock, graceMs: 200, ...parts },
  );
}

/** The same, closed when the test is over. */
export function connectionInTest(...args: Parameters<typeof connectionTo>): ServerConnection {
  const connection = connectionTo(...args);
  onTestFinished(() => connection.close());
  return connection;
}

/** A connection to an address, closed when the test is over. */
export function connectionToUrl(
  url: string,
  spec: Partial<ServerSpec> = {},
  parts: Partial<ConnectionParts> = {},
): ServerConnection {
  const connection = new ServerConnection(
    { name: "tested", url, env: {}, startTimeoutMs: 5_000, idleTimeoutMs: 10_000, ...spec },
    { clock: systemClock, graceMs: 200, ...parts },
  );
  onTestFinished(() => connection.close());
  return connection;
}

/** The words of an answer. */
export function wordsOf(answer: CallAnswer): string {
  return answer.content.map((block) => (typeof block["text"] === "string" ? block["text"] : "")).join("");
}

/** The system's clock, but what waits for so long or longer waits a hundredth of it. `waits` lists these. */
export function hurriedClock(fromMs: number): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    ...systemClock,
    waits,
    setTimer(run, ms) {
      if (ms >= fromMs) waits.push(ms);
      return systemClock.setTimer(run, ms >= fromMs ? ms / 100 : ms);
    },
  };
}

/** Whether a process runs. One that has ended and whose parent did not look yet is still listed, and does not. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync("/proc/self/stat") || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The system's clock, so many times as fast. */
export function fastClock(times: number): Clock {
  return {
    now: systemClock.now,
    elapsedMs: () => Math.floor(performance.now() * times),
    setTimer: (run, ms) => systemClock.setTimer(run, ms / times),
  };
}
