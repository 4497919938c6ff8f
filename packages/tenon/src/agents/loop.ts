import type { Op, Scope, Steps } from "../journal/engine.js";
import type { ToolCallPart, ToolResultPart } from "../protocol/message.js";
import type { Outcome } from "../protocol/outcome.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { failure } from "../tools/invoke-tool.js";
import { chain, type Maybe } from "../util/class.js";
import { askForBudget } from "./ask-for-budget.js";
import { callOp } from "./call-steps.js";
import { countTurn } from "./count-calls.js";
import { lastRecordedTurn, tellAnswer, tellTurnEnd } from "./replay-events.js";
import { countFirstCalls, noteCalls } from "./repeated-calls.js";
import { takePast } from "./past-runs.js";
import type { RunState } from "./run-state.js";
import { canceled, completed, failed, stopBeforeCalls, stopBeforeModel } from "./stop-rules.js";
import { editsOf, notRun, resultPart, userMessage, withEdits } from "./transcript.js";
import { callsOf, modelKey, textOfParts, type CallRecord, type TurnRecord } from "./turn-record.js";

/** The loop's own version, kept with each run. */
export const LOOP_VERSION = 1;

/** What the agent is shown of the thread's earlier runs; a promise where the store makes one wait. */
export function readPast(state: RunState): Maybe<void> {
  const { ports } = state;
  if (ports.run.n === 1) return undefined;
  return chain(ports.window(), (window) => {
    state.past = takePast(window);
  });
}

/**
 * The loop of an agent: a turn is one model call and the tool calls it asks for, until an answer asks for none or a rule
 * stops it. It is a pure sequence over recorded operations: picked up again it comes to the same place by reading them.
 */
export function* runLoop(scope: Scope, state: RunState, fresh: boolean): Steps<Outcome> {
  const { run, agent } = state.ports;
  state.messages.push(userMessage(run.prompt));
  const shownFrom = fresh ? 1 : lastRecordedTurn(scope);
  if (!fresh) state.told = new Set();
  if (fresh) state.emit?.({ type: "run-start", threadId: run.threadId, agent: agent.name, prompt: run.prompt });
  else state.emit?.({ type: "run-resumed", threadId: run.threadId, agent: agent.name, turn: shownFrom });

  for (let turn = 1; ; turn++) {
    const replayed = scope.recordedBefore(modelKey(turn));
    const stop = replayed ? undefined : stopBeforeModel(state);
    if (stop !== undefined) return stop;

    if (agent.budget?.ask === true) {
      const stopped = yield* askForBudget(scope, state, turn);
      if (stopped !== undefined) return stopped;
    }
    const shown = turn >= shownFrom;
    if (shown) state.emit?.({ type: "turn-start", turn, agent: agent.name });
    const answered = yield [{ type: "run", key: modelKey(turn), task: "model", input: { agent: agent.name, turn } }];
    const answer = answered[0] as TurnRecord;
    state.usage.addModelCall(answer.usage, answer.failedAttempts);
    if (shown) tellAnswer(state, turn, answer, replayed);
    if (answer.kind === "stopped") return canceled(state);
    if (answer.kind === "failed") return failed(state, "error", answer.error);
    if (answer.parts.length > 0) state.messages.push({ role: "assistant", parts: answer.parts });

    const calls = callsOf(answer.parts);
    if (calls.length === 0) {
      if (shown) tellTurnEnd(state, turn, answer.finish, calls, []);
      const outcome = completed(state, textOfParts(answer.parts), answer.finish);
      state.leavePast(outcome);
      return outcome;
    }

    let over = stopBeforeCalls(state, calls.length);
    if (over === undefined && agent.budget?.callLimits !== undefined)
      over = yield* countTurn(scope, state, turn, calls);
    const records = (yield callOps(state, scope, turn, answer, calls, over?.why)) as readonly CallRecord[];
    const edits = editsOf(calls, records);
    // The message was not sent to the model yet.
    if (edits !== undefined)
      state.messages[state.messages.length - 1] = { role: "assistant", parts: withEdits(answer.parts, edits) };
    const parts = takeResults(state, calls, records);
    state.messages.push({ role: "tool", parts });
    if (shown) tellTurnEnd(state, turn, answer.finish, calls, records);
    const repeated = noteCalls(state, { calls, records, parts });
    if (over !== undefined) return over.outcome;
    if (repeated !== undefined) return repeated;
    state.usage.toolCalls += calls.length;
    if (answer.finish === "error" || answer.finish === "interrupted") return completed(state, "", answer.finish);
  }
}

/** The operations of a turn's calls. `overLimit`: why none of them is run. */
function callOps(
  state: RunState,
  scope: Scope,
  turn: number,
  answer: TurnRecord & { kind: "answer" },
  calls: readonly ToolCallPart[],
  overLimit: string | undefined,
): readonly Op[] {
  countFirstCalls(state);
  const ops = new Array<Op>(calls.length);
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]!;
    const why = overLimit === undefined ? refusal(state, answer, call) : failure("limit", overLimit);
    ops[i] = callOp(state, scope, turn, call, why);
  }
  return ops;
}

/** Adds up what the calls of a turn cost, and gives their results as the model sees them. */
function takeResults(
  { usage }: RunState,
  calls: readonly ToolCallPart[],
  records: readonly CallRecord[],
): readonly ToolResultPart[] {
  const parts = new Array<ToolResultPart>(calls.length);
  for (let i = 0; i < calls.length; i++) {
    const record = records[i]!;
    if (record.costNanoUsd !== undefined) usage.toolNanoUsd += record.costNanoUsd;
    parts[i] = resultPart(calls[i]!, record);
  }
  return parts;
}

/** Why a call of this answer is not run: the answer was cut off, or the run is stopped. */
function refusal(
  state: RunState,
  answer: TurnRecord & { kind: "answer" },
  call: ToolCallPart,
): ToolFailure | undefined {
  switch (answer.finish) {
    case "length":
    case "content-filter":
    case "error":
    case "interrupted":
      return failure(
        "cancelled",
        `${call.name} was not started: the answer was cut off before its end (${answer.finish}). Call it again, whole`,
      );
    default:
      return state.stopped === undefined ? undefined : (notRun(call.name) as ToolFailure);
  }
}
