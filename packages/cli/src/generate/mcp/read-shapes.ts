import type { JsonObject, JsonValue } from "tenon";
import { pascalCase, type ClassNames } from "../source-names.js";
import { defaultOf } from "./fitting-default.js";
import { countOf, readScalar } from "./read-scalar.js";
import { schemaAt, without, isObject, NotSaid, onlyHas } from "./schema-part.js";
import type { DtoReference, DtoShape, FieldShape, Shape } from "./shape.js";

/** Names that no field of a class can have, or that would hide what objects have. */
const BAD_NAMES = new Set(["__proto__", ...Object.getOwnPropertyNames(Object.prototype)]);

/**
 * A JSON Schema of an object as the DTO classes that say the same, in the order in which they are to be written: the last one
 * is that of the root. `open`: whether an object that does not say so takes members that are not named; a DTO takes none.
 * Throws `NotSaid` where classes cannot say what the schema says.
 */
export function readShapes(root: JsonObject, reading: Reading): readonly DtoShape[] {
  const reader = new ShapeReader(root, reading);
  reader.readObject(root, root, reading.name);
  return reader.dtos;
}

/** How a schema is read. */
export interface Reading {
  /** The name of the root's class. */
  readonly name: string;
  /** What the names of the other classes begin with. */
  readonly prefix: string;
  readonly names: ClassNames;
  readonly open: boolean;
  /** Defaults are taken although it is not sure that they have their format. */
  readonly trusted: boolean;
}

class ShapeReader {
  readonly dtos: DtoShape[] = [];
  readonly #root: JsonObject;
  readonly #reading: Reading;
  /** The classes of schemas that were met, by the schema itself: a part that is referred to twice is one class. */
  readonly #known = new Map<JsonObject, { readonly name: string; done: boolean }>();
  #within = new Set<JsonObject>();

  constructor(root: JsonObject, reading: Reading) {
    this.#root = root;
    this.#reading = reading;
  }

  readObject(key: JsonObject, node: JsonObject, name: string): DtoReference {
    const known = this.#known.get(key);
    if (known !== undefined) return { name: known.name, later: !known.done };
    const entry = { name, done: false };
    this.#known.set(key, entry);
    const around = this.#within;
    this.#within = new Set();
    onlyHas(node, "type", "properties", "required", "additionalProperties");
    const { type, properties = {}, required = [], additionalProperties } = node;
    if ((type !== undefined && type !== "object") || !isObject(properties) || !Array.isArray(required))
      throw new NotSaid("an object is described in an unusual way");
    if (additionalProperties !== false && (this.#reading.open || additionalProperties !== undefined))
      throw new NotSaid("an object takes members that are not named");
    const wanted: readonly unknown[] = required;
    if (!wanted.every((member) => typeof member === "string" && Object.hasOwn(properties, member)))
      throw new NotSaid("a member is required and not described");
    const fields = Object.entries(properties).map(([member, part]) =>
      this.#field(member, part, wanted.includes(member)),
    );
    if (fields.length === 0) throw new NotSaid("an object has no members");
    this.dtos.push({ name, fields });
    entry.done = true;
    this.#within = around;
    return { name, later: false };
  }

  #field(key: string, part: JsonValue | undefined, required: boolean): FieldShape {
    if (BAD_NAMES.has(key)) throw new NotSaid("a member has a name that no field can have");
    const holds = this.#shape(part, key);
    return { key, holds, optional: !required && holds.default === undefined };
  }

  #shape(part: JsonValue | undefined, key: string): Shape {
    const { target, node } = schemaAt(this.#root, part);
    const prompt = typeof node["description"] === "string" ? node["description"] : undefined;
    const shape = this.#bare(target, node, key);
    const given = node["default"];
    if (given === undefined) return { ...shape, prompt };
    const fallback = defaultOf(shape, given, this.#reading.trusted);
    if (fallback !== undefined) return { ...shape, prompt, default: fallback };
    // One that is null says that there is none.
    const told = given === null ? undefined : `Default: ${JSON.stringify(given)}`;
    return { ...shape, prompt: [prompt, told].filter((text) => text !== undefined).join("\n") || undefined };
  }

  #bare(target: JsonObject, node: JsonObject, key: string): Shape {
    const branches = node["anyOf"] ?? node["oneOf"];
    if (branches !== undefined) return this.#union(node, branches, key);
    const { type } = node;
    const types = type === undefined ? undefined : [type].flat();
    const bare = types?.filter((one) => one !== "null");
    if (bare !== undefined && bare.length !== 1) throw new NotSaid("a value is of several types");
    const nullable = types !== undefined && types.length > 1 ? ({ nullable: true } as const) : {};
    const one = bare === undefined ? node : { ...node, type: bare[0] };
    const scalar = readScalar(one, nullable.nullable === true);
    if (scalar !== undefined) return scalar;
    if (one["type"] === "array" || (one["type"] === undefined && one["items"] !== undefined))
      return { ...this.#list(target, one, key), ...nullable };
    return { ...this.#object(target, one, key), ...nullable };
  }

  #list(target: JsonObject, node: JsonObject, key: string): Shape {
    onlyHas(node, "type", "items", "minItems", "maxItems", "uniqueItems");
    const item = this.#inside(target, () => this.#item(node["items"] ?? {}, key));
    const unique = node["uniqueItems"] === true ? ({ unique: true } as const) : {};
    return { kind: "ListOf", item, min: countOf(node["minItems"]), max: countOf(node["maxItems"]), ...unique };
  }

  #object(target: JsonObject, node: JsonObject, key: string): Shape {
    if (node["properties"] !== undefined)
      return { kind: "Nested", dto: this.readObject(target, node, this.#className(key)) };
    onlyHas(node, "type", "additionalProperties", "minProperties", "maxProperties", "propertyNames", "required");
    const { additionalProperties, propertyNames, required, minProperties, maxProperties } = node;
    const anyName = propertyNames === undefined || JSON.stringify(propertyNames) === '{"type":"string"}';
    if (node["type"] !== "object" || !anyName || additionalProperties === false)
      throw new NotSaid("an object is described in an unusual way");
    if (Array.isArray(required) && required.length > 0) throw new NotSaid("a member is required and not described");
    const item = this.#inside(target, () => this.#item(additionalProperties ?? {}, key));
    return { kind: "MapOf", item, min: countOf(minProperties), max: countOf(maxProperties) };
  }

  /** An item has no default of its own. */
  #item(part: JsonValue, key: string): Shape {
    const { default: _, ...shape } = this.#shape(part === true ? {} : part, key);
    return shape;
  }

  #union(node: JsonObject, given: JsonValue, key: string): Shape {
    if (!Array.isArray(given)) throw new NotSaid("a union is described in an unusual way");
    const branches = given.map((branch: JsonValue) => schemaAt(this.#root, branch));
    const rest = branches.filter(({ node: { type } }) => type !== "null");
    const nullable = rest.length < branches.length ? ({ nullable: true } as const) : {};
    const outside = without(node, "anyOf", "oneOf", "discriminator");
    if (outside["type"] === "object") delete outside["type"];
    onlyHas(outside);
    if (rest.length === 1) {
      const { target, node: inner } = rest[0]!;
      const shape = this.#inside(node, () => this.#bare(target, inner, key));
      const prompt = typeof inner["description"] === "string" ? inner["description"] : undefined;
      return { ...shape, prompt, ...nullable };
    }
    const by = telling(rest.map((branch) => branch.node));
    if (by === undefined) throw new NotSaid("a value is one of several, and no member tells which");
    const dtos = rest.map(({ target, node: inner }) =>
      this.readObject(target, inner, this.#className(`${key}_${String(valuesOf(inner, by)?.[0])}`)),
    );
    return { kind: "OneOf", dtos, by, ...nullable };
  }

  #className(key: string): string {
    return this.#reading.names.take(`${this.#reading.prefix}${pascalCase(key)}`.slice(0, 100), "Part");
  }

  /** Only an object can hold itself: a class has a name. */
  #inside<T>(node: JsonObject, read: () => T): T {
    if (this.#within.has(node)) throw new NotSaid("a part that is no object holds itself");
    this.#within.add(node);
    const made = read();
    this.#within.delete(node);
    return made;
  }
}

/** The member that tells objects apart: in each required, with values of its own. */
function telling(nodes: readonly JsonObject[]): string | undefined {
  const first = nodes[0]?.["properties"];
  return Object.keys(isObject(first) ? first : {}).find((key) => {
    const values = nodes.map((node) => valuesOf(node, key));
    const all = values.flatMap((some) => some ?? []);
    return values.every((some) => some !== undefined) && new Set(all).size === all.length;
  });
}

function valuesOf(node: JsonObject, key: string): readonly (string | number)[] | undefined {
  const { properties, required } = node;
  if (!isObject(properties) || !Array.isArray(required) || !required.includes(key)) return undefined;
  const member = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (!isObject(member)) return undefined;
  try {
    const shape = readScalar(member, false);
    return shape?.kind === "Choice" && shape.nullable !== true ? shape.values : undefined;
  } catch {
    return undefined;
  }
}
