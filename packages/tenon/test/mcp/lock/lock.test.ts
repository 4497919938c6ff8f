import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { McpLockError } from "../../../src/errors/mcp-lock-error.js";
import { emptyLock, withPins } from "../../../src/mcp/lock/lock-file.js";
import { lockPath, lockPathFrom } from "../../../src/mcp/lock/lock-path.js";
import { lockText } from "../../../src/mcp/lock/lock-text.js";
import { pinOf, toolHash } from "../../../src/mcp/lock/pin-of.js";
import { readLock } from "../../../src/mcp/lock/read-lock.js";
import type { ToolText } from "../../../src/mcp/lock/tool-text.js";
import { updateLock } from "../../../src/mcp/lock/update-lock.js";

const read: ToolText = {
  name: "read",
  description: "Read a file.\nWhole.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, "1": { type: "string" } },
    required: ["path"],
  },
};
const write: ToolText = { ...read, name: "write", description: undefined, outputSchema: { type: "object" } };
const pinsOf = (...tools: readonly ToolText[]) => new Map(tools.map((tool) => [tool.name, pinOf(tool)]));

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "tenon-lock-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("a lock file is written in a stable order and read back as it was", async () => {
  const file = join(folder(), "tenon.lock.json");
  expect(readLock(file)).toBeUndefined();
  await updateLock(file, (lock) => withPins(lock, "notes", pinsOf(write, read)));
  await updateLock(file, (lock) => withPins(lock, "files", pinsOf(read)));
  const text = readFileSync(file, "utf8");
  expect(text.indexOf('"files"')).toBeLessThan(text.indexOf('"notes"'));
  expect(text.indexOf('"read"', text.indexOf('"notes"'))).toBeLessThan(text.indexOf('"write"'));
  // Each line of a description is one of the file.
  expect(text).toContain('"description": [\n            "Read a file.",\n            "Whole."\n          ]');
  expect(text.endsWith("}\n")).toBe(true);
  const lock = readLock(file)!;
  expect(lock.servers["files"]!.tools["read"]).toEqual(pinOf(read));
  expect(lock.servers["notes"]!.tools["write"]).toEqual(pinOf(write));
  expect(lockText(lock)).toBe(text);
  expect(readdirSync(join(file, ".."))).toEqual(["tenon.lock.json"]);
});

test("a tool that is the same stays as it is written, whatever the order of its members", async () => {
  const file = join(folder(), "tenon.lock.json");
  await updateLock(file, (lock) => withPins(lock, "files", pinsOf(read, write)));
  const text = readFileSync(file, "utf8");
  const { inode } = { inode: statSync(file).ino };
  const turned = {
    inputSchema: {
      required: ["path"],
      properties: { "1": { type: "string" }, path: { type: "string" } },
      type: "object",
    },
  };
  await updateLock(file, (lock) => withPins(lock, "files", pinsOf({ ...read, ...turned })));
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(statSync(file).ino).toBe(inode);
  await updateLock(file, (lock) => withPins(lock, "files", new Map([["read", undefined]])));
  expect(Object.keys(readLock(file)!.servers["files"]!.tools)).toEqual(["write"]);
  await updateLock(file, (lock) => withPins(lock, "files", pinsOf(read), true));
  expect(Object.keys(readLock(file)!.servers["files"]!.tools)).toEqual(["read"]);
  await updateLock(file, (lock) => withPins(lock, "files", new Map(), true));
  expect(readLock(file)!.servers).toEqual({});
});

test("the hash covers name, description and both schemas, and nothing else", () => {
  const hash = toolHash(read);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(toolHash({ ...read, title: "Read", annotations: { readOnlyHint: true } } as ToolText)).toBe(hash);
  for (const other of [
    { ...read, name: "reads" },
    { ...read, description: "Read a file. Whole." },
    { ...read, inputSchema: { ...read.inputSchema, required: [] } },
    { ...read, outputSchema: {} },
  ])
    expect(toolHash(other)).not.toBe(hash);
});

test("names that objects have are names as any other", async () => {
  const file = join(folder(), "tenon.lock.json");
  const odd = ["__proto__", "constructor", "toString"].map((name) => ({ ...read, name }));
  await updateLock(file, (lock) => withPins(lock, "__proto__", pinsOf(...odd)));
  const { servers } = readLock(file)!;
  expect(Object.keys(servers)).toEqual(["__proto__"]);
  expect(Object.keys(servers["__proto__"]!.tools)).toEqual(["__proto__", "constructor", "toString"]);
  expect(servers["__proto__"]!.tools["constructor"]!.hash).toBe(toolHash(odd[1]!));
  expect(servers["constructor"]).toBeUndefined();
  expect(emptyLock.servers["constructor"]).toBeUndefined();
});

test("what is not seen is escaped in the file", () => {
  const hidden = "Read.\u202e\u200b\u0007\u{e0041}\ufeff";
  const text = lockText(withPins(emptyLock, "files", pinsOf({ ...read, description: hidden })));
  expect(text).toContain(String.raw`"Read.\u202e\u200b\u0007\udb40\udc41\ufeff"`);
  expect(JSON.parse(text).servers.files.tools.read.description).toBe(hidden);
});

test("twenty writers at once lose nothing, and a mark that a dead process left is passed over", async () => {
  const file = join(folder(), "tenon.lock.json");
  const names = Array.from({ length: 20 }, (_, i) => `s${i}`);
  await Promise.all(names.map((name) => updateLock(file, (lock) => withPins(lock, name, pinsOf(read)))));
  expect(Object.keys(readLock(file)!.servers).sort()).toEqual([...names].sort());
  writeFileSync(`${file}.writing`, "1");
  utimesSync(`${file}.writing`, 1_000, 1_000);
  await updateLock(file, (lock) => withPins(lock, "s0", new Map(), true));
  expect(Object.keys(readLock(file)!.servers)).toHaveLength(19);
  expect(existsSync(`${file}.writing`)).toBe(false);
});

test("a link to a lock file stays a link", async () => {
  const [home, real] = [folder(), join(folder(), "real.json")];
  await updateLock(real, (lock) => withPins(lock, "files", pinsOf(read)));
  symlinkSync(real, join(home, "tenon.lock.json"));
  await updateLock(join(home, "tenon.lock.json"), (lock) => withPins(lock, "notes", pinsOf(read)));
  expect(Object.keys(readLock(real)!.servers)).toEqual(["files", "notes"]);
});

const good = () => JSON.parse(lockText(withPins(emptyLock, "files", pinsOf(read))));
const damaged: readonly (readonly [string, string, RegExp])[] = [
  [
    "no JSON",
    '{"lockVersion": 1, "servers": {',
    /it is no JSON .*version control; or remove it, and run `tenon mcp accept`/,
  ],
  ["empty", "", /it is no JSON/],
  ["conflicts", `<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n`, /conflicts of version control. Resolve them/],
  ["a list", "[]", /it is no lock file/],
  ["another tool's", '{"lockfileVersion":3,"packages":{}}', /no lock file of Tenon/],
  [
    "later",
    '{"lockVersion":2,"servers":{},"more":1}',
    /version 2, and this Tenon knows versions up to 1. Update `tenon`/,
  ],
  ["more", JSON.stringify({ ...good(), note: "mine" }), /unknown member "note"/],
  ["a server that is none", '{"lockVersion":1,"servers":{"files":7}}', /server "files" is damaged/],
  ["a server without tools", '{"lockVersion":1,"servers":{"files":{}}}', /server "files" has no tools/],
  [
    "a tool that is none",
    '{"lockVersion":1,"servers":{"files":{"tools":{"read":[]}}}}',
    /tool "read" of server "files" is damaged/,
  ],
  [
    "changed by hand",
    JSON.stringify(good()).replace("Whole", "All"),
    /tool "read" of server "files" was changed by hand/,
  ],
  [
    "nested",
    JSON.stringify(good()).replace('"inputSchema":{', `"inputSchema":{"x":${"[".repeat(5_000)}${"]".repeat(5_000)},`),
    /more than 100 levels/,
  ],
];
test.each(damaged)("a file that is damaged or foreign is an error and stays as it is: %s", async (_, text, message) => {
  const file = join(folder(), "tenon.lock.json");
  writeFileSync(file, text);
  const thrown = (await updateLock(file, (lock) => lock).catch((error: unknown) => error)) as McpLockError;
  expect(McpLockError.is(thrown)).toBe(true);
  expect(thrown.message).toMatch(message);
  expect(thrown.message).toContain(file);
  expect(() => readLock(file)).toThrow(message);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(readdirSync(join(file, ".."))).toEqual(["tenon.lock.json"]);
});

test("a folder in its place, and a place that is not there, are errors", async () => {
  const home = folder();
  mkdirSync(join(home, "tenon.lock.json"));
  expect(() => readLock(join(home, "tenon.lock.json"))).toThrow(McpLockError);
  await expect(
    updateLock(join(home, "gone/tenon.lock.json"), (lock) => withPins(lock, "s", pinsOf(read))),
  ).rejects.toThrow(/cannot be written/);
});

test("the file is the nearest one upward, else beside the nearest package.json", () => {
  const home = folder();
  mkdirSync(join(home, "app/src/servers"), { recursive: true });
  const declaredIn = pathToFileURL(join(home, "app/src/servers/files.ts")).href;
  writeFileSync(join(home, "app/package.json"), "{}");
  expect(lockPath(declaredIn)).toBe(join(home, "app/tenon.lock.json"));
  writeFileSync(join(home, "tenon.lock.json"), "");
  expect(lockPath(declaredIn)).toBe(join(home, "tenon.lock.json"));
  expect(lockPathFrom(join(home, "app"))).toBe(join(home, "tenon.lock.json"));
  expect(lockPath(declaredIn, "../pins.json")).toBe(join(home, "app/src/pins.json"));
  expect(lockPath(declaredIn, pathToFileURL("/x/pins.json"))).toBe("/x/pins.json");
  expect(lockPath(declaredIn, "file:///x/pins.json")).toBe("/x/pins.json");
});
