import type { JsonObject, JsonValue } from "tenon";
import { fieldName, literal } from "../source-text.js";
import { isObject, schemaAt } from "./schema-part.js";

/** Below it, and after so many parts, a type is `unknown`. */
const DEEPEST = 8;
const PARTS = 2_000;

/**
 * A type of the values that fit a schema: never narrower, so that whatever fits the one fits the other. What it cannot say is
 * `unknown`.
 */
export function typeSource(root: JsonObject): string {
  let left = PARTS;
  return typeOf(root, 0, "");

  function typeOf(part: JsonValue | undefined, depth: number, indent: string): string {
    if (depth > DEEPEST || left-- <= 0) return "unknown";
    let node: JsonObject;
    try {
      ({ node } = schemaAt(root, part));
    } catch {
      return "unknown";
    }
    const values = node["const"] === undefined ? node["enum"] : [node["const"]];
    if (Array.isArray(values)) return valuesType(values as readonly JsonValue[]);
    const branches = node["anyOf"] ?? node["oneOf"];
    if (Array.isArray(branches) && node["properties"] === undefined)
      return union(branches.map((branch: JsonValue) => typeOf(branch, depth + 1, indent)));
    const { type } = node;
    if (type === undefined && node["properties"] === undefined) return "unknown";
    return union([type ?? "object"].flat().map((one) => typed(one, node, depth, indent)));
  }

  function typed(type: JsonValue, node: JsonObject, depth: number, indent: string): string {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return type;
      case "integer":
      case "number":
        return "number";
      case "array":
        return `readonly (${typeOf(node["items"] ?? {}, depth + 1, indent)})[]`;
      default:
        return objectType(node, depth, indent);
    }
  }

  function objectType(node: JsonObject, depth: number, indent: string): string {
    const { properties, required, additionalProperties } = node;
    const members = isObject(properties) ? Object.entries(properties) : [];
    if (members.length === 0)
      return isObject(additionalProperties)
        ? `{ readonly [key: string]: ${typeOf(additionalProperties, depth + 1, indent)} }`
        : "{ readonly [key: string]: unknown }";
    const inner = `${indent}  `;
    const lines = members.map(([key, part]) => {
      const isRequired = Array.isArray(required) && required.includes(key);
      const text = typeOf(part, depth + 1, inner);
      return `${inner}readonly ${fieldName(key)}${isRequired ? "" : "?"}: ${text}${isRequired || text === "unknown" ? "" : " | undefined"};\n`;
    });
    return `{\n${lines.join("")}${indent}}`;
  }
}

function valuesType(values: readonly JsonValue[]): string {
  if (values.some((value) => typeof value === "object" && value !== null)) return "unknown";
  return values.length > 200 ? "unknown" : union(values.map((value) => literal(value)));
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  if (all.length === 0 || all.includes("unknown")) return "unknown";
  return all.join(" | ");
}
