export { sqliteStore, SqliteStore, type SqliteStoreOptions } from "../../storage/sqlite-store.js";
export type { Synchronous } from "../../storage/sqlite-open.js";
