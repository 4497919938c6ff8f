import { transform as swc } from "@swc/core";
import { transform as esbuild } from "esbuild";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleSchema, outDir } from "./bundle-schema.js";
import { report } from "./compilers-sample.js";

const dir = outDir("compilers");
const bin = fileURLToPath(new URL("../../../../node_modules/.bin/", import.meta.url));
const source = readFileSync(new URL("./compilers-sample.ts", import.meta.url), "utf8").replace(
  "./tenon-under-test.js",
  "./tenon.mjs",
);
const outputs: Record<string, string> = {};

const write = (name: string, code: string): string => {
  const path = join(dir, name);
  writeFileSync(path, code);
  return path;
};

function tsc(legacy: boolean, target: string, define: boolean): void {
  const name = `tsc ${legacy ? "legacy" : "TC39"} ${target} define ${define}`;
  const folder = join(dir, name.replaceAll(" ", "-"));
  mkdirSync(folder);
  writeFileSync(join(folder, "tenon.mjs"), `export * from "../tenon.mjs";`);
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
  const flags = [
    "--ignoreConfig",
    "--noCheck",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--skipLibCheck",
    "--target",
    target,
    "--useDefineForClassFields",
    String(define),
    "--experimentalDecorators",
    String(legacy),
    "--outDir",
    folder,
    join(dir, "sample.ts"),
  ];
  execFileSync(process.execPath, [join(bin, "tsc"), ...flags], { encoding: "utf8" });
  outputs[name] = join(folder, "sample.js");
}

beforeAll(async () => {
  mkdirSync(dir, { recursive: true });
  await bundleSchema(join(dir, "tenon.mjs"));
  write("sample.ts", source);
  for (const define of [true, false]) {
    for (const target of ["es2021", "es2022"]) tsc(true, target, define);
    const { code } = await esbuild(source, {
      loader: "ts",
      format: "esm",
      target: "es2022",
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: define } },
    });
    outputs[`esbuild legacy define ${define}`] = write(`esbuild-${define}.mjs`, code);
    const legacy = await swc(source, {
      jsc: {
        parser: { syntax: "typescript", decorators: true },
        target: "es2022",
        transform: { legacyDecorator: true, useDefineForClassFields: define },
      },
      module: { type: "es6" },
      configFile: false,
      swcrc: false,
    });
    outputs[`swc legacy define ${define}`] = write(`swc-${define}.mjs`, legacy.code);
  }
  tsc(false, "es2022", true);
  const { code } = await esbuild(source, { loader: "ts", format: "esm", target: "es2022", tsconfigRaw: {} });
  outputs["esbuild TC39"] = write("esbuild-tc39.mjs", code);
  const modern = await swc(source, {
    jsc: {
      parser: { syntax: "typescript", decorators: true },
      target: "es2022",
      transform: { decoratorVersion: "2022-03" },
    },
    module: { type: "es6" },
    configFile: false,
    swcrc: false,
  });
  outputs["swc TC39"] = write("swc-tc39.mjs", modern.code);
  write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { experimentalDecorators: true, target: "es2022", module: "nodenext" } }),
  );
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("[B111] schema, checks and values are the same from every compiler", async () => {
  const expected = JSON.parse(JSON.stringify(await report()));
  expect(expected).toMatchObject({
    keys: [["query", "deep", "range", "since", "limit", "order", "items", "next"], ["id"], ["query", "limit", "order"]],
    isInstance: [true, true, true, true],
    run: "abc 10",
    good: { ok: true, repairs: expect.arrayContaining([{ path: "items[0].count", kind: "null-as-absent" }]) },
    bad: [
      { ok: false },
      { ok: false },
      { ok: false },
      { ok: false, message: expect.stringContaining("range.items: ") },
    ],
  });
  expect(JSON.stringify(expected.json)).not.toContain("note");
  const runner = write(
    "run.mjs",
    `const results = {}; for (const [name, path] of Object.entries(${JSON.stringify(outputs)})) results[name] = await (await import(new URL("file://" + path).href)).report(); console.log(JSON.stringify(results));`,
  );
  const results = JSON.parse(execFileSync(process.execPath, [runner], { encoding: "utf8" })) as Record<string, unknown>;
  expect(Object.keys(results)).toHaveLength(11);
  for (const [name, result] of Object.entries(results)) expect(result, name).toEqual(expected);
  const tsx = execFileSync(
    process.execPath,
    [
      join(bin, "tsx"),
      "--tsconfig",
      join(dir, "tsconfig.json"),
      write("run.mts", `import { report } from "./sample.ts"; console.log(JSON.stringify(await report()));`),
    ],
    { encoding: "utf8" },
  );
  expect(JSON.parse(tsx), "tsx").toEqual(expected);
});

test("two copies of the package read each other's classes", async () => {
  const copy = (await import(
    /* @vite-ignore */ pathToFileURL(join(dir, "tenon.mjs")).href
  )) as typeof import("./tenon-under-test.js");
  const { Text, ListOf, jsonSchemaOf } = await import("./tenon-under-test.js");
  class Mixed {
    @Text({ prompt: "ours" }) ours!: string;
    @copy.Text({ prompt: "theirs" }) theirs!: string;
    @ListOf(copy.Text({ min: 1 })) list!: string[];
  }
  expect(copy.jsonSchemaOf).not.toBe(jsonSchemaOf);
  expect(copy.jsonSchemaOf(Mixed)).toEqual(jsonSchemaOf(Mixed));
  expect(jsonSchemaOf(Mixed)).toMatchObject({
    properties: { ours: { description: "ours" }, theirs: { description: "theirs" }, list: { items: { minLength: 1 } } },
  });
  expect(() => copy.jsonSchemaOf(class {})).toThrow(/without any field/);
});
