import type { LockFile } from "./lock-file.js";
import { LOCK_VERSION } from "./lock-file.js";
import type { PinnedTool } from "./pin-of.js";
import { escapeUnseen } from "../../util/escape-unseen.js";

/**
 * The text of a lock file: servers and tools by name, a description of several lines as a list of them, so that a change is a
 * short difference in version control; what is unseen is escaped, so that it is seen there.
 */
export function lockText({ servers }: LockFile): string {
  const sorted = byName(servers).map(([name, { tools }]): [string, unknown] => [
    name,
    { tools: Object.fromEntries(byName(tools).map(([tool, pin]) => [tool, writtenPin(pin)])) },
  ]);
  const text = JSON.stringify({ lockVersion: LOCK_VERSION, servers: Object.fromEntries(sorted) }, null, 2);
  return `${escapeUnseen(text, "\n")}\n`;
}

function byName<T>(table: { readonly [name: string]: T }): readonly (readonly [string, T])[] {
  return Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1));
}

function writtenPin({ hash, description, inputSchema, outputSchema }: PinnedTool): unknown {
  const lines = description?.includes("\n") === true ? description.split("\n") : description;
  return { hash, description: lines, inputSchema, outputSchema };
}
