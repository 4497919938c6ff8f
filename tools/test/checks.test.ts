import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runChecks } from "../checks.ts";
import { tempTree } from "./temp-tree.ts";

/** A workspace whose tools say their names and end as they are told. */
function workspace(codes: Readonly<Record<string, number>>): string {
  const bin = "node_modules/.bin";
  const root = tempTree({
    "tools/check.ts": `console.log("rules"); process.exitCode = ${codes["rules"] ?? 0};`,
    ...Object.fromEntries(
      ["oxlint", "oxfmt", "tsc"].map((name) => [
        `${bin}/${name}`,
        `#!/bin/sh\necho ${name} >&2\nexit ${codes[name] ?? 0}\n`,
      ]),
    ),
  });
  for (const name of ["oxlint", "oxfmt", "tsc"]) chmodSync(join(root, bin, name), 0o755);
  return root;
}

describe("the checks", () => {
  test("all of them pass", async () => {
    expect(await runChecks(workspace({}), true)).toEqual({ passed: true, output: "oxlint\nrules\noxfmt\ntsc\n" });
  });

  test.each([
    ["oxlint", "oxlint\n"],
    ["rules", "oxlint\nrules\n"],
    ["oxfmt", "oxlint\nrules\noxfmt\n"],
    ["tsc", "oxlint\nrules\noxfmt\ntsc\n"],
  ])("%s fails, and nothing after it is run", async (name, output) => {
    expect(await runChecks(workspace({ [name]: 1 }), false)).toEqual({ passed: false, output });
  });
});
