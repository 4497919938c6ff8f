import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const example = resolve(import.meta.dirname, "..");

/** A copy of the example in a folder of its own, with the packages as they were built. */
function copyOfExample(): string {
  const root = mkdtempSync(join(tmpdir(), "tenon-mcp-example-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(example, root, { recursive: true, filter: (path) => !/[\\/](\.tenon|node_modules)$/.test(path) });
  symlinkSync(resolve(example, "../../node_modules"), join(root, "node_modules"));
  return root;
}

function npmStart(cwd: string): Promise<{ code: number; out: string; err: string }> {
  const path = [dirname(process.execPath), process.env["PATH"]].join(":");
  const { TENON_MODEL: _, ...env } = process.env;
  return new Promise((settle) => {
    execFile("npm", ["run", "--silent", "start"], { cwd, env: { ...env, PATH: path } }, (error, out, err) =>
      settle({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

test(
  "npm start: a server's tool behind an approval, and the desk's tools for a client",
  { timeout: 60_000 },
  async () => {
    const { code, out, err } = await npmStart(copyOfExample());
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("a client calls write_report: write_report was not approved: declined\n");
    expect(out).toMatch(/\nAll as it should be\.\n$/);
  },
);

test(
  "where what was accepted of the server was changed by hand the story ends with 1",
  { timeout: 60_000 },
  async () => {
    const cwd = copyOfExample();
    const lock = join(cwd, "tenon.lock.json");
    writeFileSync(lock, readFileSync(lock, "utf8").replaceAll(/"hash": ".{8}/g, '"hash": "00000000'));
    const { code, out, err } = await npmStart(cwd);
    expect(code).toBe(1);
    expect(err).toContain("AssemblyError");
    expect(out).not.toContain("All as it should be");
  },
);
