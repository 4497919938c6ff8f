import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

/** Loads a door of the built package where nobody finds `arktype`. */
function load(door: string): { readonly status: number | null; readonly stderr: string } {
  const script = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve(specifier, context, next) {
        if (!specifier.startsWith("arktype")) return next(specifier, context);
        return next("package-that-nobody-has", context);
      },
    });
    await import(${JSON.stringify(door)});`;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: resolve(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
}

test("only the door of the interface form needs arktype", () => {
  expect(load("tenon")).toMatchObject({ status: 0, stderr: "" });
  const missing = load("tenon/itool");
  expect(missing.status).toBe(1);
  expect(missing.stderr).toMatch(/Cannot find package 'package-that-nobody-has'/);
});
