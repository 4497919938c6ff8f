import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
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

test("the built web_fetch has the program of its thread beside it", async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<title>Tea</title><h1>Green</h1>");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const script = `
    import { toolOf } from "tenon";
    import { webFetch } from "tenon/tools/web-fetch";
    const tool = toolOf(webFetch, {}, { allowHosts: ["127.0.0.1"], ports: [${port}] });
    console.log(JSON.stringify(await tool.invoke({ url: "http://127.0.0.1:${port}/" })));`;
  const scratch = resolve(packageRoot, "../../.scratch");
  mkdirSync(scratch, { recursive: true });
  const file = join(scratch, `web-fetch-${process.pid}.mjs`);
  onTestFinished(() => rmSync(file));
  writeFileSync(file, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(JSON.parse(stdout)).toMatchObject({ kind: "ok", value: { title: "Tea", text: "# Green" } });
});
