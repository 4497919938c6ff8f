import { toErrorData } from "../errors/tenon-error.js";
import type { AnswerPart, ModelAnswer } from "../llm/model.js";
import { toUsage } from "../llm/v4-usage.js";
import type { RunState } from "./run-state.js";
import type { TurnRecord } from "./turn-record.js";
import { withCallIds } from "./wire-ids.js";

/**
 * One model call: streams where somebody listens, else generates; both give the same record. A failure or a stop is a
 * record too, with what it used as far as that can be told.
 */
export function callModel(state: RunState, turn: number): Promise<TurnRecord> {
  const { model, agent, tools } = state.ports;
  const request = {
    system: agent.system,
    messages: state.messages,
    tools: tools.declarations,
    signal: state.signal,
    memo: state.memo,
    settings: agent.settings,
  };
  const { emit } = state;
  let shown = "";
  let answer: PromiseLike<ModelAnswer>;
  try {
    answer =
      emit === undefined
        ? model.generate(request)
        : model.stream(request, (type, text) => {
            shown += text;
            emit({ type, turn, text });
          });
  } catch (thrown) {
    answer = Promise.reject(thrown);
  }
  return answer.then(
    ({ parts, finish, usage }): TurnRecord => ({
      kind: "answer",
      parts: withCallIds(withoutEmptyText(parts), state.runId, turn, state),
      finish,
      usage,
      model: model.id,
    }),
    (thrown: unknown): TurnRecord => {
      const usage = toUsage({ usage: undefined, metadata: undefined, free: model.free }, request, [
        { type: "text", text: shown },
      ]);
      if (state.stopped !== undefined) return { kind: "stopped", usage, model: model.id };
      return { kind: "failed", error: toErrorData(thrown), usage, model: model.id };
    },
  ) as Promise<TurnRecord>;
}

function withoutEmptyText(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  for (const part of parts) {
    if (part.type === "text" && part.text === "")
      return parts.filter((other) => other.type !== "text" || other.text !== "");
  }
  return parts;
}
