import { SchemaError } from "../errors/assembly-errors.js";
import type { JsonObject } from "../protocol/json.js";
import { isClass, type Class } from "../util/class.js";
import { freezeDeep } from "../util/freeze-deep.js";
import { dtoJson } from "./dto-json.js";
import { dtoOf } from "./dto-of.js";
import { isJsonSchemaSource } from "./json-schema-source.js";
import type { JsonSchemaGiver, Schema } from "./schema.js";
import { sourceJson } from "./source-json.js";
import { standardJson } from "./standard-json.js";
import type { Use } from "./use.js";
import { isValibot } from "./valibot-json.js";

const objects = new WeakMap<object, JsonObject>();
/** Of what a person answers, which need not be an object. */
const answers = new WeakMap<object, JsonObject>();
const noArguments = freezeDeep({ type: "object", properties: {}, additionalProperties: false }) as JsonObject;

/**
 * The JSON Schema (draft 2020-12) of what a model may send: frozen, made once per schema. Always an object with
 * `properties`, but for an answer, which may be anything. `undefined` is the schema of no arguments. Needs no validator, and of
 * `loadFor` only what a schema of Valibot needs. Throws SchemaError for what cannot be exported; it speaks of `use`.
 */
export function jsonSchemaOf(schema: Schema | undefined, use: Use = "input"): JsonObject {
  if (schema === undefined) return noArguments;
  const exported = use === "answer" ? answers : objects;
  const found = exported.get(schema);
  if (found !== undefined) return found;
  const json = freezeDeep(exportOf(schema, use)) as JsonObject;
  exported.set(schema, json);
  return json;
}

function exportOf(schema: Schema, use: Use): object {
  if (isStandard(schema)) return standardJson(schema, use);
  return isJsonSchemaSource(schema) ? sourceJson(schema, use) : dtoJson(dtoOf(asDto(schema), use));
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
  if (typeof validate === "function" && (typeof jsonSchema?.input === "function" || isValibot(schema))) return true;
  throw new SchemaError(
    "A Standard Schema that gives no JSON Schema cannot be used",
    String(vendor),
    "Use a library version that has `~standard.jsonSchema` (Zod 4.2 and ArkType 2.1.28 have), or a DTO class.",
  );
}

/** The class as a DTO class, for what is no schema of another kind. Throws SchemaError for anything else. */
export function asDto(schema: unknown): Class<object> {
  if (isClass(schema)) return schema as Class<object>;
  throw new SchemaError(
    "What is used as a schema is neither a DTO class nor a Standard Schema",
    typeof schema,
    "Give a class with decorated fields, a schema of a library such as Zod, or `jsonSchema({ … })`.",
  );
}
