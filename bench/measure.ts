import type { Side } from "./side.ts";

const BATCH = 32;
const ALLOCATING_RUNS = 400;

/** Warms a side up, and gives the time of one run, in microseconds. Throws where a run did not do all of its work. */
export async function measureTime(side: Side, time: "cpu" | "wall", warmMs: number, timedMs: number): Promise<number> {
  const warm = await runFor(side, time, warmMs);
  const start = now(time);
  const runs = await runFor(side, time, timedMs);
  const us = (now(time) - start) / runs;
  checkCount(side, warm + runs);
  return us;
}

/** What one run allocates, in bytes. The process must be started so that nothing is collected meanwhile: see `run.ts`. */
export async function measureBytes(side: Side, warmMs: number): Promise<number> {
  const warm = await runFor(side, "cpu", warmMs);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < ALLOCATING_RUNS; i++) await side.run();
  const bytes = (process.memoryUsage().heapUsed - before) / ALLOCATING_RUNS;
  checkCount(side, warm + ALLOCATING_RUNS);
  return bytes;
}

function checkCount(side: Side, runs: number): void {
  if (side.count() === runs * side.perRun) return;
  throw new Error(`${side.count()} executions in ${runs} runs, ${side.perRun} each were wanted`);
}

/** Goes by the time that is measured: on a busy machine a process that gets half of it warms up for twice as long. */
async function runFor(side: Side, time: "cpu" | "wall", ms: number): Promise<number> {
  const until = now(time) + ms * 1_000;
  let runs = 0;
  do {
    for (let i = 0; i < BATCH; i++) await side.run();
    runs += BATCH;
  } while (now(time) < until);
  return runs;
}

/** Microseconds. */
function now(time: "cpu" | "wall"): number {
  if (time === "wall") return performance.now() * 1_000;
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
