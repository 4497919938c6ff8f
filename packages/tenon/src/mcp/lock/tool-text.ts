import type { JsonObject } from "../../protocol/json.js";
import { isDeeper } from "../../util/is-deeper.js";

/** What a server says of a tool that a model or the app relies on. A pin holds this and nothing else of the tool. */
export interface ToolText {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
}

/** The most characters of one tool's canonical JSON. */
const LONGEST = 262_144;
/** The most levels of objects and lists in one schema. */
const DEEPEST = 100;

/** Why a tool of a server cannot be pinned, compared or offered; `undefined` where it can. Never throws. */
export function toolTextFault({ description, inputSchema, outputSchema }: ToolText): string | undefined {
  for (const [at, schema] of Object.entries({ inputSchema, outputSchema }))
    if (schema !== undefined && isDeeper(schema, DEEPEST)) return `${at} has more than ${DEEPEST} levels`;
  const length = JSON.stringify([description, inputSchema, outputSchema]).length;
  return length > LONGEST ? `it has ${length} characters; ${LONGEST} are the most` : undefined;
}
