import type { JsonObject, JsonValue } from "tenon";

/** DTO classes cannot say what a schema says; the message says what. */
export class NotSaid extends Error {}

/** Keywords that describe and refuse nothing. Keywords that nobody defined refuse nothing either. */
const REFUSES = new Set(
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format items
   additionalItems prefixItems contains minContains maxContains maxItems minItems uniqueItems maxProperties minProperties
   required properties patternProperties additionalProperties propertyNames dependencies dependentRequired dependentSchemas
   unevaluatedItems unevaluatedProperties allOf anyOf oneOf not if then else $ref $dynamicRef $recursiveRef`.split(
    /\s+/,
  ),
);

/** Whether a JSON value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws `NotSaid` where a part of a schema refuses values by another keyword than these. */
export function onlyHas(node: JsonObject, ...keywords: readonly string[]): void {
  for (const keyword of Object.keys(node))
    if (REFUSES.has(keyword) && !keywords.includes(keyword)) throw new NotSaid(`it uses \`${keyword}\``);
}

/** A copy without these keywords. */
export function without(
  node: JsonObject,
  ...keywords: readonly string[]
): { [keyword: string]: JsonValue | undefined } {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => !keywords.includes(keyword)));
}

/** A part of a schema with its references followed. */
export interface SchemaPart {
  /** The part that is referred to: the same object each time. */
  readonly target: JsonObject;
  /** The same with the words that stand beside the reference. */
  readonly node: JsonObject;
}

/** Follows the references of a part within its schema. Throws `NotSaid` for one that leads nowhere or in a circle. */
export function schemaAt(root: JsonObject, part: JsonValue | undefined): SchemaPart {
  let target: JsonValue | undefined = part;
  let beside: JsonObject = {};
  for (let hops = 0; hops < 20; hops++) {
    if (target === true) target = {};
    if (!isObject(target)) throw new NotSaid("a part of it takes no value at all");
    if (target["$ref"] === undefined) {
      const all = target["allOf"] as readonly JsonValue[] | undefined;
      const only: JsonValue | undefined = Array.isArray(all) && all.length === 1 ? (all[0] as JsonValue) : undefined;
      if (only === undefined) return { target, node: hops === 0 ? target : { ...target, ...beside } };
      // What a single `allOf` says, it could say without.
      const words = without(target, "allOf");
      onlyHas(words);
      beside = { ...words, ...beside };
      target = only;
      continue;
    }
    const { $ref: reference, ...words } = target;
    onlyHas(words);
    beside = { ...words, ...beside };
    target = pointed(root, reference);
  }
  throw new NotSaid("its references go in a circle");
}

function pointed(root: JsonObject, reference: JsonValue | undefined): JsonValue | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#")) throw new NotSaid("it refers to another schema");
  let at: JsonValue | undefined = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) throw new NotSaid("it refers to nothing");
    at = (at as JsonObject)[name];
  }
  return at;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
