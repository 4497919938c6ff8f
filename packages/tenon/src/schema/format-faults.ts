import type { KeywordError } from "./keyword-error.js";
import type { SchemaNode, SchemaObject } from "./schema-node.js";
import { eachMember, shapesOf } from "./schema-walk.js";

type Test = RegExp | ((text: string) => boolean);

/** The formats of `ajv-formats`, by name. */
export type Formats = Readonly<Record<string, Test | { readonly validate: Test } | true>>;

/** Where a text is not in the form its schema names. For the interpreting validator, whose own formats differ. */
export function formatFaults(schema: SchemaObject, value: unknown, formats: Formats): KeywordError[] {
  const faults: KeywordError[] = [];
  const visit = (node: SchemaNode, at: unknown, path: string): void => {
    if (typeof at === "string") {
      for (const { format } of shapesOf(schema, node, at))
        if (format !== undefined && !fits(formats[format], at))
          faults.push({ instanceLocation: path, keyword: "format", keywordLocation: "" });
    }
    eachMember(schema, node, at, (member, key) =>
      visit(
        member,
        (at as Record<string | number, unknown>)[key],
        `${path}/${encodeURIComponent(String(key).replaceAll("~", "~0").replaceAll("/", "~1"))}`,
      ),
    );
  };
  visit(schema, value, "#");
  return faults;
}

function fits(format: Formats[string] | undefined, text: string): boolean {
  if (format === undefined || format === true) return true;
  const test: Test = typeof format === "object" && "validate" in format ? format.validate : format;
  return typeof test === "function" ? test(text) : test.test(text);
}
