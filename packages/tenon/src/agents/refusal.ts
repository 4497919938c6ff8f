import type { Decision, Lapsed } from "../protocol/pause.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { failure } from "../tools/invoke-tool.js";

/**
 * The result of a call that a person, or the end of the waiting, refused; `undefined` where it may go on. `what` says what
 * became of it: `was not started`.
 */
export function refusalBy(
  name: string,
  decision: Decision | Lapsed | undefined,
  what: string,
): ToolFailure | undefined {
  if (decision === undefined) return failure("cancelled", `${name} ${what}: the run was stopped`);
  if ("lapsed" in decision) {
    switch (decision.lapsed) {
      case "expired":
        return failure("expired", `${name} ${what}: nobody answered in time`);
      case "superseded":
        return failure("denied", `${name} ${what}: superseded by a newer message`);
      case "cancelled":
        return failure("cancelled", `${name} ${what}: the run was stopped`);
    }
  }
  if (!("approved" in decision)) return failure("denied", `${name} ${what}: it was not approved`);
  return decision.approved ? undefined : failure("denied", `${name} was not approved: ${decision.reason}`);
}

/** The result of a call whose outcome nobody can tell, with what a person said of it. */
export function givenUp(known: ToolFailure, decision: Decision | Lapsed | undefined): ToolFailure {
  if (decision === undefined || !("action" in decision) || decision.action !== "give-up") return known;
  return decision.reason === undefined ? known : { ...known, message: `${known.message} (${decision.reason})` };
}
