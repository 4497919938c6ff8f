import { SchemaError } from "../errors/assembly-errors.js";
import type { JsonSchemaSource } from "./json-schema-source.js";
import { keywordFaults } from "./keyword-faults.js";
import { objectJson } from "./object-json.js";
import type { SchemaObject } from "./schema-node.js";
import type { Use } from "./use.js";

const next = "Give `jsonSchema()` an object that is JSON Schema, draft 2020-12.";

/** The JSON Schema of a `jsonSchema()` value, made fit for models. Throws one SchemaError that names every keyword that is wrong. */
export function sourceJson({ schema }: JsonSchemaSource, use: Use): SchemaObject {
  const faults = keywordFaults(schema);
  if (faults.length > 0) throw new SchemaError("A JSON Schema is not valid", faults.slice(0, 20).join("; "), next);
  return objectJson(() => schema, "jsonSchema()", next, use);
}
