import { isPlainObject } from "../util/plain-object.js";
import type { FieldRecord } from "./field-record.js";
import { textFormats } from "./text-formats.js";

const common = ["prompt", "optional", "nullable", "default", "sensitive"];
const bounds: Record<FieldRecord["kind"], readonly string[]> = {
  text: ["min", "max", "pattern", "format"],
  num: ["min", "max"],
  int: ["min", "max"],
  flag: [],
  choice: [],
  datetime: [],
  json: [],
  list: ["min", "max", "unique"],
  map: ["min", "max"],
  nested: [],
  oneof: ["by"],
};

/** What is wrong with a field's own options, as short phrases; whether its default fits is seen when the schema is compiled. */
export function fieldFaults({ kind, options, values }: FieldRecord): string[] {
  if (!isPlainObject(options)) return ["its options are no plain object"];
  const given = options as Record<string, unknown>;
  const faults: string[] = [];
  for (const name of Object.keys(given))
    if (!common.includes(name) && !bounds[kind].includes(name)) faults.push(`it has no option \`${name}\``);
  if (given["prompt"] !== undefined && typeof given["prompt"] !== "string") faults.push("`prompt` is no text");
  for (const name of ["optional", "nullable", "sensitive", "unique"]) {
    if (given[name] !== undefined && typeof given[name] !== "boolean")
      faults.push(`\`${name}\` is neither true nor false`);
  }
  if (given["default"] !== undefined && !isJson(given["default"])) faults.push("`default` is no JSON value");
  faults.push(...boundFaults(kind, given));
  if (kind === "text") faults.push(...textFaults(given));
  if (kind === "choice") faults.push(...choiceFaults(values));
  return faults;
}

function boundFaults(kind: FieldRecord["kind"], { min, max }: Record<string, unknown>): string[] {
  const faults: string[] = [];
  if (!bounds[kind].includes("min")) return faults;
  for (const [name, bound] of [
    ["min", min],
    ["max", max],
  ] as const) {
    if (bound === undefined) continue;
    if (kind === "num") {
      if (!Number.isFinite(bound)) faults.push(`\`${name}\` is no finite number`);
    } else if (!Number.isSafeInteger(bound)) faults.push(`\`${name}\` is no safe integer`);
    else if (kind !== "int" && (bound as number) < 0) faults.push(`\`${name}\` is negative`);
  }
  if (typeof min === "number" && typeof max === "number" && min > max)
    faults.push(`\`min\` ${min} is greater than \`max\` ${max}`);
  return faults;
}

function textFaults({ pattern, format }: Record<string, unknown>): string[] {
  const faults: string[] = [];
  if (format !== undefined && !textFormats.includes(format as never))
    faults.push(`there is no format ${JSON.stringify(format)} (${textFormats.join(", ")})`);
  if (pattern === undefined) return faults;
  if (Object.prototype.toString.call(pattern) !== "[object RegExp]")
    return [...faults, "`pattern` is no regular expression"];
  const { source, flags } = pattern as RegExp;
  if (flags !== "" && flags !== "u")
    return [
      ...faults,
      `\`pattern\` has the flags \`${flags}\`, which JSON Schema does not know; write it without them`,
    ];
  return isUnicodePattern(source)
    ? faults
    : [...faults, "`pattern` is not valid with the flag `u`, as JSON Schema reads it"];
}

function isUnicodePattern(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}

function choiceFaults(values: unknown): string[] {
  if (!Array.isArray(values) || values.length === 0) return ["it has no values to choose from"];
  if (values.some((value) => typeof value !== "string" && !Number.isFinite(value)))
    return ["its values are not all texts or finite numbers"];
  return new Set(values).size < values.length ? ["it lists a value twice"] : [];
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return typeof copy === "object";
  } catch {
    return false;
  }
}
