import { memoryStore, type Store } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";

/** Every kind of store, each fresh. Closing an app leaves it open for the next one, as a file would be. */
export const stores: readonly (readonly [string, () => Store])[] = [
  ["memory", () => memoryStore()],
  ["sqlite", () => Object.assign(sqliteStore(":memory:"), { close: () => {} })],
];
