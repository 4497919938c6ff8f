import { LimitExceededError } from "../errors/run-errors.js";
import { ModelError } from "../errors/environment-errors.js";
import type { ErrorData, Outcome, StopReason } from "../protocol/outcome.js";
import type { FinishReason } from "../protocol/usage.js";
import { countText } from "../util/count-text.js";
import type { RunState } from "./run-state.js";
import { unboundModels } from "./unbound-models.js";

/** Whether the run may call its model once more: not when it is canceled, over its model calls, or what they may cost cannot be told. */
export function stopBeforeModel(state: RunState): Outcome | undefined {
  const { agent } = state.ports;
  const { usage } = state;
  if (state.stopped !== undefined) return canceled(state);
  if (usage.modelCalls >= agent.maxModelCalls) {
    const limit = `agents.${agent.name}.limits.modelCalls`;
    return failed(
      state,
      "limit",
      new LimitExceededError(
        "The agent used up its model calls without an answer",
        limit,
        agent.maxModelCalls,
        "Raise `maxModelCalls`, or look in the run why it needs so many.",
      ).toJSON(),
    );
  }
  const unbound = agent.budget === undefined ? undefined : unboundModels(state);
  return unbound === undefined ? undefined : failed(state, "budget", unbound);
}

/** Why a turn runs none of its calls, and how its run ends. */
export interface OverLimit {
  readonly outcome: Outcome;
  readonly why: string;
}

/** Whether a turn with that many calls may run them: where it would go over, it runs none of them. */
export function stopBeforeCalls(state: RunState, count: number): OverLimit | undefined {
  const { agent } = state.ports;
  const ofRun = agent.budget?.toolCalls ?? Infinity;
  const max = Math.min(agent.maxToolCalls, ofRun);
  if (state.usage.toolCalls + count <= max) return undefined;
  const limit = ofRun < agent.maxToolCalls ? "limits.perRun.toolCalls" : `agents.${agent.name}.limits.toolCalls`;
  const error = new LimitExceededError(
    `The agent asked for ${countText(state.usage.toolCalls + count, "tool call")}`,
    limit,
    max,
    "Raise the limit, or look in the run why it needs so many.",
  );
  return {
    outcome: failed(state, "limit", error.toJSON()),
    why: `not started: the run may make ${countText(max, "tool call")}, and this turn went over that`,
  };
}

/** The end of an answer that asks for no calls. One that broke off, or is empty because it was cut, is a failure. */
export function completed(state: RunState, text: string, finish: FinishReason): Outcome {
  const broken =
    finish === "error" ||
    finish === "interrupted" ||
    (text === "" && (finish === "length" || finish === "content-filter"));
  if (broken)
    return failed(
      state,
      "error",
      new ModelError(state.ports.model.id, `the answer ended with "${finish}"`, {}).toJSON(),
    );
  const ended: Outcome = { status: "completed", stopReason: "answer", text, usage: state.usage.toRunUsage() };
  return finish === "length" || finish === "content-filter" ? { ...ended, finish } : ended;
}

/** The end of a run that was stopped: by a cancel, or because its time was over. */
export function canceled(state: RunState): Outcome {
  const { wallTime } = state;
  if (wallTime?.over === true) return failed(state, "limit", wallTime.error.toJSON());
  return { status: "cancelled", stopReason: "cancel", text: "", usage: state.usage.toRunUsage() };
}

export function failed(state: RunState, stopReason: StopReason, error: ErrorData): Outcome {
  return { status: "failed", stopReason, text: "", usage: state.usage.toRunUsage(), error };
}
