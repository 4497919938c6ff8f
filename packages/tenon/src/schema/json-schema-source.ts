import { freezeDeep } from "../util/freeze-deep.js";

declare const sourceValue: unique symbol;

/** A JSON Schema that is used as it is. `T` is what its author says of the values that fit. */
export interface JsonSchemaSource<out T = unknown> {
  readonly kind: "json-schema";
  /** A frozen copy of what was given. */
  readonly schema: object;
  readonly [sourceValue]?: (() => T) | undefined;
}

/**
 * Makes an input or output of a JSON Schema object: draft 2020-12, an object at the root, references to its own parts only.
 * Formats and patterns are checked, defaults filled in; a default that does not fit its own member is shown to the model as
 * it stands and otherwise left out: the member is then absent. The handler gets plain JSON, a copy of its own. The type `T` is not
 * checked against the schema. What is wrong with the schema is a SchemaError when the tool is assembled, not here.
 */
export function jsonSchema<T = Record<string, unknown>>(schema: object): JsonSchemaSource<T> {
  return Object.freeze({ kind: "json-schema", schema: frozenCopy(schema) } as const);
}

/** Tells a value of `jsonSchema()`, from any copy of the package, from anything else. */
export function isJsonSchemaSource(value: unknown): value is JsonSchemaSource {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "json-schema";
}

function frozenCopy(schema: object): object {
  try {
    return freezeDeep(JSON.parse(JSON.stringify(schema)) as object);
  } catch {
    // No JSON: the assembly says so.
    return schema;
  }
}
