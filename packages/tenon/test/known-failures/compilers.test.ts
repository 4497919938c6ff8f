import { transform as swc } from "@swc/core";
import { transform as esbuild } from "esbuild";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { report } from "./compilers-sample.js";

// Below the package, so that `tenon` is found; git ignores it.
const dir = fileURLToPath(new URL(`../../node_modules/.test-known-failures-${process.pid}/`, import.meta.url));
const bin = fileURLToPath(new URL("../../../../node_modules/.bin/", import.meta.url));
const source = readFileSync(new URL("./compilers-sample.ts", import.meta.url), "utf8");
const outputs = new Map<string, string>();

function put(path: string, code: string): string {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), code);
  return join(dir, path);
}

function tsc(decorators: "legacy" | "TC39", target: string, define: boolean): void {
  const name = `tsc-${decorators}-${target}-define-${define}`;
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
    String(decorators === "legacy"),
    "--outDir",
    join(dir, name),
    put("sample.ts", source),
  ];
  execFileSync(process.execPath, [join(bin, "tsc"), ...flags], { encoding: "utf8" });
  outputs.set(name, join(dir, name, "sample.js"));
}

beforeAll(async () => {
  put("package.json", '{"type":"module"}');
  for (const define of [true, false]) {
    for (const target of ["es2021", "es2022"]) tsc("legacy", target, define);
    const compilerOptions = { experimentalDecorators: true, useDefineForClassFields: define };
    const { code } = await esbuild(source, {
      loader: "ts",
      format: "esm",
      target: "es2022",
      tsconfigRaw: { compilerOptions },
    });
    outputs.set(`esbuild-legacy-define-${define}`, put(`esbuild-${define}.mjs`, code));
    const parser = { syntax: "typescript", decorators: true } as const;
    const legacy = await swc(source, {
      jsc: { parser, target: "es2022", transform: { legacyDecorator: true, useDefineForClassFields: define } },
      module: { type: "es6" },
      configFile: false,
      swcrc: false,
    });
    outputs.set(`swc-legacy-define-${define}`, put(`swc-${define}.mjs`, legacy.code));
  }
  tsc("TC39", "es2022", true);
  const { code } = await esbuild(source, { loader: "ts", format: "esm", target: "es2022", tsconfigRaw: {} });
  outputs.set("esbuild-TC39", put("esbuild-tc39.mjs", code));
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("[B111] one run of one source is the same from every compiler: tools on the wire, results, values", async () => {
  const here = JSON.parse(JSON.stringify(await report())) as {
    readonly requests: readonly unknown[];
    readonly results: readonly unknown[];
  };
  expect(here).toMatchObject({ status: "completed", text: "done", requests: [{}, {}] });
  expect(here.results).toEqual([
    { result: { kind: "ok", value: { told: "a 10 today true false 1 false", keys: ["query", "limit", "order"] } } },
    {
      result: {
        kind: "ok",
        value: { told: "b 3 today true true 2 false", keys: ["query", "limit", "order", "items", "next"] },
      },
    },
    { result: { kind: "error", code: "invalid_input", message: expect.stringMatching(/query: .*order: /s) } },
    { result: { kind: "error", code: "invalid_input", message: expect.stringMatching(/note: is not allowed/) } },
    {
      result: {
        kind: "error",
        code: "invalid_input",
        message: expect.stringMatching(/query: is required.*order: is required/s),
      },
    },
    { result: { kind: "ok", value: "Hello Ann today" } },
    { result: { kind: "ok", value: "Bye Bob today" } },
  ]);
  expect(JSON.stringify(here.requests)).not.toContain("an initializer");

  const runner = put(
    "run.mjs",
    `const results = {}; for (const [name, path] of ${JSON.stringify([...outputs])}) results[name] = await (await import(new URL("file://" + path).href)).report(); console.log(JSON.stringify(results));`,
  );
  const results = JSON.parse(execFileSync(process.execPath, [runner], { encoding: "utf8" })) as Record<string, unknown>;
  expect(Object.keys(results)).toHaveLength(10);
  for (const [name, result] of Object.entries(results)) expect(result, name).toEqual(here);
});
