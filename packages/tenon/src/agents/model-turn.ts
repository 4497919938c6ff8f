import { pricedUsage } from "../finops/priced-usage.js";
import type { OnEnd } from "../journal/engine.js";
import { toErrorData } from "../errors/tenon-error.js";
import type { AnswerPart, ModelAnswer, ModelEnd, ModelRequest } from "../llm/model.js";
import { toUsage } from "../llm/v4-usage.js";
import type { Usage } from "../protocol/usage.js";
import { ModelReservation, type ReservedCall } from "./model-reservation.js";
import type { RunState } from "./run-state.js";
import type { TurnRecord } from "./turn-record.js";
import { withCallIds } from "./wire-ids.js";

/**
 * One model call: streams where somebody listens, else generates; both give the same record. A failure or a stop is a
 * record too, with what it used as far as that can be told.
 */
export class ModelTurn implements ModelEnd, ReservedCall {
  readonly #state: RunState;
  readonly #turn: number;
  #end: OnEnd<TurnRecord>;
  #reserved: (() => void) | undefined;
  readonly #request: ModelRequest;
  /** The text that was streamed so far. */
  #shown = "";
  /** What was reserved for the call, under a budget. */
  #reservation: ModelReservation | undefined;

  constructor(state: RunState, turn: number, end: OnEnd<TurnRecord>) {
    const { agent, tools } = state.ports;
    this.#state = state;
    this.#turn = turn;
    this.#end = end;
    this.#request = {
      system: agent.system,
      past: state.past,
      messages: state.messages,
      tools: tools.declarations,
      signal: state.signal,
      calls: state.calls,
      memo: state.memo,
      settings: agent.settings,
    };
  }

  /** Only reserves, for the same turn to be made later: `end` hears why it must not be. */
  reserve(reserved: () => void): void {
    this.#reserved = reserved;
    this.begin();
  }

  /** Makes the call that was reserved for. */
  goOn(end: OnEnd<TurnRecord>): void {
    this.#end = end;
    this.call();
  }

  begin(): void {
    const { reservations } = this.#state.ports;
    if (reservations === undefined) return this.call();
    this.#reservation = new ModelReservation(this.#state, reservations, this.#turn, this);
    this.#reservation.begin(this.#request);
  }

  call(): void {
    const reserved = this.#reserved;
    if (reserved !== undefined) {
      this.#reserved = undefined;
      return reserved();
    }
    const { emit, ports } = this.#state;
    const turn = this.#turn;
    const onDelta =
      emit === undefined
        ? undefined
        : (type: "text-delta" | "reasoning-delta", text: string): void => {
            this.#shown += text;
            emit({ type, turn, text });
          };
    ports.model.call(this.#request, onDelta, this);
  }

  answered({ parts, finish, usage }: ModelAnswer): void {
    const state = this.#state;
    let own;
    try {
      own = withCallIds(withoutEmptyText(parts), state.runId, this.#turn, state);
    } catch (thrown) {
      return this.refused(thrown);
    }
    this.#done({ kind: "answer", parts: own, finish, usage: this.#priced(usage), model: state.ports.model.id });
  }

  failed(thrown: unknown): void {
    const { model } = this.#state.ports;
    const usage = this.#used();
    if (this.#state.stopped !== undefined) this.#done({ kind: "stopped", usage, model: model.id });
    else this.#done({ kind: "failed", error: toErrorData(thrown), usage, model: model.id });
  }

  refused(thrown: unknown): void {
    this.#end.failed(thrown);
  }

  #done(record: TurnRecord): void {
    if (this.#reservation === undefined) return this.#end.done(record);
    this.#reservation.settle(
      record.usage,
      () => this.#end.done(record),
      (thrown) => this.#end.failed(thrown),
    );
  }

  /** An estimate: what was asked, and what came of the answer. */
  #used(): Usage {
    const { free } = this.#state.ports.model;
    const parts: readonly AnswerPart[] = [{ type: "text", text: this.#shown }];
    return this.#priced(toUsage({ usage: undefined, metadata: undefined, free }, this.#request, parts));
  }

  #priced(usage: Usage): Usage {
    if (usage.costNanoUsd !== undefined) return usage;
    const { prices, model } = this.#state.ports;
    return pricedUsage(usage, prices.of(model));
  }
}

/** Task `model`: the call of a turn, also one that was reserved for before. */
export function beginTurn(state: RunState, turn: number, end: OnEnd<TurnRecord>): void {
  const { reserved } = state;
  state.reserved = undefined;
  if (reserved === undefined) new ModelTurn(state, turn, end).begin();
  else reserved.goOn(end);
}

function withoutEmptyText(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  for (const part of parts) {
    if (part.type === "text" && part.text === "")
      return parts.filter((other) => other.type !== "text" || other.text !== "");
  }
  return parts;
}
