import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const plain = fileURLToPath(new URL("./minified/app.mjs", import.meta.url));
const root = fileURLToPath(new URL("../../../../", import.meta.url));
let scratch: string;
let minified: string;

beforeAll(async () => {
  mkdirSync(join(root, ".scratch"), { recursive: true });
  scratch = mkdtempSync(join(root, ".scratch", "minified-"));
  minified = join(scratch, "app.mjs");
  const options = { bundle: true, minify: true, format: "esm", platform: "node", write: true } as const;
  await build({ ...options, entryPoints: [plain], outfile: minified, external: ["tenon", "tenon/*"] });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function run(app: string, folder: string, mode: "start" | "resume"): any {
  const { stdout, stderr, status } = spawnSync(process.execPath, [app, folder, mode], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout, (key, value: unknown) => (key === "openedAt" ? 0 : value));
}

test("[B114] a minified app has the same tools, schemas, dependencies and ids, and goes on where the other stopped", () => {
  const folders = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), "tenon-minified-")));
  try {
    const [first, second, third] = folders as [string, string, string];
    const started = run(plain, first, "start");
    const small = run(minified, second, "start");
    // A class's name is for people: a minifier may change it, and nothing depends on it.
    const nameless = ({ tools, ...rest }: any): unknown => ({
      ...rest,
      tools: tools.map((tool: any) => ({ ...tool, deps: tool.deps.length })),
    });
    expect(nameless(small)).toEqual(nameless(started));
    expect(started.tools[0].inputSchema.properties).toHaveProperty("article");
    expect(started.tools[1].inputSchema.properties.item.properties).toHaveProperty("note");
    expect(started.status).toBe("paused");

    run(plain, third, "start");
    const ends = [run(plain, first, "resume"), run(minified, second, "resume"), run(minified, third, "resume")];
    for (const end of ends) {
      expect(end.status).toBe("completed");
      expect(JSON.stringify(end.told)).toContain("true milk");
      expect(JSON.stringify(end.told)).toContain("true pen 3 7 call_run-00001_2_1");
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
});
