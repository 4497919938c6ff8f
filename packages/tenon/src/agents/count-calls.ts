import { limitExceeded } from "../finops/limit-exceeded.js";
import type { BudgetLimit } from "../finops/ledger.js";
import type { Scope, Steps } from "../journal/engine.js";
import type { ToolCallPart } from "../protocol/message.js";
import { chain, type Maybe } from "../util/class.js";
import type { RunState } from "./run-state.js";
import { failed, type OverLimit } from "./stop-rules.js";
import { callKey } from "./turn-record.js";

/** What is recorded of whether the calls of a turn fit the limits of a day: `turn:<n>/count`. */
export type CountRecord =
  | { readonly kind: "counted" }
  | { readonly kind: "over"; readonly limit: BudgetLimit; readonly spent: number; readonly need: number };

/** Before the calls of a turn, where a day limits them: counts all of them, or none and says how the run ends. */
export function* countTurn(
  scope: Scope,
  state: RunState,
  turn: number,
  calls: readonly ToolCallPart[],
): Steps<OverLimit | undefined> {
  const key = `turn:${turn}/count`;
  // None of them runs any more, or they began before anything limited them.
  const isNoMatter =
    state.stopped !== undefined || calls.some(({ callId }) => begunBefore(scope, callKey(turn, callId)));
  if (isNoMatter && !scope.recordedBefore(key)) return undefined;
  const input = { calls: calls.length };
  const [record] = (yield [{ type: "run", key, task: "count", input }]) as readonly [CountRecord];
  if (record.kind === "counted") return undefined;
  const { limit, spent, need } = record;
  return {
    outcome: failed(state, "budget", limitExceeded(limit, spent, need).toJSON()),
    why: `not started: ${limit.max} tool calls may be made in a day, and this turn went over that`,
  };
}

/** Task `count`. Counts up to what the run asked for in all: made again, it counts nothing twice. */
export function countCalls(state: RunState, { calls }: { readonly calls: number }): Maybe<CountRecord> {
  const { run, agent, clock, reservations } = state.ports;
  const { id: runId, workflow, owner } = run;
  const counted = reservations!.count({
    runId,
    at: clock.now(),
    workflow,
    owner,
    agent: agent.name,
    runTotal: state.usage.toolCalls + calls,
    limits: agent.budget?.callLimits ?? [],
  });
  return chain(counted, (result): CountRecord => {
    if (result.kind === "counted") return result;
    const { limit, spent, need } = result;
    return { kind: "over", limit, spent, need };
  });
}

function begunBefore(scope: Scope, key: string): boolean {
  return scope.recordedBefore(key) || scope.recordedBefore(`${key}/admit`);
}
