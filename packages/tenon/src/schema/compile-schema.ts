import type { JsonValue } from "../protocol/json.js";
import { isPromise, type Maybe } from "../util/class.js";
import { copyPlain } from "../util/copy-plain.js";
import { checkerOf, noRepairs } from "./checker.js";
import type { Checked, CompiledSchema } from "./compiled-schema.js";
import type { Dto } from "./dto.js";
import { dtoOf } from "./dto-of.js";
import { dtoMaker } from "./dto-value.js";
import { isJsonSchemaSource } from "./json-schema-source.js";
import { asDto, isStandard, jsonSchemaOf } from "./json-schema.js";
import type { Schema } from "./schema.js";
import { standardFault, standardValue } from "./standard-check.js";
import type { Use } from "./use.js";

export { loadValidator } from "./validator.js";

const compiled: Record<Use, WeakMap<object, CompiledSchema>> = {
  input: new WeakMap(),
  output: new WeakMap(),
  answer: new WeakMap(),
};
/** The key of "no schema" in the memo. */
const none: object = {};
const noFields: Dto = { of: Object, name: "no arguments", fields: [], recursive: false };

/**
 * Makes a schema ready to check values; once per schema and use. `loadFor([schema])` must have been awaited. Throws SchemaError
 * for what cannot be exported or compiled.
 *
 * - `input`: what a model sends. Faithful repairs and defaults; `undefined` takes no arguments.
 * - `output`: what a handler returned, as JSON. Nulls and defaults as for input, no other repair; members that a DTO does not
 *   declare are left out before the check, so that a DTO says exactly what is told. `undefined` takes anything.
 * - `answer`: what a person answers. As input, but it need not be an object.
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
  const json = jsonSchemaOf(schema, use);
  if (isStandard(schema)) {
    const checker = checkerOf(json, use, "library");
    const check = (value: unknown): Maybe<Checked> => {
      const checked = checker.check(value);
      if (!checked.ok) return checked;
      const fault = standardFault(schema, checked.input, use);
      return isPromise(fault) ? fault.then((message) => combined(checked, message)) : combined(checked, fault);
    };
    return {
      json,
      fills: checker.fills,
      check,
      toValue: (input) => standardValue(schema, input, use),
      mask: checker.mask,
    };
  }
  if (isJsonSchemaSource(schema)) return { json, ...checkerOf(json, use, "given"), toValue: copyPlain };
  const dto = schema === undefined ? noFields : dtoOf(asDto(schema), use);
  return { json, ...checkerOf(json, use, dto), toValue: schema === undefined ? (): unknown => ({}) : dtoMaker(dto) };
}

function combined(checked: Checked, message: string | undefined): Checked {
  return message === undefined ? checked : { ok: false, message };
}

function anything(): CompiledSchema {
  return {
    json: Object.freeze({}),
    fills: false,
    check: (value) => ({ ok: true, input: value as JsonValue, repairs: noRepairs }),
    toValue: (input) => input,
    mask: (input) => input,
  };
}
