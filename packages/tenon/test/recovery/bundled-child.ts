import { buildSync } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** Providers and schema libraries are loaded when they are used, and none is. */
const unused = ["@ai-sdk/*", "@modelcontextprotocol/*", "@openrouter/*", "@valibot/*", "arktype", "zod"];

/**
 * A program of this folder with all that it imports, from the sources, in one small file: it starts in half the time. What is
 * `external` is not in it.
 */
export function bundledChild(name: string, external: readonly string[] = unused): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-child-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, basename(name));
  buildSync({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
    conditions: ["tenon-source"],
    external: [...external],
    logLevel: "error",
  });
  return outfile;
}
