import type { Repair } from "../protocol/event.js";
import { parseJsonText } from "./json-text.js";
import { isObject } from "../util/is-object.js";
import { targetOf, typeOf, type SchemaNode, type SchemaObject } from "./schema-node.js";
import { allowsNull, eachMember, typesOf } from "./schema-walk.js";
import { memberPath } from "./value-path.js";

/**
 * Reads what was meant where that is certain: JSON text for an object or list, a finite decimal for a number, "true" and
 * "false" for a boolean, `null` for an absent optional field. Changes `value` in place, adds to `repairs`, and gives the value.
 * `nullsOnly` is the rule for outputs.
 */
export function repairValue(root: SchemaObject, value: unknown, nullsOnly: boolean, repairs: Repair[]): unknown {
  return repaired(root, value, "");

  function repaired(node: SchemaNode, given: unknown, path: string): unknown {
    let meant = given;
    if (typeof given === "string" && !nullsOnly) {
      const read = readText(typesOf(root, node), given);
      if (read !== undefined) {
        repairs.push({ path, kind: read.kind });
        meant = read.value;
      }
    }
    // What the deciding member of a union says is known before its siblings are looked at.
    const { by, properties } = targetOf(root, node);
    if (by !== undefined && isObject(meant) && Object.hasOwn(meant, by))
      meant[by] = repaired(properties![by]!, meant[by], memberPath(path, by));
    eachMember(root, node, meant, (member, key, shape) => {
      const members = meant as Record<string | number, unknown>;
      if (!Object.hasOwn(members, key)) return;
      const at = memberPath(path, key);
      if (
        members[key] === null &&
        typeof key === "string" &&
        shape.properties !== undefined &&
        Object.hasOwn(shape.properties, key) &&
        shape.required?.includes(key) !== true &&
        !allowsNull(root, member)
      ) {
        delete members[key];
        repairs.push({ path: at, kind: "null-as-absent" });
        return;
      }
      const better = repaired(member, members[key], at);
      if (better !== members[key]) members[key] = better;
    });
    return meant;
  }
}

function readText(
  types: readonly string[] | undefined,
  text: string,
): { readonly kind: Repair["kind"]; readonly value: unknown } | undefined {
  if (types === undefined || types.includes("string")) return undefined;
  if (types.includes("boolean") && (text === "true" || text === "false"))
    return { kind: "boolean-text", value: text === "true" };
  if (types.includes("number") || types.includes("integer")) {
    const value = faithfulNumber(text);
    if (value !== undefined && (types.includes("number") || Number.isSafeInteger(value)))
      return { kind: "number-text", value };
  }
  if (types.includes("object") || types.includes("array")) {
    const parsed = parseJsonText(text);
    if (parsed.ok && (isObject(parsed.value) || Array.isArray(parsed.value)) && types.includes(typeOf(parsed.value)))
      return { kind: "json-text", value: parsed.value };
  }
  return undefined;
}

/** The number that a decimal text says, where no digit of it is lost: no integer beyond the safe range, no more than 17 digits, no overflow, no underflow. */
function faithfulNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  const digits = text
    .replace(/[eE].*$/, "")
    .replaceAll(/[-.]/g, "")
    .replace(/^0+/, "");
  if (digits.length > 17 || (value === 0 && digits !== "" && /[1-9]/.test(digits))) return undefined;
  return value;
}
