import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { checkLayers } from "../check-layers.ts";
import { readLayerTable } from "../layer-table.ts";
import { tempTree } from "./temp-tree.ts";

const workspace = resolve(import.meta.dirname, "../..");
const source = join(workspace, "packages/tenon/src");
const table = readFileSync(join(workspace, "layers.json"), "utf8");

/** A small package under the real table, with no reasons for long files. */
const sound = {
  "layers.json": JSON.stringify({ ...JSON.parse(table), long: {} }),
  "packages/tenon/package.json": JSON.stringify({
    dependencies: { ajv: "8.0.0" },
    peerDependencies: { "@scope/peer": "1" },
  }),
  "packages/tenon/src/protocol/message.ts": "export interface Message { readonly text: string }\n",
  "packages/tenon/src/util/ids.ts": "export const newId = (): string => `x`;\n",
  "packages/tenon/src/errors/tenon-error.ts":
    'import type { Message } from "../protocol/message.js";\nimport { newId } from "../util/ids.js";\nexport const fail = (message: Message): string => message.text + newId();\n',
  "packages/tenon/src/container/keys.ts": "export const token = 1;\n",
  "packages/tenon/src/container/build.ts": 'import { token } from "./keys.js";\nexport const build = token;\n',
  "packages/tenon/src/tools/run-tool.ts": 'import { token } from "../container/keys.js";\nexport const run = token;\n',
  "packages/tenon/src/schema/check.ts":
    'import Ajv from "ajv/dist/2020.js";\nimport type { Peer } from "@scope/peer";\nexport const check: Peer = Ajv;\n',
  "packages/tenon/src/storage/sqlite.ts":
    'import { DatabaseSync } from "node:sqlite";\nexport const open = DatabaseSync;\n',
  "packages/tenon/src/doors/tenon/index.ts":
    'export { run } from "../../tools/run-tool.js";\nexport { type Message } from "../../protocol/message.js";\n',
  "packages/tenon/src/builtin/clock-tool.ts": 'import { run } from "tenon";\nexport const clockTool = run;\n',
  "packages/tenon/src/doors/tools/clock/index.ts": 'export { clockTool } from "../../../builtin/clock-tool.js";\n',
  "packages/tenon/src/doors/sqlite/index.ts": 'export { open } from "../../storage/sqlite.js";\n',
  "packages/cli/src/main.ts": "export const main = 1;\n",
};

function problemsWith(changed: Readonly<Record<string, string>>): string[] {
  return checkLayers(tempTree({ ...sound, ...changed })).map((problem) => `${problem.rule} ${problem.at}`);
}

const src = "packages/tenon/src";

describe("the rules", () => {
  test("a sound tree has no problem", () => {
    expect(problemsWith({})).toEqual([]);
  });

  test.each([
    [
      "an import upward",
      {
        [`${src}/util/ids.ts`]: 'import { fail } from "../errors/a.js";\nexport const newId = fail;\n',
        [`${src}/errors/a.ts`]: "export const fail = 1;\n",
      },
      [`layer ${src}/util/ids.ts:1`],
    ],
    [
      "a type import upward",
      { [`${src}/protocol/message.ts`]: 'export type Message = import("../util/ids.js").X;\n' },
      [`layer ${src}/protocol/message.ts:1`],
    ],
    [
      "a dynamic import upward",
      { [`${src}/util/ids.ts`]: 'export const newId = () => import("../storage/sqlite.js");\n' },
      [`layer ${src}/util/ids.ts:1`],
    ],
    [
      "a re-export upward",
      { [`${src}/util/ids.ts`]: 'export const newId = 1;\nexport * from "../storage/sqlite.js";\n' },
      [`layer ${src}/util/ids.ts:2`],
    ],
    [
      "a value where only types are allowed",
      {
        [`${src}/errors/a.ts`]: 'import { x } from "../protocol/x.js";\nexport const a = x;\n',
        [`${src}/protocol/x.ts`]: "export const x = 1;\n",
      },
      [`layer ${src}/errors/a.ts:1`],
    ],
    [
      "a neighbor of the same layer",
      { [`${src}/schema/a.ts`]: 'import { build } from "../container/build.js";\nexport const a = build;\n' },
      [`layer ${src}/schema/a.ts:1`],
    ],
    [
      "tools take of the container more than its keys",
      { [`${src}/tools/a.ts`]: 'import { build } from "../container/build.js";\nexport const a = build;\n' },
      [`layer ${src}/tools/a.ts:1`],
    ],
    [
      "agents take a key of the container",
      {
        [`${src}/agents/a.ts`]: 'import type { token } from "../container/keys.js";\nexport type A = typeof token;\n',
      },
      [`layer ${src}/agents/a.ts:1`],
    ],
    [
      "a folder imports a door",
      { [`${src}/app/a.ts`]: 'import { run } from "../doors/tenon/index.js";\nexport const a = run;\n' },
      [`layer ${src}/app/a.ts:1`],
    ],
    [
      "a built-in tool that reaches past the doors",
      { [`${src}/builtin/a.ts`]: 'import { run } from "../tools/run-tool.js";\nexport const a = run;\n' },
      [`layer ${src}/builtin/a.ts:1`],
    ],
    [
      "a built-in tool that takes a door by its file",
      { [`${src}/builtin/a.ts`]: 'import { run } from "../doors/tenon/index.js";\nexport const a = run;\n' },
      [`layer ${src}/builtin/a.ts:1`],
    ],
    [
      "a built-in tool that takes a door that is not for it",
      { [`${src}/builtin/a.ts`]: 'import type { open } from "tenon/sqlite";\nexport type A = typeof open;\n' },
      [`layer ${src}/builtin/a.ts:1`],
    ],
    [
      "a built-in tool that takes a door that is not there",
      { [`${src}/builtin/a.ts`]: 'import { a } from "tenon/nowhere";\nexport const b = a;\n' },
      [`target ${src}/builtin/a.ts:1`],
    ],
    [
      "a built-in tool that its own door's way comes back to",
      {
        [`${src}/builtin/a.ts`]: 'import { run } from "tenon";\nexport const a = run;\n',
        [`${src}/doors/tenon/index.ts`]: 'export { a } from "../../builtin/a.js";\n',
      },
      [`cycle ${src}/builtin/a.ts`],
    ],
    [
      "a folder takes its package by name",
      { [`${src}/app/a.ts`]: 'import { run } from "tenon";\nexport const a = run;\n' },
      [`layer ${src}/app/a.ts:1`],
    ],
    ["a folder without a row", { [`${src}/extras/a.ts`]: "export const a = 1;\n" }, [`folder ${src}/extras/a.ts`]],
    ["a file outside of the folders", { [`${src}/a.ts`]: "export const a = 1;\n" }, [`folder ${src}/a.ts`]],
    [
      "a cycle",
      {
        [`${src}/util/a.ts`]: 'import { b } from "./b.js";\nexport const a = b;\n',
        [`${src}/util/b.ts`]: 'import { a } from "./a.js";\nexport const b = a;\n',
      },
      [`cycle ${src}/util/a.ts`],
    ],
    [
      "a cycle of types",
      {
        [`${src}/util/a.ts`]: 'import type { B } from "./b.js";\nexport type A = B;\n',
        [`${src}/util/b.ts`]: 'import type { A } from "./a.js";\nexport type B = A;\n',
      },
      [`cycle ${src}/util/a.ts`],
    ],
    [
      "a cycle in another package",
      { "packages/cli/src/a.ts": 'export * from "./a.js";\n' },
      ["cycle packages/cli/src/a.ts"],
    ],
    [
      "an internal barrel",
      { [`${src}/util/index.ts`]: 'export { newId } from "./ids.js";\n' },
      [`barrel ${src}/util/index.ts`],
    ],
    [
      "a barrel in another package",
      { "packages/cli/src/index.ts": 'export { main } from "./main.js";\n' },
      ["barrel packages/cli/src/index.ts"],
    ],
    [
      "a door with code of its own",
      { [`${src}/doors/dto/index.ts`]: "export const x = 1;\n" },
      [`door ${src}/doors/dto/index.ts`],
    ],
    [
      "a door that gives all of a file",
      { [`${src}/doors/dto/index.ts`]: 'export * from "../../util/ids.js";\n' },
      [`door ${src}/doors/dto/index.ts`],
    ],
    [
      "a way out of the package",
      { "packages/cli/src/a.ts": 'export { run } from "../../tenon/src/tools/run-tool.js";\n' },
      ["target packages/cli/src/a.ts:1"],
    ],
    [
      "a file that is not there",
      { [`${src}/util/a.ts`]: 'export { b } from "./gone.js";\n' },
      [`target ${src}/util/a.ts:1`],
    ],
    [
      "a package that is not declared",
      { [`${src}/schema/a.ts`]: 'export { z } from "zod/v4";\n' },
      [`dependency ${src}/schema/a.ts:1`],
    ],
    [
      "the root door reaches a built-in",
      {
        [`${src}/tools/run-tool.ts`]: 'export { deep as run } from "./deep.js";\n',
        [`${src}/tools/deep.ts`]: 'import { type Stats } from "fs";\nexport const deep = 1;\n',
      },
      [`built-in ${src}/tools/deep.ts:1`],
    ],
    ["a long file", { [`${src}/util/a.ts`]: "export {};\n".repeat(251) }, [`length ${src}/util/a.ts`]],
    [
      "too long a file, with a reason",
      {
        "layers.json": JSON.stringify({ ...JSON.parse(table), long: { [`${src}/util/a.ts`]: "One table." } }),
        [`${src}/util/a.ts`]: "export {};\n".repeat(401),
      },
      [`length ${src}/util/a.ts`],
    ],
    [
      "a reason that is blank",
      {
        "layers.json": JSON.stringify({ ...JSON.parse(table), long: { [`${src}/util/a.ts`]: " " } }),
        [`${src}/util/a.ts`]: "export {};\n".repeat(300),
      },
      [`length ${src}/util/a.ts`],
    ],
    [
      "a reason for a file that is gone",
      { "layers.json": JSON.stringify({ ...JSON.parse(table), long: { [`${src}/util/a.ts`]: "One table." } }) },
      [`stale ${src}/util/a.ts`],
    ],
    [
      "mostly long files",
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${src}/util/a${at}.ts`, "export {};\n".repeat(100)])),
      ["length packages"],
    ],
  ])("%s", (_what, changed, problems) => {
    expect(problemsWith(changed)).toEqual(problems);
  });

  test("what leaves no trace or is loaded late does not count for the root door", () => {
    const late =
      'import type { Stats } from "node:fs";\nexport const run = async (): Promise<Stats> => (await import("node:fs")).statSync("x");\n';
    expect(problemsWith({ [`${src}/tools/run-tool.ts`]: late })).toEqual([]);
  });

  test("a long file with a reason passes, and so does a file with a line end too many", () => {
    const long = { [`${src}/util/a.ts`]: "One table." };
    expect(
      problemsWith({
        "layers.json": JSON.stringify({ ...JSON.parse(table), long }),
        [`${src}/util/a.ts`]: "export {};\n".repeat(400),
      }),
    ).toEqual([]);
  });

  test("a cycle is shown as a shortest way round", () => {
    const [problem] = checkLayers(
      tempTree({
        ...sound,
        [`${src}/util/a.ts`]: 'export * from "./b.js";\n',
        [`${src}/util/b.ts`]: 'export * from "./c.js";\nexport * from "./d.js";\n',
        [`${src}/util/c.ts`]: 'export * from "./d.js";\n',
        [`${src}/util/d.ts`]: 'export * from "./a.js";\n',
      }),
    );
    expect(problem?.message).toBe("Imports itself: util/a.ts -> util/b.ts -> util/d.ts -> util/a.ts.");
  });

  test("a syntax error names the file", () => {
    expect(() => problemsWith({ [`${src}/util/a.ts`]: "export const = 1;\n" })).toThrow(/util\/a\.ts/);
  });
});

describe("the table", () => {
  const read = (rows: readonly unknown[]): unknown =>
    readLayerTable(
      join(
        tempTree({ "layers.json": JSON.stringify({ doors: { layer: 9, root: "tenon" }, folders: rows, long: {} }) }),
        "layers.json",
      ),
    );

  test("a row cannot allow what is above it", () => {
    const rows = [
      { layer: 0, folder: "low", imports: ["high:types"] },
      { layer: 1, folder: "high", imports: "below" },
    ];
    expect(() => read(rows)).toThrow('"low" allows "high:types", which is above it');
  });

  test("a row cannot allow a folder without a row", () => {
    expect(() => read([{ layer: 0, folder: "low", imports: ["hihg"] }])).toThrow('"low" allows "hihg"');
  });

  test("files that it names exist where their folder does", () => {
    const { folders } = readLayerTable(join(workspace, "layers.json"));
    const named = [...folders.values()].flatMap((layer) =>
      [...layer.allows].flatMap(([folder, allowed]) =>
        allowed instanceof Set ? [...allowed].map((file) => join(source, folder, file)) : [],
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const path of named) expect(readFileSync(path, "utf8")).not.toBe("");
  });
});

describe("this workspace", () => {
  test("keeps the rules", () => {
    expect(checkLayers(workspace)).toEqual([]);
  });

  test("the root door, bundled with its dependencies, has no static import of a Node built-in", async () => {
    const { metafile } = await build({
      absWorkingDir: workspace,
      entryPoints: [join(source, "doors/tenon/index.ts")],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["tenon-source", "import"],
      // The SDK of MCP does not resolve on every platform, and is only ever loaded late: on this way it counts as a built-in.
      external: ["node:*", ...builtinModules, "@modelcontextprotocol/*"],
      logLevel: "silent",
    });
    const start = "packages/tenon/src/doors/tenon/index.ts";
    const cameFrom = new Map<string, string>([[start, "the user"]]);
    const builtins: string[] = [];
    for (const path of cameFrom.keys()) {
      for (const entry of metafile.inputs[path]?.imports ?? []) {
        if (entry.kind === "dynamic-import") continue;
        if (entry.external === true) builtins.push(`${entry.path} in ${path}, for ${cameFrom.get(path)}`);
        else if (!cameFrom.has(entry.path)) cameFrom.set(entry.path, path);
      }
    }
    expect(cameFrom.size).toBeGreaterThan(1);
    expect(builtins).toEqual([]);
  });
});
