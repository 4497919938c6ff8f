import { targetOf, type SchemaNode, type SchemaObject } from "../schema/schema-node.js";
import { typesOf } from "../schema/schema-walk.js";
import { LostList, memberPath, noteOf, withNotes } from "./lost-parts.js";

const KEPT = new Set(["type", "title", "required", "minItems", "maxItems", "minimum", "maximum"]);
const FORMATS = new Set(["date-time", "date", "time", "int32", "int64", "float", "double"]);
/** What says nothing of the value, or is written in where it is referred to. */
const REMARKS = new Set(["$comment", "examples", "deprecated", "readOnly", "writeOnly", "$schema", "$id", "$anchor"]);
const DEFINED = new Set(["$defs", "definitions", "$ref", "description"]);
/** So often a part may stand within itself. */
const LEVELS = 3;
const MOST_PARTS = 2_000;

class TooLarge extends Error {
  constructor() {
    super(`it has more than ${MOST_PARTS} parts when its references are written out`);
  }
}

/**
 * The schema in the subset of Gemini: references are written out, those that lead back to themselves three levels deep at most
 * (fewer where that would be too large); what cannot be said is said in the description.
 */
export function toGoogleSchema(root: SchemaObject, lost: LostList): SchemaObject {
  for (let levels = LEVELS; ; levels--) {
    const own = new LostList();
    try {
      const schema = new GoogleForm(root, own, levels).part(root, "", new Map());
      for (const what of own.all) lost.add("", what);
      return schema;
    } catch (thrown) {
      if (!(thrown instanceof TooLarge)) throw thrown;
      if (levels === 1) throw thrown;
    }
  }
}

class GoogleForm {
  readonly #root: SchemaObject;
  readonly #lost: LostList;
  readonly #levels: number;
  #parts = 0;

  constructor(root: SchemaObject, lost: LostList, levels: number) {
    this.#root = root;
    this.#lost = lost;
    this.#levels = levels;
  }

  /** `within`: how often each part that was referred to holds this one. */
  part(node: SchemaNode, path: string, within: ReadonlyMap<SchemaObject, number>): SchemaObject {
    if (++this.#parts > MOST_PARTS) throw new TooLarge();
    if (typeof node === "boolean") {
      if (!node) this.#lost.add(path, "false");
      return {};
    }
    if (node.$ref !== undefined) return this.#referred(node, path, within);
    const made: SchemaObject = {};
    const notes: string[] = [];
    for (const [keyword, value] of Object.entries(node)) {
      if (value === undefined || REMARKS.has(keyword) || DEFINED.has(keyword)) continue;
      if (this.#keyword(made, node, keyword, value, path, within)) continue;
      this.#lost.add(path, keyword);
      if (typeof value !== "object") notes.push(noteOf(keyword, value));
    }
    const description = withNotes(node.description, notes);
    if (description !== undefined) made.description = description;
    return made;
  }

  #referred(node: SchemaObject, path: string, within: ReadonlyMap<SchemaObject, number>): SchemaObject {
    const { $ref: _ref, ...beside } = node;
    const target = targetOf(this.#root, node);
    const times = within.get(target) ?? 0;
    if (times >= this.#levels) {
      this.#lost.add(path.replace(/^(.{80}).*$/s, "$1…"), "what it holds at this depth");
      const types = typesOf(this.#root, target);
      const description = withNotes(node.description ?? target.description, ["the same as the part that holds it"]);
      return {
        ...(types?.length === 1 ? { type: types[0]! } : {}),
        ...(types?.[0] === "array" ? { items: {} } : {}),
        description,
      };
    }
    return this.part({ ...target, ...beside }, path, new Map(within).set(target, times + 1));
  }

  /** False for what cannot be said. */
  #keyword(
    made: SchemaObject,
    node: SchemaObject,
    keyword: string,
    value: unknown,
    path: string,
    within: ReadonlyMap<SchemaObject, number>,
  ): boolean {
    const several = (parts: unknown, place: string): SchemaObject[] =>
      (parts as readonly SchemaNode[]).map((part) => this.part(part, place, within));
    if (KEPT.has(keyword)) made[keyword] = value;
    else if (keyword === "format") {
      if (!FORMATS.has(value as string)) return false;
      made.format = value as string;
    } else if (keyword === "enum" || keyword === "const")
      this.#values(made, keyword === "enum" ? (value as unknown[]) : [value], node, path);
    else if (keyword === "properties") {
      const members = Object.entries(value as Record<string, SchemaNode>);
      made.properties = Object.fromEntries(
        members.map(([name, part]) => [name, this.part(part, memberPath(path, name), within)]),
      );
    } else if (keyword === "additionalProperties")
      made.additionalProperties =
        typeof value === "boolean" ? value : this.part(value as SchemaNode, `${path}{}`, within);
    else if (keyword === "items") {
      if (node.prefixItems === undefined)
        made.items = typeof value === "boolean" ? {} : this.part(value as SchemaNode, `${path}[]`, within);
    } else if (keyword === "prefixItems") {
      this.#lost.add(path, "prefixItems, sent as items of any of them");
      const rest = typeof node.items === "object" ? [node.items] : [];
      made.items = { anyOf: several([...(value as readonly SchemaNode[]), ...rest], `${path}[]`) };
    } else if (keyword === "anyOf" || keyword === "oneOf") {
      if (made.anyOf !== undefined) return false;
      if (keyword === "oneOf") this.#lost.add(path, "oneOf, sent as anyOf");
      made.anyOf = several(value, path);
    } else if (keyword === "exclusiveMinimum" && made.minimum === undefined && node.minimum === undefined) {
      made.minimum = node.type === "integer" ? Math.floor(value as number) + 1 : (value as number);
      return node.type === "integer";
    } else if (keyword === "exclusiveMaximum" && node.maximum === undefined) {
      made.maximum = node.type === "integer" ? Math.ceil(value as number) - 1 : (value as number);
      return node.type === "integer";
    } else return false;
    return true;
  }

  /** Only texts and numbers can be listed. */
  #values(made: SchemaObject, values: readonly unknown[], node: SchemaObject, path: string): void {
    const some = values.filter((value) => value !== null);
    const type = typesOf(this.#root, node);
    if (made.type === undefined && type !== undefined) made.type = type.length === 1 ? type[0]! : type;
    if (some.length > 0 && some.every((value) => typeof value === "string" || typeof value === "number"))
      made.enum = some;
    else if (!(some.length === 2 && some.includes(true) && some.includes(false)))
      this.#lost.add(path, `enum ${JSON.stringify(values).slice(0, 80)}`);
  }
}
