import { checkOptions, filledText, maybe } from "../../config/options.js";
import { BadInputError } from "../../errors/run-errors.js";
import type { McpCaller } from "./tool-port.js";

/**
 * What `authorize` says of a caller. Throws `BadInputError` for anything that is not clearly one: whoever has no owner by a slip
 * would share the runs of all the others that have none.
 */
export function readCaller(given: unknown): McpCaller {
  const fault = callerFault(given);
  if (fault !== undefined) throw noCaller(fault);
  const { owner, executionContext } = given as McpCaller;
  return { owner, executionContext };
}

/** Why a value is not clearly a caller. */
export function callerFault(given: unknown): string | undefined {
  const faults = checkOptions(given, { owner: maybe(ownerRule), executionContext: () => undefined });
  return faults.length === 0 ? undefined : faults.join("; ");
}

/** What a name of an owner must be. Two that are told apart here are told apart where they are stored. */
function ownerRule(owner: unknown): string | undefined {
  const fault = filledText("owner")(owner);
  if (fault !== undefined) return fault;
  return (owner as string).isWellFormed() ? undefined : "owner must be well-formed, without half characters";
}

/** What the author of `authorize` is told where it did not say who calls. */
export function noCaller(what: string): BadInputError {
  return new BadInputError(
    "`authorize` did not clearly say who calls",
    what,
    "Give `{ owner, executionContext }`, or `undefined` to refuse; the request was refused.",
  );
}
