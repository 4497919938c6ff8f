/** A value that JSON can hold as it is. Nothing else is stored or sent. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Members may be `undefined` in memory; they are absent when written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
