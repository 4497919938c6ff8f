import type { Repair } from "../protocol/event.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { Maybe } from "../util/class.js";

/** What a check found: the JSON input form after repairs and defaults, or what is wrong in words that a model can act on. */
export type Checked =
  | { readonly ok: true; readonly input: JsonValue; readonly repairs: readonly Repair[] }
  /** Every failing path with what was expected and what was got: under 2,000 characters, no value of a sensitive field. */
  | { readonly ok: false; readonly message: string };

/** A schema that is ready to check values. Made once per schema and use. */
export interface CompiledSchema {
  /** What is told to a model; the same object as `jsonSchemaOf` gives. */
  readonly json: JsonObject;
  /** A check sets members that are absent, where the schema has defaults. */
  readonly fills: boolean;
  /** Owns `value`, which comes fresh from JSON, and may change it in place. Never throws or rejects. A promise only where the schema's library answers with one. */
  check(value: unknown): Maybe<Checked>;
  /** The value that a handler gets, made from a checked input: fresh at each call. Rejects or throws only where the schema's library does. */
  toValue(input: JsonValue): Maybe<unknown>;
  /** The input with every sensitive value as `"***"`; the same object where there is none. */
  mask(input: JsonValue): JsonValue;
}
