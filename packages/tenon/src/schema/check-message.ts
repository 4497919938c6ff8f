import { describePart } from "./describe-part.js";
import type { KeywordError } from "./keyword-error.js";
import { isObject } from "../util/is-object.js";
import { pointerSteps, targetOf, typeOf, type SchemaNode, type SchemaObject } from "./schema-node.js";
import { branchOf, memberOf, shapesOf, typesOf } from "./schema-walk.js";
import { areSensitive, memberParts, speakingParts } from "./speaking-parts.js";
import { memberPath, shortText } from "./value-path.js";

const maxMessage = 1_800;
/** Errors beyond these could not be shown anyway. */
const maxErrors = 1_000;
/** Keywords that only say that something inside them failed. */
const wrappers = new Set([
  "$ref",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "unevaluatedItems",
  "allOf",
  "if",
  "dependentSchemas",
  "propertyNames",
]);

/** One place in the value, and what the schema says of it. */
interface Place {
  readonly path: string;
  readonly node: SchemaNode | undefined;
  readonly value: unknown;
  readonly sensitive: boolean;
  /** The names known beside this one, where it is not known itself. */
  readonly known: readonly string[];
}

/** Says where a value does not fit, what was expected and what was got: a line for each path, under 2,000 characters in all. */
export function checkMessage(
  root: SchemaObject,
  value: unknown,
  errors: readonly KeywordError[],
  name: string,
): string {
  const lines = new Map<string, string>();
  for (const { instanceLocation, keyword } of relevant(root, value, errors.slice(0, maxErrors))) {
    const place = placeAt(root, value, pointerSteps(instanceLocation));
    const path = shortText(place.path === "" ? name : place.path, 200);
    if (keyword === "required") {
      for (const [at, wanted] of missingAt(root, place)) lines.set(at, `${at}: is required (${wanted})`);
    } else if (!lines.has(path)) lines.set(path, `${path}: ${faultAt(root, place, keyword)}`);
  }
  return joined(lines.size === 0 ? [`${name}: does not fit its schema`] : [...lines.values()]);
}

/** Joins lines as far as they fit and says how many are left out. */
export function joined(lines: readonly string[]): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    const next = text === "" ? shortText(line, 900) : `${text}\n${shortText(line, 900)}`;
    if (next.length > maxMessage) return `${text}\n… and ${lines.length - index} more`;
    text = next;
  }
  return text;
}

/** Leaves out wrappers and, in a union, the branches that the value was not meant for. */
function* relevant(root: SchemaObject, value: unknown, errors: readonly KeywordError[]): Generator<KeywordError> {
  const unions: { readonly at: string; readonly under: string; readonly meant: string }[] = [];
  let left = false;
  for (const error of errors) {
    const { instanceLocation, keywordLocation, keyword } = error;
    // The interpreter gives `false` the location of the value; it follows the wrapper it belongs to.
    if (keyword !== "false")
      left = unions.some(
        ({ at, under, meant }) =>
          instanceLocation.startsWith(at) && keywordLocation.startsWith(under) && !keywordLocation.startsWith(meant),
      );
    if (left || wrappers.has(keyword)) continue;
    if (keyword === "anyOf" || keyword === "oneOf") {
      const place = placeAt(root, value, pointerSteps(instanceLocation));
      const branches =
        shapesOf(root, place.node, place.value).find((shape) => shape[keyword] !== undefined)?.[keyword] ?? [];
      const index = branchOf(root, branches, place.value);
      unions.push({ at: instanceLocation, under: `${keywordLocation}/`, meant: `${keywordLocation}/${index}/` });
      if (index >= 0) continue;
    }
    yield error;
  }
}

function placeAt(root: SchemaObject, value: unknown, steps: readonly string[]): Place {
  let path = "";
  let node: SchemaNode | undefined = root;
  let parts = speakingParts(root, [root], value);
  let sensitive = areSensitive(parts);
  let known: readonly string[] = [];
  let at = value;
  for (const step of steps) {
    const key = Array.isArray(at) ? Number(step) : step;
    path = memberPath(path, key);
    const shapes = shapesOf(root, node, at);
    known = [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties ?? {})))];
    node = shapes.map((shape) => memberOf(shape, key)).find((member) => typeof member === "object");
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string | number, unknown>)[key]
        : undefined;
    parts = speakingParts(root, memberParts(parts, key), at);
    sensitive ||= areSensitive(parts);
  }
  return { path, node, value: at, sensitive, known };
}

function* missingAt(root: SchemaObject, { path, node, value }: Place): Generator<[at: string, wanted: string]> {
  for (const shape of shapesOf(root, node, value)) {
    for (const key of shape.required ?? []) {
      if (!Object.hasOwn(value as object, key))
        yield [shortText(memberPath(path, key), 200), describePart(root, memberOf(shape, key))];
    }
  }
}

function faultAt(root: SchemaObject, { node, value, sensitive, known }: Place, keyword: string): string {
  if (keyword === "false")
    return known.length === 0 ? "is not allowed" : `is not allowed; known are ${shortText(known.join(", "), 240)}`;
  const wanted = describePart(root, node);
  if (keyword === "not" || keyword === "contains" || keyword.startsWith("dependent"))
    return `does not fit the rule \`${keyword}\``;
  return `expected ${wanted}, got ${shown(root, node, value, sensitive)}`;
}

function shown(root: SchemaObject, node: SchemaNode | undefined, value: unknown, sensitive: boolean): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return "an object";
  if (sensitive) return value === null ? "null" : `a ${typeOf(value)} that is not shown`;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `${String(value)}, beyond the safe range`;
  if (typeof value !== "string") return shortText(String(value), 40);
  // Text in place of an object may hold its sensitive fields.
  const types = typesOf(root, node);
  const isForScalar =
    types === undefined
      ? targetOf(root, node).anyOf === undefined
      : types.some((type) => type !== "object" && type !== "array" && type !== "null");
  return isForScalar ? JSON.stringify(shortText(value, 60)) : `a string of ${value.length} characters`;
}
