import { SchemaError } from "../errors/assembly-errors.js";
import { mapSchema, targetOf, type SchemaNode, type SchemaObject } from "./schema-node.js";
import type { Use } from "./use.js";

/** Arguments and results of tools are objects, an answer of a person may be anything. */
const wrap: Record<Exclude<Use, "answer">, string> = {
  input: "Arguments are an object: wrap it as a field of one.",
  output: "A result that has a schema is an object: wrap it as a field of one.",
};

/**
 * A JSON Schema made fit for models: an object at the root (unless it is a person's answer), `items` in every array, local references only. `make` gives the
 * schema, `source` says whose it is. Throws SchemaError, also for whatever `make` throws.
 */
export function objectJson(make: () => unknown, source: string, next: string, use: Use): SchemaObject {
  let root: SchemaObject;
  try {
    root = mapSchema(JSON.parse(JSON.stringify(make())) as SchemaNode, mend) as SchemaObject;
    mapSchema(root, (part) => {
      if (part["$dynamicRef"] !== undefined || part["$recursiveRef"] !== undefined)
        throw new Error("it has references that depend on where they are read from");
      targetOf(root, part);
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError("A schema cannot be exported as JSON Schema", `${source}: ${reason}`, next, cause);
  }
  return use === "answer" ? root : withObjectRoot(root, source, wrap[use]);
}

function mend(part: SchemaObject): void {
  delete part["$schema"];
  const isArray = part.type === "array" || (Array.isArray(part.type) && part.type.includes("array"));
  if (isArray && part.items === undefined) part.items = {};
}

function withObjectRoot(root: SchemaObject, source: string, next: string): SchemaObject {
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
      `${source}: ${isUnion ? "a union" : String(inner.type ?? "any value")}`,
      next,
    );
  }
  const { type: _type, properties, ...others } = inner;
  return { type: "object", properties: properties ?? {}, ...others, ...($defs !== undefined && { $defs }) };
}
