import type { JsonValue } from "../protocol/json.js";
import { TenonError } from "./tenon-error.js";

/** A scripted model was asked more often, or less often, than its script says. `data.model` names it. */
export class ScriptError extends TenonError<"script_error"> {
  static readonly code = "script_error";
  constructor(what: string, value: string, next: string, data: { readonly [key: string]: JsonValue | undefined } = {}) {
    super("script_error", { what, value, next }, data);
  }
}
