import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { median } from "../rounds.ts";
import { workloads } from "./workloads.ts";

// `npm run bench:peers`: the same runs by other frameworks, each side in a process of its own, all in turn.

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
});
const [rounds, warmMs, timedMs] = values.quick ? [1, 400, 400] : [5, 1_500, 1_000];

/** A side's name in the command line of a process, and the package whose version is shown. */
const sides: Readonly<Record<string, string | undefined>> = {
  floor: undefined,
  tenon: undefined,
  pi: "@earendil-works/pi-agent-core",
  ai: "ai",
  "openai-agents": "@openai/agents",
  langgraph: "@langchain/langgraph",
};

interface Cell {
  readonly us: number;
  readonly ratio: number;
}

const table: Record<string, Record<string, Cell>> = {};
for (const name of Object.keys(workloads)) {
  const found: Record<string, number[]> = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of Object.keys(sides)) found[side]!.push(await measure(name, side));
  }
  const row: Record<string, Cell> = {};
  for (const [side, times] of Object.entries(found)) {
    row[side] = { us: rounded(median(times)), ratio: rounded(median(times.map((us, i) => us / found["floor"]![i]!))) };
  }
  table[name] = row;
  for (const [side, { us, ratio }] of Object.entries(row))
    console.log(
      `${name.padEnd(12)}${`${side} ${versionOf(side)}`.padEnd(28)}${String(us).padStart(12)} µs${String(ratio).padStart(10)}x`,
    );
}
if (values.json) console.log(JSON.stringify(table));

async function measure(name: string, side: string): Promise<number> {
  const child = fileURLToPath(new URL("child.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [child, name, side, String(warmMs), String(timedMs)]);
  return (JSON.parse(stdout.trim().split("\n").at(-1)!) as { us: number }).us;
}

function versionOf(side: string): string {
  const name = sides[side];
  if (name === undefined) return "";
  const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}
