import { allowsNull, typesOf } from "../schema/schema-walk.js";
import { isObject } from "../util/is-object.js";
import { targetOf, type SchemaNode, type SchemaObject } from "../schema/schema-node.js";
import { memberPath, noteOf, withNotes, type LostList } from "./lost-parts.js";

const FORMATS = new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]);
/** Sent as they are. */
const KEPT = new Set([
  "type",
  "title",
  "enum",
  "const",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
]);
/** What only narrows a value: said in words instead. */
const IN_WORDS = new Set(["minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "default"]);
/** What says nothing of the value. */
const REMARKS = new Set(["$comment", "examples", "deprecated", "readOnly", "writeOnly", "$schema", "$id", "$anchor"]);
const MOST_PROPERTIES = 5_000;
const MOST_VALUES = 1_000;
const DEEPEST = 10;

/** Why a schema cannot be strict. */
class NotStrict extends Error {}

/**
 * The schema in the form in which OpenAI holds a model to it: every object closed, all members required, optional ones nullable
 * (a `null` for one of those is read as absent). A text says why a schema has no such form.
 */
export function toStrictSchema(root: SchemaObject, lost: LostList): SchemaObject | string {
  try {
    return new StrictForm(root, lost).make();
  } catch (thrown) {
    if (thrown instanceof NotStrict) return thrown.message;
    throw thrown;
  }
}

class StrictForm {
  readonly #root: SchemaObject;
  readonly #lost: LostList;
  #properties = 0;
  #values = 0;

  constructor(root: SchemaObject, lost: LostList) {
    this.#root = root;
    this.#lost = lost;
  }

  make(): SchemaObject {
    const { $defs, definitions, ...rest } = this.#root;
    const strict = this.#part(rest, "", 0);
    for (const [keyword, parts] of [
      ["$defs", $defs],
      ["definitions", definitions],
    ] as const)
      if (isObject(parts))
        strict[keyword] = Object.fromEntries(
          Object.entries(parts).map(([name, part]) => [name, this.#part(part as SchemaNode, `${keyword}.${name}`, 1)]),
        );
    return strict;
  }

  #part(node: SchemaNode, path: string, depth: number): SchemaObject {
    if (typeof node === "boolean") throw new NotStrict(`${at(path)} may be anything`);
    if (depth > DEEPEST) throw new NotStrict(`${at(path)} is nested more than ${DEEPEST} levels deep`);
    const { $ref, description } = node;
    if ($ref !== undefined) {
      targetOf(this.#root, node);
      // A reference has nothing beside it there.
      return description === undefined ? { $ref } : { anyOf: [{ $ref }], description };
    }
    const strict: SchemaObject = {};
    const notes: string[] = [];
    for (const keyword of Object.keys(node)) this.#keyword(strict, node, keyword, path, depth, notes);
    if (strict.type === undefined && strict.anyOf === undefined) {
      const types = typesOf(this.#root, node);
      if (types === undefined) throw new NotStrict(`${at(path)} may be anything`);
      strict.type = types.length === 1 ? types[0]! : types;
    }
    if (hasType(strict, "object") && node.additionalProperties !== false)
      throw new NotStrict(`${at(path)} is an open object`);
    if (hasType(strict, "object") && strict.properties === undefined)
      Object.assign(strict, { properties: {}, required: [] });
    if (hasType(strict, "array") && strict.items === undefined)
      throw new NotStrict(`${at(path)} is a list of anything`);
    const noted = withNotes(description, notes);
    if (noted !== undefined) strict.description = noted;
    return strict;
  }

  #keyword(
    strict: SchemaObject,
    node: SchemaObject,
    keyword: string,
    path: string,
    depth: number,
    notes: string[],
  ): void {
    const value: unknown = node[keyword];
    const drop = (): void => {
      this.#lost.add(path, keyword);
      notes.push(noteOf(keyword, value));
    };
    if (value === undefined || keyword === "description" || keyword === "required" || REMARKS.has(keyword)) return;
    if (keyword === "enum" && (this.#values += (value as unknown[]).length) > MOST_VALUES)
      throw new NotStrict(`it has more than ${MOST_VALUES} enum values`);
    if (KEPT.has(keyword)) strict[keyword] = value;
    else if (IN_WORDS.has(keyword)) drop();
    else if (keyword === "format") {
      if (FORMATS.has(value as string)) strict.format = value as string;
      else drop();
    } else if (keyword === "pattern") {
      // Their expressions know no assertions and no classes of Unicode.
      if (/\(\?|\\[pPbBk]/.test(value as string)) drop();
      else strict.pattern = value as string;
    } else if (keyword === "additionalProperties") strict.additionalProperties = value as SchemaNode;
    else if (keyword === "properties") this.#members(strict, node, path, depth);
    else if (keyword === "items") strict.items = this.#part(value as SchemaNode, `${path}[]`, depth + 1);
    else if (keyword === "anyOf" || keyword === "oneOf") {
      if (strict.anyOf !== undefined) throw new NotStrict(`${at(path)} has two unions`);
      if (keyword === "oneOf") this.#lost.add(path, "oneOf, sent as anyOf");
      strict.anyOf = (value as readonly SchemaNode[]).map((branch) => this.#part(branch, path, depth + 1));
    } else throw new NotStrict(`${at(path)} has \`${keyword}\``);
  }

  #members(strict: SchemaObject, node: SchemaObject, path: string, depth: number): void {
    const required = new Set(node.required);
    const members = Object.entries(node.properties!);
    this.#properties += members.length;
    if (this.#properties > MOST_PROPERTIES) throw new NotStrict(`it has more than ${MOST_PROPERTIES} members`);
    const properties: Record<string, SchemaNode> = {};
    for (const [name, member] of members) {
      const place = memberPath(path, name);
      const part = this.#part(member, place, depth + 1);
      if (required.has(name)) properties[name] = part;
      else if (allowsNull(this.#root, member)) throw new NotStrict(`${place} may be absent or null, and these differ`);
      else properties[name] = nullable(part);
    }
    for (const name of required)
      if (!Object.hasOwn(properties, name))
        throw new NotStrict(`${memberPath(path, name)} is required and not described`);
    strict.properties = properties;
    strict.required = Object.keys(properties);
  }
}

/** The part, or `null`. */
function nullable(part: SchemaObject): SchemaObject {
  const { anyOf, enum: values, type, const: constant, description } = part;
  if (anyOf !== undefined) return { ...part, anyOf: [...anyOf, { type: "null" }] };
  if (type === undefined || constant !== undefined) {
    const { description: _said, ...rest } = part;
    return { anyOf: [rest, { type: "null" }], ...(description === undefined ? {} : { description }) };
  }
  const types = [...(typeof type === "string" ? [type] : type), "null"];
  return { ...part, type: types, ...(values === undefined ? {} : { enum: [...values, null] }) };
}

function hasType({ type }: SchemaObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function at(path: string): string {
  return path === "" ? "the root" : path;
}
