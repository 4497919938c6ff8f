import { SchemaError } from "../errors/assembly-errors.js";
import type { Repair } from "../protocol/event.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import { checkCopy } from "./check-copy.js";
import { checkMessage } from "./check-message.js";
import type { Checked } from "./compiled-schema.js";
import { defaultFaults } from "./default-faults.js";
import type { Dto } from "./dto.js";
import { dtoPicker } from "./dto-value.js";
import { defaultsOf } from "./fill-defaults.js";
import { maskOf } from "./mask-value.js";
import { repairValue } from "./repair-value.js";
import type { SchemaObject } from "./schema-node.js";
import type { Use } from "./use.js";
import { validatorOf, type Validator } from "./validator.js";

/** What every kind of schema can do with JSON alone, synchronously. */
export interface Checker {
  readonly fills: boolean;
  readonly check: (value: unknown) => Checked;
  readonly mask: (input: JsonValue) => JsonValue;
}

/** Shared by all checks that repaired nothing. */
export const noRepairs: readonly Repair[] = Object.freeze([]);

/**
 * The checker of an exported schema: of a DTO, of a library, whose own check comes after this one, or of a JSON Schema that was
 * given. Throws SchemaError for what cannot be compiled.
 */
export function checkerOf(json: JsonObject, use: Use, of: Dto | "library" | "given"): Checker {
  const root = checkCopy(json, of === "library");
  const faults = defaultFaults(root, typeof of !== "object");
  if (faults.length > 0)
    throw new SchemaError(
      "A default does not fit its own field",
      `${(of as Dto).name}: ${faults.join("; ")}`,
      "Change the default or the bounds.",
    );
  const fill = defaultsOf(root);
  const pick = use === "output" && typeof of === "object" ? dtoPicker(of) : undefined;
  const { accepts, errors } = compiled(root);

  const check = (given: unknown): Checked => {
    try {
      let value = pick === undefined ? given : pick(given);
      fill?.(value);
      if (accepts(value)) return { ok: true, input: value as JsonValue, repairs: noRepairs };
      const repairs: Repair[] = [];
      value = repairValue(root, value, use === "output", repairs);
      if (repairs.length > 0) {
        fill?.(value);
        if (accepts(value)) return { ok: true, input: value as JsonValue, repairs };
      }
      return { ok: false, message: checkMessage(root, value, errors(value), use) };
    } catch {
      // Too deep for the stack, too many errors to hold, or no JSON at all.
      return {
        ok: false,
        message: `${use}: does not fit its schema, and is too deep, too large or too odd to say where`,
      };
    }
  };
  return { fills: fill !== undefined, check, mask: maskOf(root) };
}

function compiled(root: SchemaObject): Validator {
  try {
    return validatorOf(root);
  } catch (cause) {
    if (SchemaError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError(
      "A schema cannot be compiled",
      reason,
      "Give a schema that is valid JSON Schema, draft 2020-12.",
      cause,
    );
  }
}
