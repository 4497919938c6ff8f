import type { JsonObject, JsonValue } from "../protocol/json.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { canonicalJson } from "../util/canonical-json.js";
import { chain, type Maybe } from "../util/class.js";
import type { BoundTool } from "./bound-tool.js";
import type { CallEnvironment } from "./call-environment.js";
import { editedInput } from "./edit-input.js";
import { validated } from "./checked-values.js";
import { failure, type CallRequest } from "./invoke-tool.js";
import { NotReady, openHandler } from "./open-handler.js";
import { askHooks, hooksOf } from "./run-hooks.js";
import { shownInput } from "./shown-input.js";

export type Reviewed = { readonly input: JsonValue } | { readonly denied: ToolFailure };

/**
 * An input that a person changed, on its way to the handler: it has to fit today's tool, and the before-hooks may allow or deny
 * it. A hook that would change it denies it; one that asks has its answer: a person has decided.
 */
export function review(
  call: CallRequest,
  tool: BoundTool,
  input: JsonValue,
  edit: JsonObject,
  environment: CallEnvironment,
): Maybe<Reviewed> {
  const shown = shownInput(tool, input, environment.mask);
  return chain(editedInput(tool, input, edit, environment, shown), (edited): Maybe<Reviewed> => {
    if ("message" in edited)
      return denied("tool_gone", `${tool.name} changed since its input was edited: ${edited.message}`);
    return chain(openHandler(tool, environment), (handler): Maybe<Reviewed> => {
      if (handler instanceof NotReady) return { denied: handler.result };
      const hooks = hooksOf(tool, handler, environment);
      if (hooks === undefined) return edited;
      const hooked = { callId: call.callId, name: call.name, tool, edited: true } as const;
      const verdict = askHooks(hooks, hooked, edited.input, environment, (given) =>
        validated(tool, given, environment),
      );
      return chain(verdict, (given): Reviewed => {
        if ("denied" in given) return denied("denied", `${tool.name} was not allowed: ${given.denied}`);
        const changed = given.modified && canonicalJson(given.input) !== canonicalJson(edited.input);
        if (changed) return denied("denied", `${tool.name} was not allowed: a check would change the edited input`);
        return edited;
      });
    });
  });
}

function denied(code: "denied" | "tool_gone", message: string): Reviewed {
  return { denied: failure(code, message) };
}
