import { SchemaError } from "../errors/assembly-errors.js";
import type { Repair } from "../protocol/event.js";
import type { JsonObject, JsonValue } from "../protocol/json.js";
import { isPromise, type Maybe } from "../util/class.js";
import { checkCopy } from "./check-copy.js";
import { checkMessage } from "./check-message.js";
import type { Checked, CompiledSchema } from "./compiled-schema.js";
import { defaultFaults } from "./default-faults.js";
import { dtoOf, type Dto } from "./dto.js";
import { dtoMaker, dtoPicker } from "./dto-value.js";
import { defaultsOf } from "./fill-defaults.js";
import { asDto, isStandard, jsonSchemaOf } from "./json-schema.js";
import { maskOf } from "./mask-value.js";
import { repairValue } from "./repair-value.js";
import type { Schema } from "./schema.js";
import { standardFault, standardValue } from "./standard-check.js";
import { validatorOf } from "./validator.js";

export { loadValidator } from "./validator.js";

type Use = "input" | "output";

const compiled: Record<Use, WeakMap<object, CompiledSchema>> = { input: new WeakMap(), output: new WeakMap() };
const noRepairs: readonly Repair[] = Object.freeze([]);
/** The key of "no schema" in the memo. */
const none: object = {};

/**
 * Makes a schema ready to check values; once per schema and use. `loadValidator` must have been awaited. Throws SchemaError
 * for what cannot be exported or compiled.
 *
 * - `input`: what a model sends. Faithful repairs and defaults; `undefined` takes no arguments.
 * - `output`: what a handler returned, as JSON. Nulls and defaults as for input, no other repair; members that a DTO does not
 *   declare are left out before the check, so that a DTO says exactly what is told. `undefined` takes anything.
 */
export function compileSchema(schema: Schema | undefined, use: Use): CompiledSchema {
  const memo = compiled[use];
  const found = memo.get(schema ?? none);
  if (found !== undefined) return found;
  const made = schema === undefined && use === "output" ? anything() : compile(schema, use);
  memo.set(schema ?? none, made);
  return made;
}

function compile(schema: Schema | undefined, use: Use): CompiledSchema {
  const json = jsonSchemaOf(schema);
  if (isStandard(schema)) {
    const { check, mask } = checkerOf(json, use, undefined, true);
    const withLibrary = (value: unknown): Maybe<Checked> => {
      const checked = check(value);
      if (!checked.ok) return checked;
      const fault = standardFault(schema, checked.input, use);
      return isPromise(fault) ? fault.then((message) => combined(checked, message)) : combined(checked, fault);
    };
    return { json, check: withLibrary, toValue: (input) => standardValue(schema, input), mask };
  }
  const dto = schema === undefined ? undefined : dtoOf(asDto(schema));
  const toValue = dto === undefined ? (): unknown => ({}) : dtoMaker(dto);
  return { json, ...checkerOf(json, use, dto, false), toValue };
}

function combined(checked: Checked, message: string | undefined): Checked {
  return message === undefined ? checked : { ok: false, message };
}

function checkerOf(json: JsonObject, use: Use, dto: Dto | undefined, isLibrary: boolean): { check(value: unknown): Checked; mask(input: JsonValue): JsonValue } {
  const root = checkCopy(json, !isLibrary);
  const faults = defaultFaults(root, isLibrary);
  if (faults.length > 0) throw new SchemaError("A default does not fit its own field", `${dto?.name ?? "schema"}: ${faults.join("; ")}`, "Change the default or the bounds.");
  const fill = defaultsOf(root);
  const pick = use === "output" && dto !== undefined ? dtoPicker(dto) : undefined;
  let validator: ReturnType<typeof validatorOf>;
  try {
    validator = validatorOf(root);
  } catch (cause) {
    if (SchemaError.is(cause)) throw cause;
    throw new SchemaError("A schema cannot be compiled", cause instanceof Error ? cause.message : String(cause), "Give a schema that is valid JSON Schema, draft 2020-12.", cause);
  }
  const { accepts, errors } = validator;

  function check(given: unknown): Checked {
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
      return { ok: false, message: `${use}: does not fit its schema, and is too deep, too large or too odd to say where` };
    }
  }
  return { check, mask: maskOf(root) };
}

function anything(): CompiledSchema {
  return {
    json: Object.freeze({}),
    check: (value) => ({ ok: true, input: value as JsonValue, repairs: noRepairs }),
    toValue: (input) => input,
    mask: (input) => input,
  };
}
