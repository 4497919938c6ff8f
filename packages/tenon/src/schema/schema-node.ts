import type { JsonValue } from "../protocol/json.js";
import { isObject } from "../util/is-object.js";

/** A JSON Schema, or one part of it. */
export type SchemaNode = boolean | SchemaObject;

/** The keywords that this folder reads; others are carried along. */
export interface SchemaObject {
  $ref?: string | undefined;
  $defs?: Record<string, SchemaNode> | undefined;
  type?: string | readonly string[] | undefined;
  properties?: Record<string, SchemaNode> | undefined;
  patternProperties?: Record<string, SchemaNode> | undefined;
  additionalProperties?: SchemaNode | undefined;
  required?: readonly string[] | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  items?: SchemaNode | undefined;
  prefixItems?: readonly SchemaNode[] | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean | undefined;
  anyOf?: readonly SchemaNode[] | undefined;
  oneOf?: readonly SchemaNode[] | undefined;
  allOf?: readonly SchemaNode[] | undefined;
  if?: SchemaNode | undefined;
  then?: SchemaNode | undefined;
  enum?: readonly JsonValue[] | undefined;
  const?: JsonValue | undefined;
  default?: JsonValue | undefined;
  description?: string | undefined;
  format?: string | undefined;
  pattern?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  exclusiveMaximum?: number | undefined;
  multipleOf?: number | undefined;
  /** Only in the copy that is checked against: the value is not shown. */
  sensitive?: boolean | undefined;
  /** Only in the copy that is checked against: this member decides which part of `allOf`, each an `if` and a `then`, is meant. */
  by?: string | undefined;
  [keyword: string]: unknown;
}

/** The keywords that hold one schema, a list of them, or named ones. */
export const schemaKeywords: {
  readonly one: ReadonlySet<string>;
  readonly several: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
} = {
  one: new Set([
    "items",
    "contains",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
  ]),
  several: new Set(["prefixItems", "allOf", "anyOf", "oneOf"]),
  named: new Set(["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"]),
};
const { one, several, named } = schemaKeywords;

/** A copy of a schema in which `change` was applied to each part, inner parts first. Values in it (defaults, enums) are shared. */
export function mapSchema(node: SchemaNode, change: (copy: SchemaObject, original: SchemaObject) => void): SchemaNode {
  if (typeof node !== "object" || node === null) return node;
  const copy: SchemaObject = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (one.has(keyword)) copy[keyword] = mapSchema(value as SchemaNode, change);
    else if (several.has(keyword) && Array.isArray(value))
      copy[keyword] = value.map((part: SchemaNode) => mapSchema(part, change));
    else if (named.has(keyword) && isObject(value)) {
      const parts: Record<string, SchemaNode> = {};
      for (const [name, part] of Object.entries(value)) {
        if (name === "__proto__") throw new Error("a property cannot be named __proto__");
        parts[name] = mapSchema(part as SchemaNode, change);
      }
      copy[keyword] = parts;
    } else copy[keyword] = value;
  }
  change(copy, node);
  return copy;
}

/** The part that a chain of local references leads to. Throws where there is none. */
export function targetOf(root: SchemaObject, node: SchemaNode | undefined): SchemaObject {
  let found: unknown = node;
  for (let hops = 0; isObject(found) && typeof found["$ref"] === "string"; hops++) {
    const ref: string = found["$ref"];
    if (hops > 32 || (ref !== "#" && !ref.startsWith("#/")))
      throw new Error(`the reference ${ref} leads to no part of the schema`);
    found = root;
    for (const step of pointerSteps(ref))
      found =
        (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, step)
          ? (found as Record<string, unknown>)[step]
          : undefined;
    if (found === undefined) throw new Error(`the reference ${ref} leads to no part of the schema`);
  }
  return isObject(found) ? found : {};
}

/** The steps of a JSON pointer in its fragment form. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The JSON Schema type of a JSON value; an integer is a `number`. */
export function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
