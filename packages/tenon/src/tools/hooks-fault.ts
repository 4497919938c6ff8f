import { isClass } from "../util/class.js";
import { isValueMask, watchesCalls } from "./value-mask.js";

/** What is wrong with the `hooks` of an app, a workflow or an agent, if anything. */
export function hooksFault(value: unknown): string | undefined {
  return firstFault(value, (hook) => {
    if (isClass(hook))
      return hook.prototype !== undefined && "maskText" in hook.prototype
        ? "is a class with maskText: give an object that masks, such as maskValues(…)"
        : undefined;
    if (!isValueMask(hook)) return callHookFault(hook);
    return typeof hook.maskText === "function" ? undefined : "has a maskText that is no function";
  });
}

/** What is wrong with the `hooks` of a tool, if anything. */
export function toolHooksFault(value: unknown): string | undefined {
  return firstFault(value, (hook) => {
    if (isValueMask(hook)) return "masks what is shown: put it in the hooks of the agent or the app";
    return isClass(hook) ? undefined : callHookFault(hook);
  });
}

function callHookFault(hook: unknown): string | undefined {
  return typeof hook === "object" && hook !== null && watchesCalls(hook)
    ? undefined
    : "has neither onBeforeCall nor onAfterCall";
}

function firstFault(value: unknown, faultOf: (hook: unknown) => string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return "hooks must be a list";
  for (const [i, hook] of value.entries()) {
    const fault = faultOf(hook);
    if (fault !== undefined) return `hooks[${i}] ${fault}`;
  }
  return undefined;
}
