import type { JsonObject } from "../protocol/json.js";
import { caseValues } from "./schema-walk.js";
import { partMarks } from "./part-marks.js";
import { mapSchema, targetOf, type SchemaNode, type SchemaObject } from "./schema-node.js";

const dropped = ["$schema", "$id", "$async", "nullable", "title", "description", "examples", "$comment"];
/** The name in `$defs` of the part that stands for any JSON; no field's name gives it. */
const anyJson = "any.json";

/**
 * The schema that values are checked against. It differs from the exported one in what a model need not read: numbers are finite, integers keep
 * to the safe range, `__proto__` is refused where other keys are open, the member that decides a union picks the one part that
 * is checked, sensitive parts are marked, and what a validator would read in its own way is left out. Formats and patterns of a library's schema are left to the library: their exported
 * form may have lost a flag.
 */
export function checkCopy(json: JsonObject, isLibrary: boolean): SchemaObject {
  let hasAnyJson = false;
  const copy = mapSchema(json, (part, original) => {
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
    if (partMarks.sensitive.has(original) || original["writeOnly"] === true) part.sensitive = true;
    if (partMarks.anyJson.has(original)) {
      hasAnyJson = true;
      part.$ref = `#/$defs/${anyJson}`;
    }
    const by = partMarks.by.get(original);
    if (by !== undefined) decide(part, by, json, original.anyOf!);
  }) as SchemaObject;
  if (hasAnyJson) copy.$defs = { ...copy.$defs, [anyJson]: anyJsonPart() };
  return copy;
}

/** Makes a union of objects check the deciding member first, then only the part that it means. */
function decide(part: SchemaObject, by: string, json: SchemaObject, exported: readonly SchemaNode[]): void {
  const cases: SchemaObject[] = [];
  for (const [index, branch] of exported.entries()) {
    const values = targetOf(json, targetOf(json, branch).properties?.[by]).enum;
    if (values === undefined) continue;
    const test = { type: "object", properties: { [by]: { enum: values } }, required: [by] };
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nobody awaits a schema
    cases.push({ if: test, then: part.anyOf![index]! });
  }
  part.type = cases.length < exported.length ? ["object", "null"] : "object";
  part.properties = { [by]: { enum: cases.flatMap((one) => caseValues(one, by)) } };
  part.required = [by];
  part.allOf = cases;
  part.by = by;
  delete part.anyOf;
}

/** Numbers are finite and `__proto__` is refused, at every depth. */
function anyJsonPart(): SchemaObject {
  const again = { $ref: `#/$defs/${anyJson}` };
  return {
    type: ["string", "number", "boolean", "null", "array", "object"],
    minimum: -Number.MAX_VALUE,
    maximum: Number.MAX_VALUE,
    items: again,
    patternProperties: { "^__proto__$": false },
    additionalProperties: again,
  };
}

function bound(part: SchemaObject, max: number): void {
  part.minimum = Math.max(part.minimum ?? -Infinity, -max);
  part.maximum = Math.min(part.maximum ?? Infinity, max);
}
