import type { Repair } from "../protocol/event.js";
import { parseJsonText } from "./json-text.js";
import { isObject } from "../util/is-object.js";
import { typeOf } from "./schema-node.js";

/** The arguments of a call as an object of its own, or a message of under 1 kB that the model can act on. */
export type ParsedArguments =
  | {
      readonly ok: true;
      readonly value: Record<string, unknown>;
      /** Set where the whole arguments came as a JSON string. */ readonly repaired?: Repair | undefined;
    }
  | { readonly ok: false; readonly message: string };

/** `{`. */
const BRACE = 123;

const wholeText: Repair = Object.freeze({ path: "", kind: "json-text" });

/**
 * Reads the argument text of a call. Empty text, white space, `null` and nothing at all are `{}`. Text that is not JSON, and
 * JSON that is no object, is refused; so is text that was cut off. An object, as some providers give, is copied. Never throws.
 */
export function parseArguments(text: unknown): ParsedArguments {
  if (text === undefined || text === null) return { ok: true, value: {} };
  if (typeof text === "object") return copied(text);
  if (typeof text !== "string") return refused(`JSON text of an object is wanted, not ${typeOf(text)}`);
  // Almost always it is an object, as it comes.
  if (text.charCodeAt(0) !== BRACE && text.trim() === "") return { ok: true, value: {} };
  const parsed = parseJsonText(text);
  if (!parsed.ok) return refused(parsed.reason);
  const { value } = parsed;
  // The very object that says so: most calls come here.
  if (isObject(value)) return parsed as ParsedArguments;
  if (value === null) return { ok: true, value: {} };
  if (typeof value === "string") {
    const inner = parseJsonText(value);
    if (inner.ok && isObject(inner.value)) return { ok: true, value: inner.value, repaired: wholeText };
  }
  return refused(`they are JSON of type ${typeOf(value)}`);
}

function copied(given: object): ParsedArguments {
  try {
    const parsed = parseJsonText(JSON.stringify(given));
    if (!parsed.ok) return refused(parsed.reason);
    return isObject(parsed.value)
      ? { ok: true, value: parsed.value }
      : refused(`they are JSON of type ${typeOf(parsed.value)}`);
  } catch {
    return refused("they cannot be written as JSON");
  }
}

function refused(reason: string): ParsedArguments {
  return {
    ok: false,
    message: `The arguments are no JSON object: ${reason}. Send one JSON object, complete and without text around it.`,
  };
}
