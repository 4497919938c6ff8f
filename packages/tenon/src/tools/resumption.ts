import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { Duration } from "../config/duration.js";
import type { Schema } from "../schema/schema.js";
import type { Maybe } from "../util/class.js";

/** How a handler asks. */
export interface PauseOptions<S extends Schema | undefined = Schema | undefined> {
  /** What the answer must be: a DTO class, a Standard Schema with JSON Schema, or `jsonSchema()`. Default: any JSON. */
  readonly schema?: S | undefined;
  /** How long somebody may take to answer; past it the call gets the error result `expired`. Default: for ever. */
  readonly expiresIn?: Duration | undefined;
}

/** A handler that stopped to ask, as plain data. */
export interface Suspension {
  /** The how-manieth question of the handler it is, from 0. */
  readonly index: number;
  readonly question: string;
  readonly schema?: JsonObject | undefined;
  readonly expiresInMs?: number | undefined;
}

/** A question of an earlier attempt, with what was answered. */
export interface PastAnswer {
  readonly question: string;
  readonly answer: JsonValue;
}

/** What an attempt of a call knows of the attempts before it, and where it keeps its own steps. */
export interface Resumption {
  /** By the index of the question. */
  readonly answers: readonly PastAnswer[];
  /**
   * The value of a step: recorded, or made by `run` and recorded before it resolves. Rejects with what `run` throws. `broken`
   * hears that the record does not fit; the promise never settles then. `undefined` for a tool that is not durable.
   */
  readonly step:
    | ((index: number, name: string, run: () => Maybe<unknown>, broken: (thrown: unknown) => void) => Promise<unknown>)
    | undefined;
}

/** How an admitted call is issued. */
export interface Issue {
  /** It was recorded earlier and is issued again, so its input has to fit today's tool. */
  readonly again: boolean;
  /** `undefined` outside a run. */
  readonly resumption: Resumption | undefined;
}
