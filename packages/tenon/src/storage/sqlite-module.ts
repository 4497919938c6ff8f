import type * as Sqlite from "node:sqlite";
import { StoreError } from "../errors/run-errors.js";

let loaded: typeof Sqlite | undefined;

/**
 * Node's own SQLite. Node 22 warns once that it is experimental: that one warning is swallowed, every other one goes on.
 * Throws `StoreError` where this Node has none.
 */
export function sqliteModule(): typeof Sqlite {
  if (loaded !== undefined) return loaded;
  const emitWarning: typeof process.emitWarning = Reflect.get(process, "emitWarning");
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const text = typeof warning === "string" ? warning : warning.message;
    if (!text.startsWith("SQLite is an experimental feature")) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    loaded = process.getBuiltinModule("node:sqlite") as typeof Sqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
  if (loaded === undefined)
    throw new StoreError("This Node has no SQLite", process.version, "Use Node 22.13 or newer.");
  return loaded;
}
