import { SchemaError } from "../../errors/assembly-errors.js";
import { canonicalJson } from "../../util/canonical-json.js";
import { sha256 } from "../../util/sha256.js";
import { shownText } from "./shown-text.js";
import { toolTextFault, type ToolText } from "./tool-text.js";

/** A tool as it was accepted: its whole text, so that it can be offered before its server was ever reached. */
export interface PinnedTool extends ToolText {
  /** SHA-256 of the canonical JSON of name, description and schemas, in hexadecimal digits. */
  readonly hash: string;
}

/** The hash of what a pin holds. The same whatever the order of members. */
export function toolHash({ name, description, inputSchema, outputSchema }: ToolText): string {
  return sha256(canonicalJson({ name, description, inputSchema, outputSchema }));
}

/**
 * The pin of a tool that a server offers. Its title and its annotations are left out: no model reads them, and nothing relies
 * on them. Throws `SchemaError` for one that is too large or nested too deep.
 */
export function pinOf(tool: ToolText): PinnedTool {
  const fault = toolTextFault(tool);
  if (fault !== undefined)
    throw new SchemaError(
      "A tool of an MCP server cannot be pinned",
      `${shownText(tool.name, 80)}: ${fault}`,
      "Leave it out of the server's `tools`.",
    );
  const { name, description, inputSchema, outputSchema } = tool;
  return { name, description, inputSchema, outputSchema, hash: toolHash(tool) };
}
