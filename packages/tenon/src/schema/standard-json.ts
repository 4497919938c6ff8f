import { arkTypeJson } from "./arktype-json.js";
import { objectJson, type Root } from "./object-json.js";
import type { JsonSchemaGiver } from "./schema.js";
import type { SchemaObject } from "./schema-node.js";
import { valibotExporter } from "./valibot-json.js";

/**
 * The JSON Schema of a Standard Schema's input, made fit for models. Throws SchemaError, and MissingPeerError for one of Valibot
 * where its exporter is not installed.
 */
export function standardJson(schema: JsonSchemaGiver, root: Root): SchemaObject {
  const standard = schema["~standard"];
  const vendor = String((standard as { vendor?: unknown }).vendor);
  return objectJson(
    exporterOf(schema, vendor),
    vendor,
    "Use only what JSON Schema can say for the input side; a transform may do the rest.",
    root,
  );
}

function exporterOf(schema: JsonSchemaGiver, vendor: string): () => unknown {
  const standard = schema["~standard"];
  if (!("jsonSchema" in standard)) return valibotExporter(schema);
  const { jsonSchema } = standard;
  if (vendor === "arktype") return () => arkTypeJson(jsonSchema);
  return () => jsonSchema.input({ target: "draft-2020-12" });
}
