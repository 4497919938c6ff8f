import type { Side, Workload } from "./side.ts";

const BATCH = 32;
const BURSTS = 5;
const ALLOCATING_RUNS = 400;

/**
 * Warms a side up, and gives the time of one run, or of one of its parts, in microseconds. Throws where a run did not do all
 * of its work.
 */
export async function measureTime(
  side: Side,
  { time, parts = 1 }: Pick<Workload, "time" | "parts">,
  warmMs: number,
  timedMs: number,
): Promise<{ readonly us: number }> {
  const batch = Math.max(1, Math.floor(BATCH / parts));
  const warm = await runFor(side, time, warmMs, batch);
  const start = now(time);
  const runs = await runFor(side, time, timedMs, batch);
  const us = (now(time) - start) / runs / parts;
  checkCount(side, warm + runs);
  return { us };
}

/**
 * A run that is many runs at once: by the clock (the median) and in main-thread CPU (the mean) in microseconds, after two to
 * warm up, and the most memory that the whole process ever had, in bytes.
 */
export async function measureBurst(
  side: Side,
): Promise<{ readonly us: number; readonly cpuUs: number; readonly peakBytes: number }> {
  for (let i = 0; i < 2; i++) await side.run();
  const walls: number[] = [];
  const cpu = now("cpu");
  for (let i = 0; i < BURSTS; i++) {
    const start = now("wall");
    await side.run();
    walls.push(now("wall") - start);
  }
  const cpuUs = (now("cpu") - cpu) / BURSTS;
  checkCount(side, 2 + BURSTS);
  return {
    us: walls.toSorted((a, b) => a - b)[BURSTS >> 1]!,
    cpuUs,
    peakBytes: process.resourceUsage().maxRSS * 1_024,
  };
}

/** What one run allocates, in bytes. The process must be started so that nothing is collected meanwhile: see `run.ts`. */
export async function measureBytes(side: Side, warmMs: number): Promise<{ readonly bytes: number }> {
  const warm = await runFor(side, "cpu", warmMs, BATCH);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < ALLOCATING_RUNS; i++) await side.run();
  const bytes = (process.memoryUsage().heapUsed - before) / ALLOCATING_RUNS;
  checkCount(side, warm + ALLOCATING_RUNS);
  return { bytes };
}

function checkCount(side: Side, runs: number): void {
  if (side.count() === runs * side.perRun) return;
  throw new Error(`${side.count()} executions in ${runs} runs, ${side.perRun} each were wanted`);
}

/** Goes by the time that is measured: on a busy machine a process that gets half of it warms up for twice as long. */
async function runFor(side: Side, time: "cpu" | "wall", ms: number, batch: number): Promise<number> {
  const until = now(time) + ms * 1_000;
  let runs = 0;
  do {
    for (let i = 0; i < batch; i++) await side.run();
    runs += batch;
  } while (now(time) < until);
  return runs;
}

/** Microseconds. */
function now(time: "cpu" | "wall"): number {
  if (time === "wall") return performance.now() * 1_000;
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
