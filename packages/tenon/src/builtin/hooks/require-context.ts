import { BadInputError, type BeforeCallDecision, type CallHook } from "tenon";

/**
 * Lets calls through only where `predicate` says exactly `true` of the caller's execution context.
 *
 * Before-hook, for reads and writes. Anything else denies, and the model reads `reason`: false, another value that counts as true,
 * a throw, a rejection. A predicate that has not answered in five seconds denies too, as any hook does. Asked once at admission,
 * not on a replay, and once more for an input that a person changed, with the context that the run has then. Keeps no state.
 * Throws `BadInputError` for a predicate that is no function and a reason without text.
 */
export function requireContext<Caller = any>(
  predicate: (context: Caller) => boolean | Promise<boolean>,
  reason: string,
): CallHook<Caller> {
  if (typeof predicate !== "function")
    throw new BadInputError(
      "requireContext takes a predicate",
      typeof predicate,
      "Pass a function of the execution context that gives true or false.",
    );
  if (typeof reason !== "string" || reason.trim() === "")
    throw new BadInputError("requireContext takes a reason", typeof reason, "Pass the text that the model reads.");
  const decided = (holds: unknown): BeforeCallDecision =>
    holds === true ? { action: "allow" } : { action: "deny", reason };
  return {
    onBeforeCall(ctx) {
      try {
        const holds: unknown = predicate(ctx.context);
        return isThenable(holds) ? Promise.resolve(holds).then(decided, () => decided(undefined)) : decided(holds);
      } catch {
        return decided(undefined);
      }
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
