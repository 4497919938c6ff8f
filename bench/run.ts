import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

// Every workload in fresh processes, its two sides in turn, so that what else the machine does meets both alike. What counts
// is the ratio of a round; times are shown to say what it is a ratio of.

interface Aim {
  readonly ratio: number;
  /** Of the bytes that one run allocates; only where they are measured. */
  readonly bytesRatio?: number;
}

const aims: Readonly<Record<string, Aim>> = {
  "one-call": { ratio: 2.5, bytesRatio: 4 },
  "ten-turns": { ratio: 2.5 },
  "one-call-sqlite": { ratio: 1.5 },
  "one-call-sqlite-normal": { ratio: 1.5 },
};

interface Row {
  readonly medianUs: number;
  readonly floorUs: number;
  readonly ratio: number;
  readonly medianBytes?: number;
  readonly floorBytes?: number;
  readonly bytesRatio?: number;
}

/** Nothing is collected while a few hundred runs allocate. */
const bytesOptions = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
  },
});
const names = values.only ?? Object.keys(aims);
const unknown = names.find((name) => aims[name] === undefined);
if (unknown !== undefined) {
  console.error(`There is no workload ${unknown}; there are: ${Object.keys(aims).join(", ")}.`);
  process.exit(2);
}
const [rounds, warmMs, timedMs] = values.quick ? [3, 800, 400] : [7, 1_500, 1_000];

const rows: Record<string, Row> = {};
for (const name of names) {
  rows[name] = await compare(name, aims[name]!);
  print(name, rows[name], aims[name]!);
}
if (values.json) console.log(JSON.stringify(rows));

async function compare(name: string, aim: Aim): Promise<Row> {
  const time = await inTurn(name, "time", rounds);
  const row = { medianUs: rounded(time.tenon), floorUs: rounded(time.floor), ratio: rounded(time.ratio) };
  if (aim.bytesRatio === undefined) return row;
  const bytes = await inTurn(name, "bytes", 3);
  return {
    ...row,
    medianBytes: Math.round(bytes.tenon),
    floorBytes: Math.round(bytes.floor),
    bytesRatio: rounded(bytes.ratio),
  };
}

/** Both sides in turn, each time in a new process: the medians, and the median of the ratios of a round. */
async function inTurn(name: string, what: "time" | "bytes", times: number) {
  const floors: number[] = [];
  const tenons: number[] = [];
  for (let round = 0; round < times; round++) {
    floors.push(await measureIn(name, "floor", what));
    tenons.push(await measureIn(name, "tenon", what));
  }
  return { floor: median(floors), tenon: median(tenons), ratio: median(tenons.map((us, i) => us / floors[i]!)) };
}

async function measureIn(name: string, side: "floor" | "tenon", what: "time" | "bytes"): Promise<number> {
  const child = fileURLToPath(new URL("child.ts", import.meta.url));
  const options = what === "bytes" ? bytesOptions : [];
  const args = [...options, child, name, side, what, String(warmMs), String(timedMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

function print(name: string, row: Row, aim: Aim): void {
  const time = `${row.medianUs} µs, floor ${row.floorUs} µs: ${row.ratio}x, aim ${aim.ratio}x`;
  const bytes = `${row.medianBytes} bytes allocated, floor ${row.floorBytes}: ${row.bytesRatio}x, aim ${aim.bytesRatio}x`;
  console.log(`${name.padEnd(24)}${row.bytesRatio === undefined ? time : `${time} · ${bytes}`}`);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function rounded(number: number): number {
  return Math.round(number * 1_000) / 1_000;
}
