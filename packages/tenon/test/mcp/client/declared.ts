import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import {
  McpServer,
  McpServerClient,
  type McpServerClass,
  type McpServerOptions,
} from "../../../src/doors/mcp/index.js";
import { serverDeclarationOf } from "../../../src/mcp/client/server-options.js";
import { askServer } from "../../../src/mcp/lock/ask-server.js";
import { serverSpecOf } from "../../../src/mcp/client/server-spec-of.js";
import { withPins } from "../../../src/mcp/lock/lock-file.js";
import { pinOf } from "../../../src/mcp/lock/pin-of.js";
import { updateLock } from "../../../src/mcp/lock/update-lock.js";

let folder: string;
let folders = 0;

/** At the top of a test file that declares servers: what they keep is in a folder that goes with the file's tests. */
export function declaresServers(): void {
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "tenon-mcp-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** A new folder, gone after the tests of the file. */
export function newFolder(): string {
  const path = join(folder, String(++folders));
  mkdirSync(path);
  return path;
}

/** A server's class, with a lock file of its own. */
export function serverOf(options: McpServerOptions): new () => McpServerClient {
  const lockFile = options.lockFile ?? join(newFolder(), "tenon.lock.json");
  @McpServer({ ...options, lockFile })
  class Declared extends McpServerClient {}
  return Declared;
}

/** Pins the declared tools as the server has them now: what `tenon mcp accept` does. `others`: what is not offered now. */
export async function accept(server: McpServerClass, ...others: readonly Parameters<typeof pinOf>[0][]): Promise<void> {
  const { options } = serverDeclarationOf(server)!;
  const { name, tools, lockFile } = options;
  const { tools: offered } = await askServer(serverSpecOf({ ...options, env: [] }, {}));
  const pins = [...offered, ...others].filter((tool) => tools.includes(tool.name));
  await updateLock(String(lockFile), (lock) =>
    withPins(lock, name, new Map(pins.map((tool) => [tool.name, pinOf(tool)]))),
  );
}
