import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("../corpora/run.ts", import.meta.url));

/** A folder as the command wants it, with a few cases of each kind. */
function folderWith(jsonTexts: Readonly<Record<string, string>>, groqAnswer?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-corpora-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inputSchema = {
    type: "object",
    properties: {
      city: { type: "string" },
      days: { type: "integer", default: 3 },
      unit: { type: "string", enum: ["c", "f"], default: "kelvin" },
    },
    required: ["city"],
  };
  const functions = [
    { name: "weather.get", description: "Tells the weather.", inputSchema },
    { name: "weather_get", description: "", inputSchema },
  ];
  const cases = [
    {
      id: "two",
      functions,
      calls: ["weather.get", "weather_get"].map((name) => ({ name, arguments: { city: "Lund" } })),
    },
    { id: "wrong", functions, calls: [{ name: "weather.get", arguments: { city: 7 } }] },
    { id: "null", functions, calls: [{ name: "weather.get", arguments: { city: "Lund", days: null } }] },
  ];
  writeFileSync(join(folder, "function-calls.jsonl.gz"), gzipSync(cases.map((one) => JSON.stringify(one)).join("\n")));
  mkdirSync(join(folder, "texts"));
  for (const [name, text] of Object.entries(jsonTexts)) writeFileSync(join(folder, "texts", name), text);
  execFileSync("tar", ["-czf", join(folder, "json-texts.tgz"), "-C", folder, "texts"]);
  writeFileSync(join(folder, "naughty-strings.json.gz"), gzipSync(JSON.stringify(["", "true", "\u0000é\u202e"])));
  const turns = [
    { f: "a", k: "openai-chat", sse: false, status: 200, response: chat("hi") },
    { f: "b", k: "openai-chat", sse: false, status: 400, response: { error: { message: "no such model" } } },
    { f: "c", k: "some-other", sse: false, status: 200, response: {} },
  ];
  writeFileSync(join(folder, "recorded-turns.jsonl.gz"), gzipSync(turns.map((one) => JSON.stringify(one)).join("\n")));
  mkdirSync(join(folder, "chunks"));
  const data = JSON.stringify({ choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }], usage });
  writeFileSync(join(folder, "chunks", "groq__text.chunks.txt"), data);
  writeFileSync(join(folder, "chunks", "groq__text.json"), groqAnswer ?? JSON.stringify(chat("hi")));
  execFileSync("tar", ["-czf", join(folder, "provider-chunks.tgz"), "-C", folder, "chunks"]);
  return folder;
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const chat = (content: string) => ({
  choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
  usage,
});

function run(...args: readonly string[]): {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  return { status, out: stdout, err: stderr };
}

test("counts what is as it must be, lists what the data gets wrong, and exits with 0", () => {
  const { status, out, err } = run(folderWith({ "y_a.json": '{"a":1}', "n_b.json": "{", "i_c.json": "[1e999]" }));
  expect([status, err]).toEqual([0, ""]);
  for (const line of [
    "3  cases",
    "3  functions whose name was mapped",
    "2  valid calls that reached their handler, in order",
    "6  defaults that do not fit their own field, left out",
    "1  calls that break it by a `null`",
    "1  calls that break their own schema and were refused",
    "note: wrong, call 1: weather.get",
    "3  files",
    "1  blank texts refused as thread ids (sqlite)",
    "1  openai-chat, through TENON_BASE_URL: whole, equal",
    "1  openai-chat, through TENON_BASE_URL: made a stream, equal",
    "1  openai-chat, through TENON_BASE_URL: errors",
    "1  some-other: no package here reads them, left out",
    "1  groq, through TENON_BASE_URL: streamed in 5 ways, equal",
    "0 violations",
  ])
    expect(out).toContain(line);
});

test("names a violation and exits with 1", () => {
  const { status, out } = run(folderWith({ "y_a.json": "[1]", "n_b.json": '{"a":2}' }));
  expect(status).toBe(1);
  expect(out).toContain("VIOLATION: texts/n_b.json, field: was taken");
  expect(out).toMatch(/^2 violations$/m);
});

test("an answer that arrives as something else is a violation", () => {
  // The reader takes the label for one that ends a turn; the package does not know it.
  const odd = JSON.stringify(chat("hi")).replace('"stop"', '"end_turn"');
  const { status, out } = run(folderWith({ "y_a.json": "[1]" }, odd));
  expect(status).toBe(1);
  expect(out).toContain('VIOLATION: groq__text.json, through TENON_BASE_URL, whole: finish "other" and not "stop"');
});

test.each([[[]], [["/does/not/exist"]], [[tmpdir(), "more"]]])("explains itself and exits with 2: %j", (args) => {
  const { status, err } = run(...args);
  expect(status).toBe(2);
  expect(err).toContain("npm run corpora -- <folder>");
});

test("says which file is missing", () => {
  const folder = folderWith({ "y_a.json": "[]" });
  rmSync(join(folder, "json-texts.tgz"));
  expect(run(folder)).toMatchObject({ status: 2, err: expect.stringContaining("has no json-texts.tgz") });
});
