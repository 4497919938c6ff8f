import type { JsonObject } from "../protocol/json.js";
import { partMarks } from "./part-marks.js";
import { mapSchema } from "./schema-node.js";

/** A schema as it is stored: parts whose values are not shown say so themselves, as `writeOnly` (draft 2020-12). */
export function storedJson(json: JsonObject): JsonObject {
  return mapSchema(json, (part, original) => {
    if (partMarks.sensitive.has(original)) part["writeOnly"] = true;
  }) as JsonObject;
}
