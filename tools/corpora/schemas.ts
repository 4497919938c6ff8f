import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Arguments, InputSchema } from "./mutations.ts";
import type { Report } from "./report.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateFormats: false });

/** Why arguments do not fit a schema, by a validator that repairs nothing; `undefined` where they do. */
export function faultOf(schema: InputSchema, args: unknown): string | undefined {
  const check = ajv.compile(schema);
  return check(args) ? undefined : ajv.errorsText(check.errors, { dataVar: "arguments" });
}

/** A default that does not fit its own field is left out, as `jsonSchema()` does, so that what is expected of a call is told by the same schema. */
export function withFittingDefaults(schema: InputSchema, report: Report): InputSchema {
  const { default: standard, ...rest } = schema as InputSchema & { readonly default?: unknown };
  const result: Record<string, unknown> = { ...schema };
  if (standard !== undefined && faultOf(rest, standard) !== undefined) {
    delete result["default"];
    report.count("defaults that do not fit their own field, left out");
  }
  if (schema.items !== undefined) result["items"] = withFittingDefaults(schema.items, report);
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties);
    result["properties"] = Object.fromEntries(entries.map(([key, part]) => [key, withFittingDefaults(part, report)]));
  }
  return result;
}

/** The value with the schema's defaults in place of what is absent. */
export function filled(schema: InputSchema, value: unknown): unknown {
  if (Array.isArray(value))
    return schema.items === undefined ? value : value.map((item) => filled(schema.items!, item));
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(result, key)) result[key] = filled(part, result[key]);
    else if (Object.hasOwn(part, "default")) result[key] = part.default;
  }
  return result;
}

/** The value without members that are `null`, which say the same as absent ones. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Whether every value is the one that was sent, or what its text says. */
export function isFaithful(sent: unknown, got: unknown): boolean {
  if (isDeepStrictEqual(sent, got)) return true;
  if (typeof sent === "string")
    return String(got) === sent || (typeof got === "object" && isDeepStrictEqual(parsed(sent), got));
  if (typeof sent !== "object" || sent === null || typeof got !== "object" || got === null) return false;
  return Object.entries(sent).every(
    ([key, value]) => Object.hasOwn(got, key) && isFaithful(value, (got as Arguments)[key]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
