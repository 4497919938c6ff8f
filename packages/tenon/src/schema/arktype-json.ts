import type { StandardJSONSchemaV1 } from "@standard-schema/spec";
import { isObject } from "../util/is-object.js";
import { mapSchema, type SchemaNode, type SchemaObject } from "./schema-node.js";

/** Stands in ArkType's answer for a value that JSON cannot hold; left to itself it writes a part that takes anything. */
const noJson = (): SchemaObject => ({ not: {} });
const fallback = { date: noJson, domain: noJson, proto: noJson, unit: noJson };

/**
 * The JSON Schema of the input side of an ArkType schema. A branch of a union that JSON cannot hold is left out, as `undefined` in
 * `"string | undefined"`, and so is an optional field that only takes such values; where it is required, that is an error. Its own names of shared parts count what the process
 * has made; they become names that are always the same.
 */
export function arkTypeJson({ input }: StandardJSONSchemaV1.Converter): SchemaNode {
  const given = input({ target: "draft-2020-12", libraryOptions: { fallback } }) as SchemaNode;
  const names = new Map<string, string>();
  const json = mapSchema(given, (part) => {
    const branches = part.anyOf?.filter((branch) => !isNever(branch));
    if (branches !== undefined && branches.length > 0 && branches.length < part.anyOf!.length) {
      if (branches.length > 1) part.anyOf = branches;
      else {
        delete part.anyOf;
        for (const [keyword, value] of Object.entries(branches[0] as SchemaObject)) part[keyword] ??= value;
      }
    }
    for (const [key, member] of Object.entries(part.properties ?? {}))
      if (isNever(member) && part.required?.includes(key) !== true) delete part.properties![key];
    if (part.$ref?.startsWith("#/$defs/")) {
      const name = part.$ref.slice("#/$defs/".length);
      if (!names.has(name)) names.set(name, `part${names.size + 1}`);
      part.$ref = `#/$defs/${names.get(name)}`;
    }
  }) as SchemaObject;
  mapSchema(json, (part) => {
    if (isNever(part)) throw new Error("it wants a value that JSON cannot hold");
  });
  if (json.$defs !== undefined)
    json.$defs = Object.fromEntries(Object.entries(json.$defs).map(([name, part]) => [names.get(name) ?? name, part]));
  return json;
}

function isNever(node: SchemaNode): boolean {
  if (typeof node !== "object") return false;
  return node.enum?.length === 0 || (isObject(node["not"]) && Object.keys(node["not"]).length === 0);
}
