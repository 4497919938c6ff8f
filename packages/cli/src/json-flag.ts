import type { JsonObject, JsonValue } from "tenon";
import { usage } from "./command-error.js";

/** The JSON of an option; `undefined` where it was not given. Throws a usage error for what is no JSON. */
export function jsonFlag(name: string, text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw usage(`${name} must be JSON. A text goes in quotes, twice for a shell: ${name} '"text"'.`);
  }
}

/** The JSON object of an option; `undefined` where it was not given. Throws a usage error for anything else, as in `example`. */
export function jsonObjectFlag(name: string, text: string | undefined, example: string): JsonObject | undefined {
  if (text === undefined) return undefined;
  const value = jsonObjectOf(text);
  if (value === undefined) throw usage(`${name} must be a JSON object, such as '${example}'.`);
  return value;
}

/** A JSON object by its text; `undefined` for any other text. */
export function jsonObjectOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
