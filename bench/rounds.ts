import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export type Side = "floor" | "tenon";
/** `start`: a program, from nothing to its first answer. */
export type What = "time" | "bytes" | "burst" | "start";

/** What one process measured: `us` and more, each a number. */
export type Measured = Readonly<Record<string, number>>;

/** How many rounds, and how long a process warms up and is timed, in milliseconds. */
export interface Effort {
  readonly rounds: number;
  readonly warmMs: number;
  readonly timedMs: number;
}

/** What the rounds of one workload gave: in a round both sides, each in a process of its own. */
export interface Rounds {
  readonly floor: readonly Measured[];
  readonly tenon: readonly Measured[];
}

/** How many starts of a program make one measurement. */
const STARTS = 5;

/** Nothing is collected while a few hundred runs allocate. */
const bytesOptions = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

/** Workloads and their sides in turn, each time in a new process, so that what else the machine does meets all alike. */
export async function inTurn(names: readonly string[], what: What, effort: Effort): Promise<readonly Rounds[]> {
  const found = names.map(() => ({ floor: [] as Measured[], tenon: [] as Measured[] }));
  for (let round = 0; round < effort.rounds; round++) {
    for (const [i, name] of names.entries()) {
      found[i]!.floor.push(await measureIn(name, "floor", what, effort));
      found[i]!.tenon.push(await measureIn(name, "tenon", what, effort));
    }
  }
  return found;
}

/** The median of what a side measured under a name. */
export function medianOf(rounds: readonly Measured[], name: string): number {
  return median(rounds.map((measured) => measured[name]!));
}

/** The median of the ratios of a round. */
export function ratioOf({ floor, tenon }: Rounds, name: string): number {
  return median(tenon.map((measured, i) => measured[name]! / floor[i]![name]!));
}

/** The median of what a second workload took more, round by round. */
export function differenceOf(long: readonly Measured[], short: readonly Measured[], name: string): number {
  return median(long.map((measured, i) => measured[name]! - short[i]![name]!));
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

async function measureIn(name: string, side: Side, what: What, { warmMs, timedMs }: Effort): Promise<Measured> {
  if (what === "start") return measureStart(name, side);
  const child = fileURLToPath(new URL("child.ts", import.meta.url));
  const options = what === "bytes" ? bytesOptions : [];
  const args = [...options, child, name, side, what, String(warmMs), String(timedMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

/** By the clock, from the start of a process until it has ended with its answer; the median of a few. */
async function measureStart(name: string, side: Side): Promise<Measured> {
  const program = fileURLToPath(new URL(`${name}/${side}.mjs`, import.meta.url));
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const start = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    times.push((performance.now() - start) * 1_000);
    if (stdout !== "done\n") throw new Error(`${name}: the ${side} side answered ${JSON.stringify(stdout)}`);
  }
  return { us: median(times) };
}
