import type { StandardSchemaV1 } from "@standard-schema/spec";
import { SchemaError } from "../errors/assembly-errors.js";
import { textOf } from "../errors/tenon-error.js";
import { isPromise, type Maybe } from "../util/class.js";
import { copyPlain } from "../util/copy-plain.js";
import { joined } from "./check-message.js";
import { memberPath, shortText } from "./value-path.js";

type Result = StandardSchemaV1.Result<unknown>;

/**
 * Asks a library's own `validate` about a copy. Undefined where it accepts, else what it says; a throw or a rejection is a
 * refusal.
 */
export function standardFault(schema: StandardSchemaV1, value: unknown, name: string): Maybe<string | undefined> {
  const threw = (thrown: unknown): string => `${name}: could not be checked (${shortText(textOf(thrown), 200)})`;
  try {
    const result = schema["~standard"].validate(copyPlain(value));
    return isPromise(result)
      ? result.then((settled) => faultOf(settled, name), threw).catch(threw)
      : faultOf(result, name);
  } catch (thrown) {
    return threw(thrown);
  }
}

/**
 * The library's output for a value that it accepted before, made of a copy: it may be the very value that it was given. Throws
 * what it throws, and a SchemaError where it now refuses; `name` is what the value is called there.
 */
export function standardValue(schema: StandardSchemaV1, value: unknown, name: string): Maybe<unknown> {
  const result = schema["~standard"].validate(copyPlain(value));
  return isPromise(result) ? result.then((settled) => outputOf(settled, name)) : outputOf(result, name);
}

function outputOf(result: Result, name: string): unknown {
  const fault = faultOf(result, name);
  if (fault !== undefined)
    throw new SchemaError(
      "A schema refused a value that it had accepted",
      fault,
      "Its checks must depend on nothing but the value.",
    );
  return (result as StandardSchemaV1.SuccessResult<unknown>).value;
}

function faultOf(result: Result, name: string): string | undefined {
  if (result.issues === undefined) return undefined;
  const lines = [...result.issues].map(({ message, path }) => {
    let at = "";
    for (const step of path ?? []) {
      const key = typeof step === "object" ? step.key : step;
      at = memberPath(at, typeof key === "number" ? key : String(key));
    }
    return `${shortText(at === "" ? name : at, 200)}: ${message}`;
  });
  return lines.length === 0 ? `${name}: does not fit its schema` : joined(lines);
}
