import { Buffer } from "node:buffer";
import type { SqliteConnection } from "./sqlite-connection.js";

/** A text of more bytes than this (in UTF-8) is kept in `blobs`, so that the pages of its own table stay small. */
export const LARGE_BYTES = 65_536;

/** No unit of a string has more bytes than three in UTF-8: a shorter text is measured by its length alone. */
const SURELY_SMALL = Math.floor(LARGE_BYTES / 3);

/** Whether a text goes to `blobs`. Its own column is null then. */
export function isLarge(text: string): boolean {
  return text.length > SURELY_SMALL && (text.length > LARGE_BYTES || Buffer.byteLength(text) > LARGE_BYTES);
}

/** Keeps the large text of a row, in the transaction that writes the row. `part` names the row within its run. */
export function keepLarge(connection: SqliteConnection, run: number, part: string, text: string): void {
  connection.change("INSERT INTO blobs (run, part, json) VALUES (?, ?, ?)", run, part, text);
}

/** The text of a column wherever it is, in SQL. The other arguments are SQL too. */
export function wholeText(column: string, run: string, part: string): string {
  return `coalesce(${column}, (SELECT b.json FROM blobs b WHERE b.run = ${run} AND b.part = ${part}))`;
}
