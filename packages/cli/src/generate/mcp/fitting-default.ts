import type { JsonValue } from "tenon";
import { patternFits } from "./pattern-in-time.js";
import type { Shape } from "./shape.js";

/**
 * The default of a field, where it fits the field's own bounds: one that does not fit keeps an app from being assembled.
 * `undefined` where it does not fit, or where that cannot be told here. Whether a text has a format, `trusted` says: Tenon
 * is asked afterwards.
 */
export function defaultOf(shape: Shape, value: JsonValue, trusted: boolean): JsonValue | undefined {
  return fits(shape, value, trusted) ? value : undefined;
}

function fits(shape: Shape, value: JsonValue, trusted: boolean): boolean {
  if (value === null) return shape.nullable === true;
  switch (shape.kind) {
    case "Text":
      return (
        typeof value === "string" &&
        (trusted || shape.format === undefined) &&
        isWithin(Array.from(value).length, shape) &&
        (shape.pattern === undefined || patternFits(shape.pattern, value) === true)
      );
    case "Num":
      return typeof value === "number" && isWithin(value, shape);
    case "Int":
      return Number.isSafeInteger(value) && isWithin(value as number, shape);
    case "Flag":
      return typeof value === "boolean";
    case "Choice":
      return shape.values.includes(value as string);
    case "ListOf":
      return (
        Array.isArray(value) &&
        isWithin(value.length, shape) &&
        (shape.unique !== true || new Set(value).size === value.length) &&
        value.every((item: JsonValue) => item !== null && typeof item !== "object" && fits(shape.item, item, trusted))
      );
    case "DateTime":
      return trusted && typeof value === "string";
    case "Json":
    case "MapOf":
    case "Nested":
    case "OneOf":
      return false;
  }
}

function isWithin(size: number, { min, max }: Shape): boolean {
  return size >= (min ?? Number.NEGATIVE_INFINITY) && size <= (max ?? Number.POSITIVE_INFINITY);
}
