import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { tempTree } from "./temp-tree.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const { scripts, devDependencies, allowScripts } = JSON.parse(read("package.json")) as Record<
  string,
  Record<string, unknown>
>;

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const lock = (JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> }).packages;

test("the lock file names no place to fetch from", () => {
  const entries = Object.entries(lock);
  expect(entries.length).toBeGreaterThan(50);
  expect(entries.filter(([, entry]) => entry.resolved !== undefined && entry.link !== true)).toEqual([]);
});

test("the lock file has an entry for everything that npm may ask for", () => {
  const missing = Object.entries(lock).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !(`node_modules/${name}` in lock) && !(`${path}/node_modules/${name}` in lock),
    ),
  );
  expect(missing).toEqual([]);
});

test("every install script that is needed is allowed, and no other", () => {
  const wanted = Object.entries(lock).flatMap(([path, entry]) =>
    entry.hasInstallScript === true ? path.replace(/^.*node_modules\//, "") : [],
  );
  const unused = Object.keys(allowScripts ?? {}).filter((name) => !wanted.includes(name));
  expect(unused).toEqual([]);
  expect(allowScripts?.["node"]).toBe(true);
});

test("versions of development tools are exact", () => {
  expect(
    Object.entries(devDependencies ?? {}).filter(
      ([, version]) => !/^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+$/.test(String(version)),
    ),
  ).toEqual([]);
});

test("start, test and bench build first, and say so where Node is too old", () => {
  for (const name of ["start", "test", "bench"]) expect(scripts?.[name]).toMatch(/^npm run --silent build && /);
  expect(scripts?.["build"]).toMatch(/^tsc -b && node tools\/check-node\.mjs && /);
});

test("npm scripts run on the workspace's own Node", () => {
  expect(process.versions.node).toBe(devDependencies?.["node"]);
});

test("CI runs the command that the README gives for the tests", () => {
  const command = read(".ci/run").trimEnd().split("\n").at(-1) ?? "";
  expect(command).toContain("npm test");
  expect(read("README.md").split("\n")).toContain(command);
});

test("check-node lets this Node pass and stops an older one", () => {
  const script = read("tools/check-node.mjs");
  execFileSync(process.execPath, [join(root, "tools/check-node.mjs")]);
  const older = tempTree({
    "old.mjs": `Object.defineProperty(process, "versions", { value: { node: "22.12.9" } });\n${script}`,
  });
  expect(() => execFileSync(process.execPath, [join(older, "old.mjs")], { stdio: "pipe" })).toThrow(
    "it needs 22.13 or later",
  );
});

test("every workspace that a script names is there", () => {
  const named = Object.values(scripts ?? {}).flatMap((script) =>
    [...String(script).matchAll(/-w (\S+)/g)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const path of named) expect(existsSync(join(root, path, "package.json"))).toBe(true);
});

test("a command is a committed file, as npm links no file that is built later, and the lock file knows it", () => {
  const commands = Object.entries(lock).flatMap(([path, entry]) =>
    path.startsWith("packages/") && entry.bin !== undefined
      ? Object.entries(entry.bin).map(([name, file]) => ({ path, name, file }))
      : [],
  );
  expect(commands.map((command) => command.name)).toEqual(["tenon"]);
  for (const { path, file } of commands) {
    expect(file).not.toMatch(/^(\.\/)?dist\//);
    expect(existsSync(join(root, path, file))).toBe(true);
  }
});
