import { SchemaError } from "../errors/assembly-errors.js";
import type { JsonObject } from "../protocol/json.js";
import { isClass, type Class } from "../util/class.js";
import { dtoOf } from "./dto.js";
import { dtoJson } from "./dto-json.js";
import type { JsonSchemaGiver, Schema } from "./schema.js";
import { standardJson } from "./standard-json.js";

const exported = new WeakMap<object, JsonObject>();
const noArguments = deepFreeze({ type: "object", properties: {}, additionalProperties: false }) as JsonObject;

/**
 * The JSON Schema (draft 2020-12) of what a model may send: always an object with `properties`, frozen, made once per schema.
 * `undefined` is the schema of no arguments. Needs no validator. Throws SchemaError for what cannot be exported.
 */
export function jsonSchemaOf(schema: Schema | undefined): JsonObject {
  if (schema === undefined) return noArguments;
  const found = exported.get(schema);
  if (found !== undefined) return found;
  const json = deepFreeze(isStandard(schema) ? standardJson(schema) : dtoJson(dtoOf(asDto(schema)))) as JsonObject;
  exported.set(schema, json);
  return json;
}

/** Tells a Standard Schema that gives JSON Schema from a DTO class. Throws SchemaError for one that does not give it. */
export function isStandard(schema: unknown): schema is Extract<Schema, JsonSchemaGiver> {
  const isHolder = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  const standard = isHolder ? (schema as { "~standard"?: unknown })["~standard"] : undefined;
  if (typeof standard !== "object" || standard === null) return false;
  const { jsonSchema, validate, vendor } = standard as {
    jsonSchema?: { input?: unknown } | undefined;
    validate?: unknown;
    vendor?: unknown;
  };
  if (typeof jsonSchema?.input === "function" && typeof validate === "function") return true;
  throw new SchemaError(
    "A Standard Schema that gives no JSON Schema cannot be told to a model",
    String(vendor),
    "Use a library version that has `~standard.jsonSchema` (Zod 4 has), or a DTO class.",
  );
}

/** The class as a DTO class. Throws SchemaError for anything else. */
export function asDto(schema: unknown): Class<object> {
  if (isClass(schema)) return schema as Class<object>;
  throw new SchemaError(
    "What is used as a schema is neither a DTO class nor a Standard Schema",
    typeof schema,
    "Give a class with decorated fields, or a schema of a library such as Zod.",
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
