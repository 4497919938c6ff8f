import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parseSync } from "vite";

const packageRoot = resolve(import.meta.dirname, "..");
const doorsFolder = join(packageRoot, "src/doors");
const pinsFile = join(import.meta.dirname, "doors.json");

/** The names that a door exports, sorted; types are marked. */
function namesOf(door: string): string[] {
  const parsed = parseSync("index.ts", readFileSync(join(doorsFolder, door, "index.ts"), "utf8"));
  const entries = parsed.module.staticExports.flatMap((statement) => statement.entries);
  return entries.map((entry) => `${entry.isType ? "type " : ""}${entry.exportName.name}`).sort();
}

/** A door may stand in another one's folder: `testing/setup`. */
const doors = readdirSync(doorsFolder, { recursive: true, encoding: "utf8" })
  .filter((path) => basename(path) === "index.ts")
  .map((path) => dirname(path).split(sep).join("/"))
  .sort();

test("the package's exports are the doors, each with sources, types and output", () => {
  const { exports } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
    exports: Record<string, unknown>;
  };
  const wanted = doors.map((door) => [
    door === "tenon" ? "." : `./${door}`,
    {
      "tenon-source": `./src/doors/${door}/index.ts`,
      types: `./dist/doors/${door}/index.d.ts`,
      default: `./dist/doors/${door}/index.js`,
    },
  ]);
  expect(exports).toEqual({ ...Object.fromEntries(wanted), "./package.json": "./package.json" });
  for (const conditions of Object.values(exports)) {
    if (typeof conditions === "object")
      expect(Object.keys(conditions ?? {})).toEqual(["tenon-source", "types", "default"]);
  }
});

test("the doors export exactly the pinned names (UPDATE_PINS=1 pins what is there)", () => {
  const names = Object.fromEntries(doors.map((door) => [door, namesOf(door)]));
  if (process.env["UPDATE_PINS"] === "1") writeFileSync(pinsFile, `${JSON.stringify(names, null, 2)}\n`);
  expect(names).toEqual(JSON.parse(readFileSync(pinsFile, "utf8")));
});

test("no door is empty", () => {
  for (const door of doors) expect(namesOf(door)).not.toEqual([]);
});

test("each built door loads in plain Node and gives the pinned values", async () => {
  const loadable = doors.filter((door) => !door.startsWith("testing"));
  const script = `
    const found = {};
    for (const door of ${JSON.stringify(loadable)}) found[door] = Object.keys(await import(door === "tenon" ? "tenon" : "tenon/" + door)).sort();
    console.log(JSON.stringify(found));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: packageRoot,
  });
  const values = loadable.map((door) => [door, namesOf(door).filter((name) => !name.startsWith("type "))]);
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(values));
});
