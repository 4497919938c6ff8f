import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { Measured } from "./measure.ts";

// Every workload in fresh processes, its two sides in turn, so that what else the machine does meets both alike. What counts
// is the ratio of a round; times are shown to say what it is a ratio of.

/** The workloads, with the ratio that is aimed at. */
const targets: Readonly<Record<string, number>> = {
  "one-call": 2.5,
  "ten-turns": 2.5,
  "one-call-sqlite": 1.5,
  "one-call-sqlite-normal": 1.5,
};
const MEMORY_TARGET = 4;

/** Nothing is collected while a few hundred runs allocate. */
const nodeOptions = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

interface Row {
  readonly medianUs: number;
  readonly floorUs: number;
  readonly ratio: number;
  readonly medianBytes: number;
  readonly floorBytes: number;
  readonly bytesRatio: number;
}

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
  },
});
const names = values.only ?? Object.keys(targets);
const unknown = names.find((name) => targets[name] === undefined);
if (unknown !== undefined) {
  console.error(`There is no workload ${unknown}; there are: ${Object.keys(targets).join(", ")}.`);
  process.exit(2);
}
const [rounds, warmMs, timedMs] = values.quick ? [3, 500, 500] : [7, 1_500, 1_000];

const rows: Record<string, Row> = {};
for (const name of names) {
  rows[name] = await compare(name);
  print(name, rows[name]);
}
if (values.json) console.log(JSON.stringify(rows));

async function compare(name: string): Promise<Row> {
  const floors: Measured[] = [];
  const tenons: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    floors.push(await measureIn(name, "floor"));
    tenons.push(await measureIn(name, "tenon"));
  }
  const ratioOf = (of: "us" | "bytes"): number => median(tenons.map((tenon, i) => tenon[of] / floors[i]![of]));
  return {
    medianUs: rounded(median(tenons.map(({ us }) => us))),
    floorUs: rounded(median(floors.map(({ us }) => us))),
    ratio: rounded(ratioOf("us")),
    medianBytes: Math.round(median(tenons.map(({ bytes }) => bytes))),
    floorBytes: Math.round(median(floors.map(({ bytes }) => bytes))),
    bytesRatio: rounded(ratioOf("bytes")),
  };
}

async function measureIn(name: string, side: "floor" | "tenon"): Promise<Measured> {
  const child = fileURLToPath(new URL("child.ts", import.meta.url));
  const args = [...nodeOptions, child, name, side, String(warmMs), String(timedMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

function print(name: string, { medianUs, floorUs, ratio, medianBytes, floorBytes, bytesRatio }: Row): void {
  const time = `${medianUs} µs, floor ${floorUs} µs: ${ratio}x (aim ${targets[name]}x)`;
  const aim = name === "one-call" ? ` (aim ${MEMORY_TARGET}x)` : "";
  const memory = `allocates ${medianBytes} bytes, floor ${floorBytes}: ${bytesRatio}x${aim}`;
  console.log(`${name.padEnd(24)} ${time}; ${memory}`);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function rounded(number: number): number {
  return Math.round(number * 1_000) / 1_000;
}
