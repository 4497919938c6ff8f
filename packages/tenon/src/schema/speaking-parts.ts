import { branchOf, partsOf } from "./schema-walk.js";
import { isObject } from "../util/is-object.js";
import { targetOf, type SchemaNode, type SchemaObject } from "./schema-node.js";

/**
 * All parts of a schema that may say something of a value, those that they refer to included. Where it is not clear which branch
 * of a union or of a condition is meant, it is all of them: what one of them calls sensitive is not shown.
 */
export function speakingParts(
  root: SchemaObject,
  nodes: Iterable<SchemaNode>,
  value: unknown,
): ReadonlySet<SchemaObject> {
  const found = new Set<SchemaObject>();
  const add = (node: SchemaNode | undefined): void => {
    if (!isObject(node) || found.has(node)) return;
    found.add(node);
    if (node.$ref !== undefined) add(targetOf(root, node));
    if (node.allOf !== undefined) {
      const meant = partsOf(node, value);
      for (const part of meant.length > 0 ? meant : node.allOf) add(part);
    }
    for (const branches of [node.anyOf, node.oneOf]) {
      if (branches === undefined) continue;
      const index = branchOf(root, branches, value);
      if (index >= 0) add(branches[index]);
      else for (const branch of branches) add(branch);
    }
    add(node.then);
    add(node["else"] as SchemaNode | undefined);
    if (isObject(node["dependentSchemas"]))
      for (const part of Object.values(node["dependentSchemas"])) add(part as SchemaNode);
  };
  for (const node of nodes) add(node);
  return found;
}

/** What these parts say of one member of an object or list. */
export function* memberParts(parts: Iterable<SchemaObject>, key: string | number): Iterable<SchemaNode> {
  for (const part of parts) {
    const before = part.prefixItems?.length ?? 0;
    const named =
      typeof key === "number"
        ? [key < before ? part.prefixItems![key] : part.items, part["contains"], part["unevaluatedItems"]]
        : [...namedParts(part, key), part["unevaluatedProperties"]];
    for (const node of named) if (isObject(node)) yield node;
  }
}

/** Whether one of these parts calls its values sensitive. */
export function areSensitive(parts: Iterable<SchemaObject>): boolean {
  for (const part of parts) if (part.sensitive === true) return true;
  return false;
}

function namedParts(part: SchemaObject, key: string): readonly (SchemaNode | undefined)[] {
  const own = part.properties !== undefined && Object.hasOwn(part.properties, key) ? [part.properties[key]] : [];
  const all = [...own, ...patternsOf(part).flatMap(({ pattern, node }) => (pattern.test(key) ? [node] : []))];
  return all.length === 0 ? [part.additionalProperties] : all;
}

interface Pattern {
  readonly pattern: RegExp;
  readonly node: SchemaNode;
}

const noPatterns: readonly Pattern[] = [];
const patterns: WeakMap<SchemaObject, readonly Pattern[]> = new WeakMap();

function patternsOf(part: SchemaObject): readonly Pattern[] {
  if (part.patternProperties === undefined) return noPatterns;
  let made = patterns.get(part);
  if (made === undefined) {
    made = Object.entries(part.patternProperties).map(([text, node]) => ({ pattern: patternOf(text), node }));
    patterns.set(part, made);
  }
  return made;
}

/** One that cannot be read here means every name. */
function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    return /(?:)/;
  }
}
