import { parseArgs } from "node:util";
import { aims, type Aim } from "./aims.ts";
import { differenceOf, inTurn, medianOf, ratioOf, type Effort, type Rounds, type What } from "./rounds.ts";

// What counts is the ratio of a round; times are shown to say what it is a ratio of.

interface Row {
  readonly medianUs: number;
  readonly floorUs: number;
  readonly ratio: number;
  readonly [more: string]: number;
}

const usage = `\
npm run bench -- [--only <workload>]… [--quick] [--json]

  --only <workload>  this one; may be given again. There are: ${Object.keys(aims).join(", ")}
  --quick            three short rounds: a look, not a result
  --json             end with one line of JSON
  --help             show this`;

const values = valuesOf(process.argv.slice(2));
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const names = values.only ?? Object.keys(aims);
const unknown = names.find((name) => !Object.hasOwn(aims, name));
if (unknown !== undefined) refuse(`There is no workload ${unknown}.`);
const effort: Effort = values.quick
  ? { rounds: 3, warmMs: 800, timedMs: 400 }
  : { rounds: 7, warmMs: 1_500, timedMs: 1_000 };

const rows: Record<string, Row> = {};
for (const name of names) {
  rows[name] = await compare(name, aims[name]!);
  print(name, rows[name], aims[name]!);
}
if (values.json) console.log(JSON.stringify(rows));

function valuesOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        json: { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
        only: { type: "string", multiple: true },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (thrown) {
    return refuse(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function refuse(why: string): never {
  console.error(`${why}\n\n${usage}`);
  process.exit(2);
}

async function compare(name: string, aim: Aim): Promise<Row> {
  if (aim.added !== undefined) return compareAdded(name, aim.added);
  const [rounds] = await inTurn([name], whatOf(aim), effort);
  const row = timesOf(rounds!);
  if (aim.burst !== undefined) {
    return {
      ...row,
      medianCpuUs: rounded(medianOf(rounds!.tenon, "cpuUs")),
      floorCpuUs: rounded(medianOf(rounds!.floor, "cpuUs")),
      cpuRatio: rounded(ratioOf(rounds!, "cpuUs")),
      peakMb: rounded(medianOf(rounds!.tenon, "peakBytes") / 2 ** 20),
      floorPeakMb: rounded(medianOf(rounds!.floor, "peakBytes") / 2 ** 20),
    };
  }
  if (aim.bytesRatio === undefined) return row;
  const [bytes] = await inTurn([name], "bytes", { ...effort, rounds: 3 });
  return {
    ...row,
    medianBytes: Math.round(medianOf(bytes!.tenon, "bytes")),
    floorBytes: Math.round(medianOf(bytes!.floor, "bytes")),
    bytesRatio: rounded(ratioOf(bytes!, "bytes")),
  };
}

function whatOf({ burst, start }: Aim): What {
  if (start === true) return "start";
  return burst === undefined ? "time" : "burst";
}

/** Both workloads in turn, so that the difference is one of the same round. */
async function compareAdded(name: string, { beyond, messages }: NonNullable<Aim["added"]>): Promise<Row> {
  const [short, long] = await inTurn([beyond, name], "time", effort);
  return {
    ...timesOf(long!),
    addedUs: rounded(differenceOf(long!.tenon, short!.tenon, "us") / messages),
    floorAddedUs: rounded(differenceOf(long!.floor, short!.floor, "us") / messages),
  };
}

function timesOf(rounds: Rounds): Row {
  return {
    medianUs: rounded(medianOf(rounds.tenon, "us")),
    floorUs: rounded(medianOf(rounds.floor, "us")),
    ratio: rounded(ratioOf(rounds, "us")),
  };
}

function print(name: string, row: Row, aim: Aim): void {
  const { bytesRatio, added, burst } = aim;
  const told = [`${row.medianUs} µs, floor ${row.floorUs} µs: ${row.ratio}x, aim ${aim.ratio}x`];
  if (bytesRatio !== undefined)
    told.push(
      `${row["medianBytes"]} bytes allocated, floor ${row["floorBytes"]}: ${row["bytesRatio"]}x, aim ${bytesRatio}x`,
    );
  if (added !== undefined)
    told.push(`${row["addedUs"]} µs a message of history, floor ${row["floorAddedUs"]} µs, aim ${added.us} µs`);
  if (burst !== undefined) {
    told.push(`aim ${burst.wallMs} ms`);
    told.push(
      `CPU ${row["medianCpuUs"]} µs, floor ${row["floorCpuUs"]} µs: ${row["cpuRatio"]}x, aim ${burst.cpuRatio}x`,
    );
    told.push(`${row["peakMb"]} MB at most, floor ${row["floorPeakMb"]} MB, aim ${burst.peakMb} MB`);
  }
  console.log(`${name.padEnd(24)}${told.join(" · ")}`);
}

function rounded(number: number): number {
  return Math.round(number * 1_000) / 1_000;
}
