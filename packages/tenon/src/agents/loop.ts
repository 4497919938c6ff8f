import type { Scope } from "../journal/engine.js";
import type { ToolCallPart } from "../protocol/message.js";
import type { Outcome } from "../protocol/outcome.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { failure } from "../tools/invoke-tool.js";
import { isPromise } from "../util/class.js";
import { callOp } from "./call-steps.js";
import { lastRecordedTurn, tellAnswer, tellTurnEnd } from "./replay-events.js";
import { noteCalls } from "./repeated-calls.js";
import type { RunState } from "./run-state.js";
import { canceled, completed, failed, stopBeforeCalls, stopBeforeModel } from "./stop-rules.js";
import { settledCalls } from "./settle-calls.js";
import { editsOf, messagesOf, notRun, resultPart, userMessage, withEdits } from "./transcript.js";
import { callsOf, modelKey, textOfParts, type CallRecord, type OpenRecord, type TurnRecord } from "./turn-record.js";

/** The loop's own version, kept with each run. */
export const LOOP_VERSION = 1;

/**
 * The loop of an agent: a turn is one model call and the tool calls it asks for, until an answer asks for none or a rule
 * stops it. It is a pure sequence over recorded operations: picked up again it comes to the same place by reading them.
 */
export async function runLoop(scope: Scope, state: RunState, fresh: boolean): Promise<Outcome> {
  const { run, agent } = state.ports;
  if (run.n > 1) {
    const past = state.ports.window();
    for (const ended of isPromise(past) ? await past : past)
      for (const message of messagesOf(ended)) state.messages.push(message);
  }
  state.messages.push(userMessage(run.prompt));
  const shownFrom = fresh ? 1 : lastRecordedTurn(scope);
  if (!fresh) state.told = new Set();
  if (fresh) state.emit?.({ type: "run-start", threadId: run.threadId, agent: agent.name, prompt: run.prompt });
  else state.emit?.({ type: "run-resumed", threadId: run.threadId, agent: agent.name, turn: shownFrom });

  for (let turn = 1; ; turn++) {
    const replayed = scope.recordedBefore(modelKey(turn));
    const stop = replayed ? undefined : stopBeforeModel(state);
    if (stop !== undefined) return stop;

    const shown = turn >= shownFrom;
    if (shown) state.emit?.({ type: "turn-start", turn, agent: agent.name });
    const asked = scope.all([{ type: "run", key: modelKey(turn), task: "model", input: { agent: agent.name, turn } }]);
    const answer = (isPromise(asked) ? await asked : asked)[0] as TurnRecord;
    state.usage.addModelCall(answer.usage);
    if (shown) tellAnswer(state, turn, answer, replayed);
    if (answer.kind === "stopped") return canceled(state);
    if (answer.kind === "failed") return failed(state, "error", answer.error);
    if (answer.parts.length > 0) state.messages.push({ role: "assistant", parts: answer.parts });

    const calls = callsOf(answer.parts);
    if (calls.length === 0) {
      if (shown) tellTurnEnd(state, turn, answer.finish, calls, []);
      return completed(state, textOfParts(answer.parts), answer.finish);
    }

    const over = stopBeforeCalls(state, calls.length);
    const operations = calls.map((call) =>
      callOp(state, scope, turn, call, over === undefined ? refusal(state, answer, call) : failure("limit", over.why)),
    );
    const settled = scope.all(operations);
    const first = (isPromise(settled) ? await settled : settled) as readonly (CallRecord | OpenRecord)[];
    const made = settledCalls(scope, turn, calls, first);
    const records = isPromise(made) ? await made : made;
    const edits = editsOf(calls, records);
    // The message was not sent to the model yet.
    if (edits !== undefined)
      state.messages[state.messages.length - 1] = { role: "assistant", parts: withEdits(answer.parts, edits) };
    for (const { costNanoUsd } of records) if (costNanoUsd !== undefined) state.usage.toolNanoUsd += costNanoUsd;
    const parts = calls.map((call, i) => resultPart(call, records[i]!));
    state.messages.push({ role: "tool", parts });
    if (shown) tellTurnEnd(state, turn, answer.finish, calls, records);
    const repeated = noteCalls(state, calls, records, parts);
    if (over !== undefined) return over.outcome;
    if (repeated !== undefined) return repeated;
    state.usage.toolCalls += calls.length;
    if (answer.finish === "error" || answer.finish === "interrupted") return completed(state, "", answer.finish);
  }
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
