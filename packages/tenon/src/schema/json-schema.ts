import { SchemaError } from "../errors/assembly-errors.js";
import type { JsonObject } from "../protocol/json.js";
import { isClass, type Class } from "../util/class.js";
import { freezeDeep } from "../util/freeze-deep.js";
import { dtoJson } from "./dto-json.js";
import { dtoOf } from "./dto-of.js";
import { isJsonSchemaSource } from "./json-schema-source.js";
import type { JsonSchemaGiver, Schema } from "./schema.js";
import type { Root } from "./object-json.js";
import { sourceJson } from "./source-json.js";
import { standardJson } from "./standard-json.js";
import { isValibot } from "./valibot-json.js";

const exported: Record<Root, WeakMap<object, JsonObject>> = { object: new WeakMap(), any: new WeakMap() };
const noArguments = freezeDeep({ type: "object", properties: {}, additionalProperties: false }) as JsonObject;

/**
 * The JSON Schema (draft 2020-12) of what a model may send: frozen, made once per schema. Always an object with
 * `properties`, unless `root` lets anything be there. `undefined` is the schema of no arguments. Needs no validator, and of `loadFor` only what a schema of Valibot needs. Throws
 * SchemaError for what cannot be exported.
 */
export function jsonSchemaOf(schema: Schema | undefined, root: Root = "object"): JsonObject {
  if (schema === undefined) return noArguments;
  const found = exported[root].get(schema);
  if (found !== undefined) return found;
  const json = freezeDeep(exportOf(schema, root)) as JsonObject;
  exported[root].set(schema, json);
  return json;
}

function exportOf(schema: Schema, root: Root): object {
  if (isStandard(schema)) return standardJson(schema, root);
  return isJsonSchemaSource(schema) ? sourceJson(schema, root) : dtoJson(dtoOf(asDto(schema)));
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
    "A Standard Schema that gives no JSON Schema cannot be told to a model",
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
