import type { JsonObject } from "../protocol/json.js";
import { sensitiveParts } from "./dto-json.js";
import { mapSchema, type SchemaObject } from "./schema-node.js";

const dropped = ["$schema", "$id", "$async", "nullable", "title", "description", "examples", "$comment"];

/**
 * The schema that values are checked against. It differs from the exported one in what a model need not read: numbers are finite, integers keep
 * to the safe range, `__proto__` is refused where other keys are open, sensitive parts are marked, and what a validator
 * would read in its own way is left out. Formats and patterns of a library's schema are left to the library: their exported
 * form may have lost a flag.
 */
export function checkCopy(json: JsonObject, isLibrary: boolean): SchemaObject {
  return mapSchema(json, (part, original) => {
    for (const keyword of dropped) delete part[keyword];
    if (isLibrary) {
      delete part.format;
      delete part.pattern;
    }
    const types = [part.type ?? []].flat();
    if (types.includes("number")) bound(part, Number.MAX_VALUE);
    else if (types.includes("integer")) bound(part, Number.MAX_SAFE_INTEGER);
    const isOpen =
      part.additionalProperties !== false &&
      (part.type === "object" || part.properties !== undefined || part.additionalProperties !== undefined);
    if (isOpen) part.patternProperties = { ...part.patternProperties, "^__proto__$": false };
    if (sensitiveParts.has(original)) part.sensitive = true;
  }) as SchemaObject;
}

function bound(part: SchemaObject, max: number): void {
  part.minimum = Math.max(part.minimum ?? -Infinity, -max);
  part.maximum = Math.min(part.maximum ?? Infinity, max);
}
