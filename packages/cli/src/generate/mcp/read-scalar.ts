import type { JsonObject, JsonValue } from "tenon";
import { NotSaid, onlyHas } from "./schema-part.js";
import type { Shape } from "./shape.js";

const FORMATS = ["email", "url", "uri", "uuid", "date", "time", "duration", "hostname", "ipv4", "ipv6"];

/**
 * A part that holds no other parts, as the field that says the same; `undefined` for a list and an object. `nullable`: its type
 * says so. Throws `NotSaid` where no field says the same.
 */
export function readScalar(node: JsonObject, nullable: boolean): Shape | undefined {
  const { type } = node;
  const orNull = nullable ? ({ nullable: true } as const) : {};
  const values = node["const"] === undefined ? node["enum"] : [node["const"]];
  if (Array.isArray(values)) return choice(node, values as readonly JsonValue[], nullable);
  switch (type) {
    case "string":
      return { ...text(node), ...orNull };
    case "number":
    case "integer":
      return { ...number(node, type), ...orNull };
    case "boolean":
      onlyHas(node, "type");
      return { kind: "Flag", ...orNull };
    case "array":
    case "object":
      return undefined;
    case undefined:
      if (node["properties"] !== undefined || node["items"] !== undefined) return undefined;
      onlyHas(node);
      return { kind: "Json" };
    default:
      throw new NotSaid("a value is always null");
  }
}

function choice(node: JsonObject, given: readonly JsonValue[], nullableType: boolean): Shape {
  onlyHas(node, "type", "enum", "const");
  const { type } = node;
  const fitting = given.filter((value) => value === null || type === undefined || isOf(value, type));
  const values = [...new Set(fitting.filter((value) => value !== null))];
  const nullable = fitting.includes(null) && (type === undefined || nullableType) ? ({ nullable: true } as const) : {};
  if (values.length === 2 && values.includes(true) && values.includes(false)) return { kind: "Flag", ...nullable };
  if (values.length === 0 || !values.every((value) => typeof value === "string" || typeof value === "number"))
    throw new NotSaid("a value is one of several that are neither texts nor numbers");
  return { kind: "Choice", values, ...nullable };
}

function isOf(value: JsonValue, type: JsonValue): boolean {
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function text(node: JsonObject): Shape {
  onlyHas(node, "type", "minLength", "maxLength", "pattern", "format");
  const { minLength: min, maxLength: max, pattern, format } = node;
  const bounds = { min: countOf(min), max: countOf(max) };
  if (pattern !== undefined && typeof pattern !== "string") throw new NotSaid("a pattern is no text");
  if (format === "date-time" && pattern === undefined && min === undefined && max === undefined)
    return { kind: "DateTime" };
  if (format === undefined) return { kind: "Text", ...bounds, pattern };
  if (typeof format !== "string" || (format !== "date-time" && !FORMATS.includes(format)))
    throw new NotSaid(`it uses a \`format\` that fields do not know`);
  return { kind: "Text", ...bounds, pattern, format };
}

/** A bound of a length or a count. Throws `NotSaid` for what is none. */
export function countOf(value: JsonValue | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new NotSaid("a length is no whole number from 0");
  return value as number;
}

function number(node: JsonObject, type: "number" | "integer"): Shape {
  const whole = type === "integer";
  onlyHas(node, "type", "format", "minimum", "maximum", ...(whole ? ["exclusiveMinimum", "exclusiveMaximum"] : []));
  const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((keyword) => {
    const value = node[keyword];
    if (value !== undefined && !Number.isFinite(value)) throw new NotSaid(`\`${keyword}\` is no number`);
    return value as number | undefined;
  });
  const [min, max, above, below] = bounds;
  if (!whole) return { kind: "Num", min, max };
  if (bounds.some((bound) => bound !== undefined && !Number.isInteger(bound)))
    throw new NotSaid("a bound of a whole number is none");
  return {
    kind: "Int",
    min: safe(Math.max(min ?? Number.NEGATIVE_INFINITY, (above ?? Number.NEGATIVE_INFINITY) + 1), -1),
    max: safe(Math.min(max ?? Number.POSITIVE_INFINITY, (below ?? Number.POSITIVE_INFINITY) - 1), 1),
  };
}

/** A bound that every safe integer keeps is none; `way` is -1 for a lower one. */
function safe(bound: number, way: 1 | -1): number | undefined {
  if (bound * way >= Number.MAX_SAFE_INTEGER) return undefined;
  if (!Number.isSafeInteger(bound)) throw new NotSaid("a bound of a whole number is beyond the safe range");
  return bound;
}
