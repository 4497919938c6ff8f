import type { JsonValue } from "../protocol/json.js";
import type { BoundTool } from "./bound-tool.js";
import { maskedJson } from "./masked-json.js";
import type { Mask } from "./value-mask.js";

/** The input of a call as it may be shown: values of sensitive fields are masked, and what else is not shown. */
export function shownInput(tool: BoundTool, input: JsonValue, mask: Mask | undefined): JsonValue {
  const masked = tool.input.mask(input);
  return mask === undefined ? masked : maskedJson(masked, mask);
}
