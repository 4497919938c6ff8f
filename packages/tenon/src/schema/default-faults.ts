import { describePart } from "./describe-part.js";
import { mapSchema, type SchemaObject } from "./schema-node.js";
import { fits } from "./validator.js";

/**
 * The names of members whose default does not fit their own schema, each with what it should be. With `drop` such defaults
 * are removed instead: a library's may be meant for its output side, and a given schema is often somebody else's, where
 * `default: null` only says that there is none.
 */
export function defaultFaults(root: SchemaObject, drop: boolean): string[] {
  const faults: string[] = [];
  const { $defs } = root;
  const visit = ({ properties }: SchemaObject): void => {
    for (const [key, member] of Object.entries(properties ?? {})) {
      if (typeof member !== "object" || member.default === undefined) continue;
      if (fits($defs === undefined ? member : { ...member, $defs }, member.default)) continue;
      if (drop) delete member.default;
      else faults.push(`the default of ${key} is not ${describePart(root, member)}`);
    }
  };
  mapSchema(root, (_, original) => visit(original));
  return faults;
}
