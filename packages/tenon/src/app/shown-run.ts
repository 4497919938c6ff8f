import type { JsonObject } from "../protocol/json.js";
import type { Decision, PauseAudit } from "../protocol/pause.js";
import { maskedJson } from "../tools/masked-json.js";
import type { Mask } from "../tools/value-mask.js";
import type { RunCall, RunDetails, RunTurn } from "./run-details.js";
import type { RunSummary } from "./run-summary.js";
import { shownError, shownPause, shownResult } from "./shown-event.js";

/** A run in a list as it is shown. */
export function shownSummary<S extends RunSummary>(summary: S, mask: Mask | undefined): S {
  return mask === undefined ? summary : { ...summary, prompt: mask(summary.prompt) };
}

/** A run with what it did, as it is shown: who decided what about it, ids and names stay. */
export function shownDetails(details: RunDetails, mask: Mask | undefined): RunDetails {
  if (mask === undefined) return details;
  return {
    ...shownSummary(details, mask),
    metadata: maskedJson(details.metadata, mask) as JsonObject,
    turns: details.turns.map((turn) => shownTurn(turn, mask)),
    pauses: details.pauses.map((pause) => shownPause(pause, mask)),
    audit: details.audit.map((entry) => shownEntry(entry, mask)),
    text: mask(details.text),
    error: details.error === undefined ? undefined : shownError(details.error, mask),
  };
}

function shownTurn(turn: RunTurn, mask: Mask): RunTurn {
  return {
    ...turn,
    failedAttempts: turn.failedAttempts.map(({ model, error }) => ({ model, error: shownError(error, mask) })),
    text: mask(turn.text),
    calls: turn.calls.map((call) => shownCall(call, mask)),
    error: turn.error === undefined ? undefined : shownError(turn.error, mask),
  };
}

function shownCall({ input, result, ...call }: RunCall, mask: Mask): RunCall {
  return {
    ...call,
    tool: mask(call.tool),
    input: input === undefined ? undefined : maskedJson(input, mask),
    result: result === undefined ? undefined : shownResult(result, mask),
  };
}

function shownEntry(entry: PauseAudit, mask: Mask): PauseAudit {
  const { decision } = entry;
  const pause = shownPause(entry.pause, mask);
  if (decision === undefined || "lapsed" in decision) return { ...entry, pause };
  const said = decision as unknown as JsonObject;
  const shown = Object.entries(said).map(([name, value]) => [
    name,
    value !== undefined && saidMembers.has(name) ? maskedJson(value, mask) : value,
  ]);
  return { ...entry, pause, decision: Object.fromEntries(shown) as Decision };
}

/** What of a decision is in somebody's own words. */
const saidMembers: ReadonlySet<string> = new Set(["edit", "answer", "result", "reason"]);
