import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outDir, bundleSchema } from "./bundle-schema.js";

const dir = outDir("interpreter");
beforeAll(async () => {
  mkdirSync(dir, { recursive: true });
  await bundleSchema(join(dir, "tenon.mjs"));
  writeFileSync(join(dir, "run.mjs"), program);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const run = (...flags: string[]): { codeGeneration: boolean; results: unknown[] } =>
  JSON.parse(execFileSync(process.execPath, [...flags, join(dir, "run.mjs")], { encoding: "utf8" }));

test("where code generation is forbidden, an interpreting check gives the same results", () => {
  const compiled = run();
  const interpreted = run("--disallow-code-generation-from-strings");
  expect([compiled.codeGeneration, interpreted.codeGeneration]).toEqual([true, false]);
  expect(compiled.results.length).toBeGreaterThan(60);
  expect(interpreted.results).toEqual(compiled.results);
  const verdicts = compiled.results.map((result) => (result as { ok: boolean }).ok);
  expect(verdicts.filter(Boolean).length).toBeGreaterThan(12);
  expect(verdicts.filter((ok) => !ok).length).toBeGreaterThan(25);
});

// One program for both: it checks good, repairable, bad and hostile values against DTOs, a given JSON Schema and Zod schemas.
const program = `
import { Choice, DateTime, Flag, Int, Json, ListOf, MapOf, Nested, Num, OneOf, Text, jsonSchema, compileSchema, loadValidator } from "./tenon.mjs";
import { z } from "zod";
let codeGeneration = true;
try { new Function(""); } catch { codeGeneration = false; }
await loadValidator();
const field = (target, key, decorate) => decorate(target.prototype, key);
class Job {}
field(Job, "url", Text({ format: "url" }));
field(Job, "tries", Int({ optional: true, min: 1, max: 5 }));
class Tree {}
field(Tree, "name", Text({ min: 1, max: 3, pattern: /^[a-zé]+$/u }));
field(Tree, "kids", ListOf(() => Tree, { optional: true, max: 3 }));
field(Tree, "up", Nested(() => Tree, { optional: true, nullable: true }));
class All {}
field(All, "mail", Text({ format: "email", default: "a@b.example" }));
field(All, "day", Text({ format: "date", optional: true }));
field(All, "id", Text({ format: "uuid", nullable: true }));
field(All, "num", Num({ min: -1.5, max: 1e6, optional: true }));
field(All, "on", Flag({ optional: true }));
field(All, "pick", Choice(["a", 2], { optional: true }));
field(All, "tags", ListOf(Text({ max: 4 }), { unique: true, min: 1, max: 3, default: ["x"] }));
field(All, "jobs", ListOf(Job, { optional: true }));
field(All, "tree", Nested(Tree, { optional: true }));
field(All, "pin", Int({ optional: true, sensitive: true }));
field(All, "toString", Text({ optional: true }));
class Not {}
class Is {}
field(Not, "of", OneOf([() => Not, () => Is], { by: "op" }));
field(Not, "op", Choice(["not"]));
field(Is, "op", Choice(["is", "has"]));
field(Is, "value", Json());
field(Is, "at", DateTime({ optional: true }));
class Query {}
field(Query, "filter", OneOf([Not, Is], { by: "op", nullable: true }));
field(Query, "more", MapOf(OneOf([Not, Is], { by: "op" }), { optional: true, max: 2 }));
const given = jsonSchema({ type: "object", properties: { mail: { type: "string", format: "email", pattern: "^a" }, pair: { type: "array", prefixItems: [{ type: "integer" }], items: { $ref: "#/$defs/s" } } }, $defs: { s: { type: "string", maxLength: 2 } } });
const values = [
  '{"id":null}', '{"id":"6f1c9a52-7b3e-4a0e-9a53-0f2d0a6f1c9a","mail":"x@y.example","day":"2024-02-29","num":1,"on":true,"pick":2,"tags":["a","b"],"jobs":[{"url":"https://a.example"}],"tree":{"name":"a"}}',
  '{}', '{"id":"no"}', '{"id":null,"mail":"no"}', '{"id":null,"day":"2023-02-29"}', '{"id":null,"num":"1e3","on":"true","pick":"2","tags":"[\\\\"q\\\\"]"}', '{"id":null,"pick":"2"}', '{"id":null,"num":1e999}',
  '{"id":null,"num":-2,"on":"no","tags":["a","a"]}', '{"id":null,"tags":[]}', '{"id":null,"tags":["12345","b","c","d"]}', '{"id":null,"jobs":[{"url":"https://a.example","tries":9},{"url":"x"},5,"{}"]}',
  '{"id":null,"tree":{"name":"é","kids":[{"name":"b","kids":[{"name":"toolong","up":null}]},{"name":""}],"up":{"name":"A"}}}', '{"id":null,"tree":{"name":"a","kids":null,"up":null}}', '{"id":null,"tree":"{\\\\"name\\\\":\\\\"a\\\\"}"}',
  '{"id":null,"pin":"12x"}', '{"id":null,"pin":9007199254740992}', '{"id":null,"__proto__":{}}', '{"id":null,"constructor":1,"extra/~ %":2}', '[]', '5', 'null', '{"id":null,"mail":null,"day":null}', '{"id":null,"tree":{"name":"a","kids":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}}',
];
const schemas = [
  All, Tree, Job, undefined, Query, given,
  z.object({ n: z.int().max(9), s: z.string().regex(/^x/).optional(), d: z.number().default(2), u: z.union([z.string(), z.number()]).optional(), o: z.object({ k: z.boolean() }).nullable().optional() }),
  z.looseObject({ id: z.null() }), z.record(z.string(), z.union([z.null(), z.number(), z.string()])), z.object({ kind: z.literal("a"), list: z.array(z.discriminatedUnion("t", [z.object({ t: z.literal(1), v: z.string() }), z.strictObject({ t: z.literal(2), w: z.number().multipleOf(0.5) })])) }),
];
const more = ['{"filter":null}', '{"filter":{"of":{"of":{"value":[1e999],"op":"is"},"op":"not"},"op":"not"}}', '{"filter":{"op":"has","value":{"a":null},"at":"2026-01-01"},"more":{"a":{"op":"is"},"b":5}}', '{"filter":{"op":"or"},"more":{"a":{},"b":{"op":"is","value":1,"x":1},"__proto__":{"op":"is","value":1}}}', '{"filter":"{\\\\"op\\\\":\\\\"is\\\\",\\\\"value\\\\":\\\\"1\\\\"}"}', '{"mail":"a@b.example","pair":["1","ab"]}', '{"mail":"b@b.example","pair":[1.5,"abc"]}', '{"mail":"a"}', '{"n":"3"}', '{"n":10,"s":"y"}', '{"n":1,"o":{"k":"false"},"u":true}', '{"kind":"a","list":[{"t":1,"v":"x"},{"t":2,"w":"1.5"}]}', '{"kind":"b","list":[{"t":1},{"t":2,"w":0.3,"x":1},{"t":3}]}'];
const results = [];
for (const schema of schemas) for (const use of ["input", "output"]) for (const text of [...values, ...more]) {
  const result = compileSchema(schema, use).check(JSON.parse(text));
  results.push(result.ok ? { ...result, made: use === "input" ? compileSchema(schema, use).toValue(result.input) : 0, masked: compileSchema(schema, use).mask(result.input) } : result);
}
let deep = { name: "a" };
for (let level = 0; level < 50_000; level++) deep = { name: "a", kids: [deep] };
results.push(compileSchema(Tree, "input").check(deep));
results.push(compileSchema(Tree, "input").check({ name: "a", kids: Array(70_000).fill(0) }));
console.log(JSON.stringify({ codeGeneration, results }));
`;
