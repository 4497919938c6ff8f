import { SchemaError } from "../errors/assembly-errors.js";
import type { JsonSchemaGiver } from "./schema.js";
import { mapSchema, targetOf, type SchemaNode, type SchemaObject } from "./schema-node.js";

/** The JSON Schema of a Standard Schema's input, made fit for models: an object at the root, `items` in every array, local references only. Throws SchemaError. */
export function standardJson(schema: JsonSchemaGiver): SchemaObject {
  const vendor = String((schema["~standard"] as { vendor?: unknown }).vendor);
  let root: SchemaObject;
  try {
    const given = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
    root = mapSchema(JSON.parse(JSON.stringify(given)) as SchemaNode, mend) as SchemaObject;
    mapSchema(root, (part) => {
      if (part["$dynamicRef"] !== undefined || part["$recursiveRef"] !== undefined)
        throw new Error("it has references that depend on where they are read from");
      targetOf(root, part);
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError(
      "A schema cannot be exported as JSON Schema",
      `${vendor}: ${reason}`,
      "Use only what JSON Schema can say for the input side; a transform may do the rest.",
      cause,
    );
  }
  return withObjectRoot(root, vendor);
}

function mend(part: SchemaObject): void {
  delete part["$schema"];
  const isArray = part.type === "array" || (Array.isArray(part.type) && part.type.includes("array"));
  if (isArray && part.items === undefined) part.items = {};
}

function withObjectRoot(root: SchemaObject, vendor: string): SchemaObject {
  const { $ref, $defs, ...rest } = root;
  const inner: SchemaObject = $ref === undefined ? rest : { ...targetOf(root, root), ...rest };
  const isObject =
    inner.type === "object" ||
    (inner.type === undefined &&
      (inner.properties !== undefined ||
        (inner.allOf?.every((part) => targetOf(root, part).type === "object") ?? false)));
  if (!isObject) {
    const isUnion = inner.anyOf !== undefined || inner.oneOf !== undefined;
    throw new SchemaError(
      "The root of a schema is no object",
      `${vendor}: ${isUnion ? "a union" : String(inner.type ?? "any value")}`,
      "Arguments are an object: wrap it as a field of one.",
    );
  }
  const { type: _type, properties, ...others } = inner;
  return { type: "object", properties: properties ?? {}, ...others, ...($defs !== undefined && { $defs }) };
}
