import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleSchema, outDir } from "./bundle-schema.js";

const dir = outDir("valibot-peer");
beforeAll(async () => {
  mkdirSync(dir, { recursive: true });
  await bundleSchema(join(dir, "tenon.mjs"), ["doors/tenon/index.js", "doors/models/index.js"]);
  writeFileSync(join(dir, "run.mjs"), program);
  writeFileSync(join(dir, "without-peer.mjs"), withoutPeer);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A process of its own, in which nothing has been loaded before. */
const run = (scenario: string, ...flags: string[]): any =>
  JSON.parse(
    execFileSync(process.execPath, [...flags, join(dir, "run.mjs"), scenario], { encoding: "utf8", cwd: dir }),
  );

test("a definition before anything is loaded is an error that says what to await; after it, the definition", () => {
  expect(run("definition")).toMatchObject({
    before: { code: "schema_error", message: expect.stringContaining("Await `loadSchemas(tool)` first") },
    after: { name: "length", inputSchema: { properties: { text: { type: "string", description: "any text" } } } },
  });
});

test.each(["toolOf", "createApp", "request", "appTool"])(
  "%s loads what a Valibot schema needs by itself",
  (scenario) => {
    expect(run(scenario)).toEqual({ ok: 6 });
  },
);

test("without the package every door says which one to install", () => {
  const flags = ["--import", `./without-peer.mjs`];
  const told = expect.stringContaining("npm install @valibot/to-json-schema@^1.8.0");
  expect(run("definition", ...flags)).toMatchObject({
    before: { code: "schema_error" },
    load: { code: "missing_peer", message: told },
  });
  expect(run("toolOf", ...flags)).toMatchObject({ code: "missing_peer", message: told });
  expect(run("createApp", ...flags)).toMatchObject({ code: "assembly_error", message: told });
  expect(run("request", ...flags)).toMatchObject({ code: "assembly_error", message: told });
  expect(run("others", ...flags)).toEqual({ ok: 6 });
});

const withoutPeer = `
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@valibot/to-json-schema") throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    return next(specifier, context);
  },
});
`;

const program = `
import * as v from "valibot";
import { z } from "zod";
import { Agent, createApp, defineTool, loadSchemas, offlineModel, toolDefinitionOf, toolOf } from "./tenon.mjs";
const make = (input) => defineTool({ name: "length", description: "Counts.", input, run: ({ text }) => text });
const counted = make(v.object({ text: v.pipe(v.string(), v.transform((text) => text.length), v.description("any text")) }));
const plain = { code: "none", message: "no error" };
const failed = ({ code, message }) => ({ code, message });
const ofResult = (result) => (result.kind === "ok" ? { ok: result.value } : result);
async function inApp(tools, act) {
  class Clerk {}
  Agent({ name: "clerk", description: "A clerk.", model: offlineModel(), tools })(Clerk);
  const app = await createApp(Clerk, { env: {} });
  return act(app);
}
async function asked(app, tools) {
  const results = [];
  await app.run({ prompt: 'length "abcdef"' }, { tools, onEvent: (event) => event.type === "tool-end" && results.push(event.result) });
  return ofResult(results[0]);
}
const scenarios = {
  async definition() {
    let before = plain;
    try { toolDefinitionOf(counted); } catch (error) { before = failed(error); }
    const load = await loadSchemas(counted).then(() => undefined, failed);
    return { before, load, after: load === undefined ? toolDefinitionOf(counted) : undefined };
  },
  toolOf: async () => ofResult(await toolOf(counted).invoke({ text: "abcdef" })),
  createApp: () => inApp([counted], (app) => asked(app)),
  request: () => inApp([], (app) => asked(app, [counted])),
  appTool: () => inApp([], async (app) => ofResult(await app.tool(counted).invoke({ text: "abcdef" }))),
  others: async () => ofResult(await toolOf(make(z.object({ text: z.string().transform((text) => text.length) }))).invoke({ text: "abcdef" })),
};
console.log(JSON.stringify(await scenarios[process.argv[2]]().catch(failed)));
`;
