import { arkTypeJson } from "./arktype-json.js";
import { objectJson } from "./object-json.js";
import type { JsonSchemaGiver } from "./schema.js";
import type { SchemaObject } from "./schema-node.js";
import type { Use } from "./use.js";
import { valibotExporter } from "./valibot-json.js";

const said: Record<Use, string> = {
  input: "what a model sends",
  output: "what a handler returns",
  answer: "what a person answers",
};

/**
 * The JSON Schema of a Standard Schema's input, made fit for models. Throws SchemaError, and MissingPeerError for one of Valibot
 * where its exporter is not installed.
 */
export function standardJson(schema: JsonSchemaGiver, use: Use): SchemaObject {
  const standard = schema["~standard"];
  const vendor = String((standard as { vendor?: unknown }).vendor);
  return objectJson(
    exporterOf(schema, vendor),
    vendor,
    `Use only what JSON Schema can say of ${said[use]}; a transform may do the rest.`,
    use,
  );
}

function exporterOf(schema: JsonSchemaGiver, vendor: string): () => unknown {
  const standard = schema["~standard"];
  if (!("jsonSchema" in standard)) return valibotExporter(schema);
  const { jsonSchema } = standard;
  if (vendor === "arktype") return () => arkTypeJson(jsonSchema);
  return () => jsonSchema.input({ target: "draft-2020-12" });
}
