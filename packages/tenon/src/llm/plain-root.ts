import { targetOf, type SchemaNode, type SchemaObject } from "../schema/schema-node.js";
import type { LostList } from "./lost-parts.js";

/** What no provider takes at the root of a tool's schema. */
const REFUSED = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"] as const;

/**
 * The schema with a root that is an object and no union: the members of its branches become its own, required only where every
 * branch requires them. The same object where there is nothing to do.
 */
export function withPlainRoot(root: SchemaObject, lost: LostList): SchemaObject {
  const refused = REFUSED.filter((keyword) => root[keyword] !== undefined);
  if (refused.length === 0) return root;
  const plain: SchemaObject = { ...root };
  const properties: Record<string, SchemaNode> = { ...root.properties };
  const required = new Set(root.required);
  for (const keyword of refused) {
    delete plain[keyword];
    lost.add("", `${keyword} at the root`);
    if (keyword !== "anyOf" && keyword !== "oneOf" && keyword !== "allOf") continue;
    const branches = root[keyword]!.map((branch) => targetOf(root, branch));
    for (const branch of branches)
      for (const [name, member] of Object.entries(branch.properties ?? {}))
        if (!Object.hasOwn(properties, name)) properties[name] = member;
    const named = branches.map((branch) => new Set(branch.required));
    for (const name of new Set(branches.flatMap((branch) => branch.required ?? [])))
      if (keyword === "allOf" || named.every((names) => names.has(name))) required.add(name);
  }
  plain.properties = properties;
  if (required.size > 0) plain.required = [...required];
  return plain;
}
