import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";

const research = resolve(import.meta.dirname, "..");
const workspace = resolve(research, "../..");

/** A copy of the example, so that a test leaves no trace in it. */
function copyOfResearch(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "research-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(research, root, { recursive: true, filter: (path) => !/[\\/](\.tenon|node_modules|test)$/.test(path) });
  symlinkSync(join(workspace, "node_modules"), join(root, "node_modules"));
  return root;
}

/** A script of the example, as `npm run` starts it. */
function npmRun(
  cwd: string,
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { TENON_MODEL: _, EXA_API_KEY: __, ...env } = process.env;
  return new Promise((settle) =>
    execFile("npm", ["run", "--silent", ...args], { cwd, env }, (error, out, err) =>
      settle({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
    ),
  );
}

test("the story answers the question and checks itself", { timeout: 120_000 }, async () => {
  const told = await npmRun(copyOfResearch(), "start");
  expect(told).toMatchObject({ code: 0, err: "" });
  expect(told.out).toContain("oranges and lemons, cures scurvy within weeks. [1]");
  expect(told.out).toMatch(/\nAll as it should be\.\n$/);
});

test("where something is wrong the story ends with 1", { timeout: 60_000 }, async () => {
  const cwd = copyOfResearch();
  writeFileSync(join(cwd, "data/pubmed.json"), "[]");
  const told = await npmRun(cwd, "start");
  expect(told.code).toBe(1);
  expect(told.err).toContain("AssertionError");
  expect(told.out).not.toContain("All as it should be");
});

test("the configuration needs no key and no network, and its answers have their sources", async () => {
  vi.stubEnv("TENON_MODEL", undefined);
  const before = process.cwd();
  process.chdir(copyOfResearch());
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
  });
  const { default: config } = await import("../tenon.config.js");
  const app = await config.app();
  onTestFinished(() => app.close());
  const { agents, store, limits } = app.describe();
  expect(agents.map(({ name, model }) => [name, model])).toEqual([["researcher", "plan"]]);
  expect(agents[0].tools.map(({ name, access, deps }) => [name, access, ...deps])).toEqual([
    ["wikipedia_search", "read", "HTTP_SETTINGS?"],
    ["wikipedia_article", "read", "HTTP_SETTINGS?"],
    ["pubmed_search", "read", "HTTP_SETTINGS?", "APP_ENV?"],
    ["pubmed_abstract", "read", "HTTP_SETTINGS?", "APP_ENV?"],
    ["web_search", "read", "HTTP_SETTINGS?", "APP_ENV?"],
    ["web_fetch", "read", "HTTP_SETTINGS?", "WEB_FETCH_SETTINGS?"],
  ]);
  expect(store).toMatchObject({ kind: "sqlite" });
  expect(limits).toMatchObject({ perRunCostUsd: 0.25 });
  const { text } = await app.run({ prompt: "Who was James Lind?" });
  expect(text).toContain("James Lind was a Scottish naval surgeon. [1]");
  expect(text).toContain("[1] James Lind: https://en.wikipedia.org/wiki/James_Lind");
});
