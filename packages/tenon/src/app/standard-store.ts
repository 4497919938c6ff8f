import { TENON_STORE, type Env } from "../config/env-names.js";
import { shownValue } from "../config/options.js";
import { memoryStore } from "../journal/memory-store.js";
import type { Store } from "../journal/store.js";

/** What begins with the name of a scheme. One letter is a drive. */
const ADDRESS = /^(?:([a-z][a-z0-9+.-]+):\/\/|(file|sqlite3?):)/i;

/** What is wrong with `TENON_STORE`, as clauses for an assembly error. An address may hold a password, so it is not shown. */
export function storeFaults(env: Env): readonly string[] {
  const given: unknown = env[TENON_STORE];
  if (given === undefined || given === "") return [];
  const fault = typeof given === "string" ? pathFault(given) : `not ${shownValue(given)}`;
  return fault === undefined ? [] : [`${TENON_STORE} must be the path of a file, or \`:memory:\`, ${fault}`];
}

/**
 * The store of an app that was given none: a SQLite file where `TENON_STORE` names one (relative to the current folder), else
 * memory. SQLite is loaded only then, so that an app without it runs where there is none.
 */
export async function standardStore(env: Env): Promise<Store> {
  const path = env[TENON_STORE];
  if (path === undefined || path === "") return memoryStore();
  const { sqliteStore } = await import("../storage/sqlite-store.js");
  return sqliteStore(path);
}

function pathFault(path: string): string | undefined {
  const [, scheme, plain] = ADDRESS.exec(path) ?? [];
  if (scheme !== undefined || plain !== undefined) return `not an address (${scheme ?? plain}:)`;
  if (path.trim() === "" || path.includes("\0")) return `not ${shownValue(path)}`;
  if (path.startsWith(":") && path.endsWith(":") && path !== ":memory:") return `not ${shownValue(path)}`;
  if (/^~[/\\]/.test(path)) return `and ${shownValue(path)} begins with ~, which only a shell understands`;
  if (/[/\\]$/.test(path)) return `and ${shownValue(path)} is a folder`;
  return undefined;
}
