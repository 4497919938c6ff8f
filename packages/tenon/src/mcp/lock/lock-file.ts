import type { PinnedTool } from "./pin-of.js";

/** The form of the file that this version of Tenon reads and writes. */
export const LOCK_VERSION = 1;

/** The tools of one server that were accepted, by their names at the server. The table has no prototype. */
export interface LockedServer {
  readonly tools: { readonly [tool: string]: PinnedTool };
}

/** What `tenon.lock.json` says: the accepted tools of each MCP server, by the server's name. The table has no prototype. */
export interface LockFile {
  readonly servers: { readonly [server: string]: LockedServer };
}

/** A table in which `constructor` and `__proto__` are names as any other. */
export function tableOf<T>(entries: Iterable<readonly [string, T]>): { readonly [key: string]: T } {
  const table = Object.create(null) as { [key: string]: T };
  for (const [key, value] of entries) table[key] = value;
  return table;
}

/** A lock file in which nothing is pinned. */
export const emptyLock: LockFile = { servers: tableOf<LockedServer>([]) };

/**
 * A lock file with the pins of one server changed: each tool of `pins` is added or replaced, and one that is `undefined` is
 * taken out. A pin whose hash is the same stays as it is written. `only` takes every other pin of the server out.
 */
export function withPins(
  lock: LockFile,
  server: string,
  pins: ReadonlyMap<string, PinnedTool | undefined>,
  only = false,
): LockFile {
  const before = lock.servers[server]?.tools ?? {};
  const tools = new Map(Object.entries(before).filter(([name]) => !only || pins.has(name)));
  for (const [name, pin] of pins) {
    if (pin === undefined) tools.delete(name);
    else if (tools.get(name)?.hash !== pin.hash) tools.set(name, pin);
  }
  const servers = new Map(Object.entries(lock.servers));
  if (tools.size === 0) servers.delete(server);
  else servers.set(server, { tools: tableOf(tools) });
  return { servers: tableOf(servers) };
}
