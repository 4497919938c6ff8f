import { isObject } from "../util/is-object.js";
import { schemaKeywords, typeOf } from "./schema-node.js";
import { shortText } from "./value-path.js";

type Test = (value: unknown) => string | undefined;

const types = ["string", "number", "integer", "boolean", "null", "array", "object"];
const want =
  (what: string, fits: (value: unknown) => boolean): Test =>
  (value) =>
    fits(value) ? undefined : `is no ${what}`;
const text = want("text", (value) => typeof value === "string");
const flag = want("boolean", (value) => typeof value === "boolean");
const count = want("whole number from 0", (value) => Number.isSafeInteger(value) && (value as number) >= 0);
const number = want("number", (value) => Number.isFinite(value));
const names = want(
  "list of texts",
  (value) =>
    Array.isArray(value) && value.every((one) => typeof one === "string") && new Set(value).size === value.length,
);
const old =
  (instead: string): Test =>
  () =>
    `is of an older draft; write ${instead}`;

/** The keywords whose value is no schema, and what it must be. Unknown keywords say nothing and are left alone. */
const values: Readonly<Record<string, Test>> = {
  type: (value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const bad = list.find((one) => !types.includes(one as string));
    return list.length > 0 && bad === undefined ? undefined : `is none of ${types.join(", ")}`;
  },
  enum: want("list of values", (value) => Array.isArray(value) && value.length > 0),
  required: names,
  minProperties: count,
  maxProperties: count,
  minItems: count,
  maxItems: count,
  minContains: count,
  maxContains: count,
  minLength: count,
  maxLength: count,
  uniqueItems: flag,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: want("number above 0", (value) => Number.isFinite(value) && (value as number) > 0),
  pattern: (value) => text(value) ?? patternFault(value as string),
  format: text,
  description: text,
  title: text,
  $ref: text,
  additionalItems: old("`items` beside `prefixItems`"),
  dependencies: old("`dependentRequired` or `dependentSchemas`"),
  $recursiveRef: old("`$ref`"),
};
const { one, several, named } = schemaKeywords;

/** What is wrong with a JSON Schema, each with where: `#/properties/a/minLength is no whole number from 0`. */
export function keywordFaults(schema: unknown): string[] {
  const faults: string[] = [];
  const add = (at: string, fault: string | undefined): void => {
    if (fault !== undefined) faults.push(`${at === "#" ? "the root" : shortText(at, 200)} ${fault}`);
  };
  try {
    visit(JSON.parse(JSON.stringify(schema)), "#");
  } catch (thrown) {
    return [`it is no JSON (${thrown instanceof Error ? shortText(thrown.message, 200) : "unknown reason"})`];
  }
  return faults;

  function visit(node: unknown, at: string): void {
    if (typeof node === "boolean" && at !== "#") return;
    if (!isObject(node)) return add(at, `is no schema but ${typeOf(node)}`);
    for (const [keyword, value] of Object.entries(node)) {
      const here = `${at}/${keyword}`;
      const test = Object.hasOwn(values, keyword) ? values[keyword] : undefined;
      if (test !== undefined) add(here, test(value));
      else if (one.has(keyword)) visit(value, here);
      else if (several.has(keyword)) {
        if (!Array.isArray(value) || value.length === 0) add(here, "is no list of schemas");
        else for (const [index, part] of value.entries()) visit(part, `${here}/${index}`);
      } else if (named.has(keyword)) visitNamed(keyword, value, here);
    }
  }

  function visitNamed(keyword: string, value: unknown, at: string): void {
    if (!isObject(value)) return add(at, "is no object of schemas");
    for (const [name, part] of Object.entries(value)) {
      if (keyword === "patternProperties") add(`${at}/${name}`, patternFault(name));
      visit(part, `${at}/${name}`);
    }
  }
}

function patternFault(pattern: string): string | undefined {
  try {
    void new RegExp(pattern, "u");
    return undefined;
  } catch {
    return "is no regular expression with the flag `u`, as JSON Schema reads it";
  }
}
