import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The path of a file that is not there yet, and goes with the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "file");
}
