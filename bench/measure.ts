import type { Side } from "./side.ts";

/** What one process measured. */
export interface Measured {
  /** Time of one run, in microseconds. */
  readonly us: number;
  /** What one run allocates, in bytes. */
  readonly bytes: number;
  readonly runs: number;
}

const BATCH = 32;
const ALLOCATING_RUNS = 400;

/** Warms a side up, times it, and checks that every run did all of its work. */
export async function measure(side: Side, time: "cpu" | "wall", warmMs: number, timedMs: number): Promise<Measured> {
  const warm = await runFor(side, warmMs);
  const bytes = await allocated(side);
  const start = now(time);
  const runs = await runFor(side, timedMs);
  const us = (now(time) - start) / runs;
  const all = warm + ALLOCATING_RUNS + runs;
  if (side.count() !== all * side.perRun) {
    throw new Error(`${side.count()} executions in ${all} runs, ${side.perRun} each were wanted`);
  }
  return { us, bytes, runs };
}

async function runFor(side: Side, ms: number): Promise<number> {
  const until = performance.now() + ms;
  let runs = 0;
  do {
    for (let i = 0; i < BATCH; i++) await side.run();
    runs += BATCH;
  } while (performance.now() < until);
  return runs;
}

/** The young generation is made so large that nothing is collected meanwhile: see `run.ts`. */
async function allocated(side: Side): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < ALLOCATING_RUNS; i++) await side.run();
  return (process.memoryUsage().heapUsed - before) / ALLOCATING_RUNS;
}

function now(time: "cpu" | "wall"): number {
  if (time === "wall") return performance.now() * 1_000;
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
