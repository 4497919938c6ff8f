import { BadInputError, DecisionRefusedError, RunNotFoundError } from "../errors/run-errors.js";
import type { Decision } from "../protocol/pause.js";
import type { JsonValue } from "../protocol/json.js";
import type { Signal, SignalResult } from "../journal/store.js";

/** Decisions by the id of their pause. */
export type Decisions = { readonly [pauseId: string]: Decision };

/** Decisions as the engine takes them; throws for anything that is not clearly one, and takes none then. */
export function toSignals(decisions: Decisions): readonly Signal[] {
  if (typeof decisions !== "object" || decisions === null || !isPlain(decisions))
    throw new BadInputError(
      "Decisions are given by pause id",
      typeof decisions,
      "Pass `{ [pauseId]: { approved: true, by } }`.",
    );
  return Object.entries(decisions).map(([pauseId, decision]) => ({
    id: pauseId,
    name: pauseId,
    value: checked(pauseId, decision),
  }));
}

/** Throws where the engine did not take these decisions. */
export function checkTaken(runId: string, signals: readonly Signal[], result: SignalResult): void {
  if (result.kind === "absent") throw new RunNotFoundError(runId);
  if (result.kind === "ended")
    throw new DecisionRefusedError("The run has ended", signals[0]!.name, "Nothing waits for a decision any more.");
  if (result.kind !== "refused") return;
  if (result.why === "unknown")
    throw new DecisionRefusedError(
      "The run has no such pause",
      result.name,
      "Look at the run's open pauses; nothing was taken.",
    );
  throw new DecisionRefusedError(
    "The pause was answered otherwise",
    result.name,
    "The first decision counts; nothing was taken.",
  );
}

function checked(pauseId: string, decision: unknown): JsonValue {
  const { approved, by, reason, ...rest } = (
    typeof decision === "object" && decision !== null ? decision : {}
  ) as Record<string, unknown>;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) throw refusedDecision(pauseId, `The decision has an unknown member \`${unknown}\``);
  if (approved === true && isFilled(by) && reason === undefined) return { approved, by };
  if (approved === false && isFilled(reason) && (by === undefined || isFilled(by)))
    return by === undefined ? { approved, reason } : { approved, reason, by };
  throw refusedDecision(pauseId, "This is no clear decision");
}

function refusedDecision(pauseId: string, what: string): DecisionRefusedError {
  return new DecisionRefusedError(
    what,
    pauseId,
    "Give `{ approved: true, by }` or `{ approved: false, reason }`; the run still waits.",
  );
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
