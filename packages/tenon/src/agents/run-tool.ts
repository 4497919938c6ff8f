import { nothingUsed } from "../finops/lost-usage.js";
import type { Scope, Steps } from "../journal/engine.js";
import type { Outcome } from "../protocol/outcome.js";
import type { ToolFailure } from "../protocol/tool-result.js";
import { failure } from "../tools/invoke-tool.js";
import { callOp } from "./call-steps.js";
import { countTurn } from "./count-calls.js";
import { tellTurnEnd } from "./replay-events.js";
import type { RunState } from "./run-state.js";
import { canceled, stopBeforeCalls } from "./stop-rules.js";
import { toolOfRun, shownPrompt } from "./tool-run.js";
import { notRun, resultPart } from "./transcript.js";
import { callIdStart, callsOf, modelKey, type CallRecord, type TurnRecord } from "./turn-record.js";

/** Who asked, where no model did. */
export const NO_MODEL = "none";

/**
 * A run of one call: one turn whose call comes from the run's input in place of a model's answer, and no other. The records are
 * those of a turn of an agent, so everything that reads a journal reads these.
 */
export function* runTool(scope: Scope, state: RunState, fresh: boolean): Steps<Outcome> {
  const { run, agent } = state.ports;
  const { threadId } = run;
  if (!fresh) state.told = new Set();
  if (fresh) state.emit?.({ type: "run-start", threadId, agent: agent.name, prompt: shownPrompt(run) });
  else state.emit?.({ type: "run-resumed", threadId, agent: agent.name, turn: 1 });
  if (state.stopped !== undefined && !scope.recordedBefore(modelKey(1))) return canceled(state);

  state.emit?.({ type: "turn-start", turn: 1, agent: agent.name });
  const [asked] = (yield [{ type: "run", key: modelKey(1), task: "asked", input: {} }]) as readonly [
    TurnRecord & { kind: "answer" },
  ];
  const calls = callsOf(asked.parts);
  const call = calls[0]!;
  const { callId, name } = call;
  state.emit?.({ type: "tool-call", turn: 1, callId, name, arguments: call.arguments });
  let over = stopBeforeCalls(state, 1);
  if (over === undefined && agent.budget?.callLimits !== undefined) over = yield* countTurn(scope, state, 1, calls);
  const stopped = state.stopped === undefined ? undefined : (notRun(name) as ToolFailure);
  const why = over === undefined ? stopped : failure("limit", over.why);
  const [record] = (yield [callOp(state, scope, 1, call, why)]) as readonly [CallRecord];
  if (record.costNanoUsd !== undefined) state.usage.toolNanoUsd += record.costNanoUsd;
  tellTurnEnd(state, 1, asked.finish, calls, [record]);
  if (over !== undefined) return over.outcome;
  state.usage.toolCalls += 1;
  if (state.stopped !== undefined) return canceled(state);
  const text = resultPart(call, record).content;
  return { status: "completed", stopReason: "answer", text, usage: state.usage.toRunUsage() };
}

/** Task `asked`: the call that the run's input is, in the form in which a model's answer is recorded. */
export function askedCall({ ports: { run } }: RunState): TurnRecord {
  const callId = `${callIdStart(run.id, 1)}1`;
  return {
    kind: "answer",
    parts: [{ type: "tool-call", callId, wireId: callId, name: toolOfRun(run.agent)!, arguments: run.prompt }],
    finish: "tool-calls",
    usage: nothingUsed,
    model: NO_MODEL,
  };
}
