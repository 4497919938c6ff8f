import { McpLockError } from "../../errors/mcp-lock-error.js";
import { textOf } from "../../errors/tenon-error.js";
import { lockPath } from "../lock/lock-path.js";
import type { LockFile } from "../lock/lock-file.js";
import type { PinnedTool } from "../lock/pin-of.js";
import { readLock } from "../lock/read-lock.js";
import type { McpServerDeclaration } from "./server-options.js";

/** The tools of one server as they were accepted. */
export interface ServerPins {
  /** The lock file, whether it is there or not. */
  readonly file: string;
  /** It is there. */
  readonly found: boolean;
  readonly tools: { readonly [tool: string]: PinnedTool };
}

const nothing: ServerPins["tools"] = Object.freeze(Object.create(null) as ServerPins["tools"]);

/** What the lock file says of a server, as the file is now. Throws `McpLockError` for one that cannot be used. */
export function pinsOf({ options, declaredIn }: McpServerDeclaration): ServerPins {
  const file = lockPath(declaredIn, options.lockFile);
  const lock = lockOf(file);
  return { file, found: lock !== undefined, tools: lock?.servers[options.name]?.tools ?? nothing };
}

/** The files that were read last, with the time and the size that they had. */
const known = new Map<string, { readonly mark: string; readonly lock: LockFile | undefined }>();

function lockOf(file: string): LockFile | undefined {
  const { statSync } = process.getBuiltinModule("node:fs");
  let stat: ReturnType<typeof statSync>;
  try {
    stat = statSync(file, { throwIfNoEntry: false });
  } catch (thrown) {
    throw new McpLockError(file, `it cannot be read (${textOf(thrown)})`, "Mend its path or its rights.", thrown);
  }
  if (stat === undefined) return undefined;
  const mark = `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
  const last = known.get(file);
  if (last?.mark === mark) return last.lock;
  const lock = readLock(file);
  known.set(file, { mark, lock });
  return lock;
}
