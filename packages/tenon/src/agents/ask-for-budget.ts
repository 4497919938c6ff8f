import { LimitExceededError } from "../errors/run-errors.js";
import { limitExceeded, limitQuestion } from "../finops/limit-exceeded.js";
import { BudgetExhausted } from "../finops/not-reserved.js";
import type { BudgetLimit } from "../finops/ledger.js";
import type { OnEnd, Scope, Steps } from "../journal/engine.js";
import type { JsonObject } from "../protocol/json.js";
import type { ErrorData, Outcome } from "../protocol/outcome.js";
import type { Decision, Lapsed, Pause } from "../protocol/pause.js";
import { digestOf } from "../util/digest.js";
import { ModelTurn } from "./model-turn.js";
import type { RunState } from "./run-state.js";
import { canceled, failed } from "./stop-rules.js";
import { callIdStart, callKey, modelKey } from "./turn-record.js";

/** What is recorded of whether a model call fits its budget, where a person may raise it: `turn:<n>/budget:<k>`. */
export type BudgetRecord =
  | { readonly kind: "fits" }
  | { readonly kind: "over"; readonly limit: BudgetLimit; readonly spent: number; readonly need: number };

/** Task `budget`: reserves for the model call that comes next. */
export function reserveTurn(state: RunState, turn: number, end: OnEnd<BudgetRecord>): void {
  const model = new ModelTurn(state, turn, {
    done: () => end.done({ kind: "fits" }),
    failed: (thrown) => {
      if (!(thrown instanceof BudgetExhausted)) return end.failed(thrown);
      const { limit, spent, need } = thrown;
      end.done({ kind: "over", limit, spent, need });
    },
  });
  model.reserve(() => {
    state.reserved = model;
    end.done({ kind: "fits" });
  });
}

/**
 * Before a model call: where it does not fit a limit, a person is asked to raise it, for this run. Gives how the run ends, where
 * nobody does. What was reserved by a process that is gone is lost: then it is looked again.
 */
export function* askForBudget(scope: Scope, state: RunState, turn: number): Steps<Outcome | undefined> {
  // A turn that was made while nobody was to be asked.
  if (scope.recordedBefore(modelKey(turn)) && !scope.recordedBefore(`turn:${turn}/budget:1`)) return undefined;
  let asked = 0;
  for (let n = 1; ; n++) {
    const key = `turn:${turn}/budget:${n}`;
    const known = scope.recordedBefore(key);
    const [record] = (yield [{ type: "run", key, task: "budget", input: { turn } }]) as readonly [BudgetRecord];
    if (record.kind === "fits") {
      const goesOn = scope.recordedBefore(`turn:${turn}/budget:${n + 1}`) || !scope.recordedBefore(modelKey(turn));
      if (known && goesOn) continue;
      return undefined;
    }
    const about = pauseOf(state, turn, ++asked, record);
    const wait = `${callKey(turn, about.callId)}/wait:${asked}`;
    const [answer] = (yield [{ type: "wait", key: wait, signal: about.id, about }]) as readonly [
      Decision | Lapsed | undefined,
    ];
    if (answer === undefined || "lapsed" in answer) return canceled(state);
    if (!("answer" in answer)) return failed(state, "budget", errorOf(record, answer));
    const { name, measure } = record.limit;
    const by = measure === "cost" ? Math.round((answer.answer as number) * 1e9) : (answer.answer as number);
    state.raised = new Map(state.raised).set(name, (state.raised?.get(name) ?? 0) + by);
  }
}

function errorOf({ limit, spent, need }: BudgetRecord & { kind: "over" }, decision: Decision): ErrorData {
  const { message, data } = limitExceeded(limit, spent, need);
  const reason = "reason" in decision && decision.reason !== undefined ? ` It was not raised: ${decision.reason}` : "";
  return { code: LimitExceededError.code, message: message + reason, data };
}

function pauseOf(state: RunState, turn: number, n: number, record: BudgetRecord & { kind: "over" }): Pause {
  const { limit, spent, need } = record;
  const { measure, name, max } = limit;
  const unit = measure === "cost" ? 1e9 : 1;
  const callId = `${callIdStart(state.runId, turn)}0`;
  const input: JsonObject = { limit: name, max: max / unit, spent: spent / unit, need: need / unit };
  return {
    id: `pause_${callId}_${n}`,
    runId: state.runId,
    threadId: state.threadId,
    kind: "question",
    question: limitQuestion(limit, spent, need),
    agent: state.agent,
    tool: name,
    callId,
    input,
    digest: digestOf(callId, input),
    openedAt: state.clock.now(),
    schema:
      measure === "cost"
        ? { type: "number", exclusiveMinimum: 0, maximum: 1_000_000 }
        : { type: "integer", minimum: 1, maximum: 1_000_000_000_000 },
  };
}
