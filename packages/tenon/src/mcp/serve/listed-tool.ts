import type { Tool } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../protocol/json.js";
import type { BoundTool } from "../../tools/bound-tool.js";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** A tool as a client is told of it: with the schema that a model sees, and what its options say of its effects. */
export function listedTool(tool: BoundTool): Tool {
  const { name, description, inputSchema } = tool.declaration;
  const outputSchema = objectOutput(tool);
  return {
    name,
    description,
    inputSchema: named(inputSchema) as Tool["inputSchema"],
    ...(outputSchema === undefined ? {} : { outputSchema: named(outputSchema) }),
    annotations: annotationsOf(tool),
  };
}

/** Says which draft it is, where it uses what older ones do not know. */
function named(schema: JsonObject): JsonObject {
  return "$defs" in schema ? { $schema: DRAFT, ...schema } : schema;
}

/** The schema of what a tool gives, where that is an object: the protocol knows no other structured content. */
export function objectOutput({ output }: BoundTool): JsonObject | undefined {
  return output?.json["type"] === "object" ? output.json : undefined;
}

function annotationsOf({ access, inDoubt, untrusted }: BoundTool): NonNullable<Tool["annotations"]> {
  const reads = access === "read";
  return {
    readOnlyHint: reads,
    // Nobody says that a write only adds: the worst is assumed.
    destructiveHint: !reads,
    idempotentHint: inDoubt === "rerun",
    ...(untrusted ? { openWorldHint: true } : {}),
  };
}
