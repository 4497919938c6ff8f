import type { PastRun } from "../journal/store.js";
import { createPromptMemo, type PastMessages, type PromptMemo } from "../llm/model.js";
import type { Message } from "../protocol/message.js";
import type { Outcome } from "../protocol/outcome.js";
import { messagesOf } from "./transcript.js";
import { WireIds } from "./wire-ids.js";

/** What an ended run said, as the next runs of its thread need it. */
export class PastTranscript implements PastMessages {
  readonly runId: string;
  readonly messages: readonly Message[];
  readonly memo: PromptMemo;
  #ids: WireIds | undefined;

  constructor(runId: string, messages: readonly Message[], memo: PromptMemo, ids: WireIds | undefined) {
    this.runId = runId;
    this.messages = messages;
    this.memo = memo;
    this.#ids = ids;
  }

  /** The ids that its calls have on the wire. */
  get wireIds(): WireIds {
    return (this.#ids ??= new WireIds(this.messages));
  }
}

/** What the last run of a thread left to the next one, by its outcome: a store in memory keeps the very object. */
const left: WeakMap<Outcome, readonly PastTranscript[]> = new WeakMap();

/**
 * The runs that a model is shown, oldest first. Each is what the thread's last run left of it, else made from its records:
 * both are the same. What was left is taken: the run that takes it leaves it to the next one.
 */
export function takePast(window: readonly PastRun[]): readonly PastTranscript[] {
  const known = takeLeft(window.at(-1)?.run.outcome);
  let next = known.length;
  return window
    .toReversed()
    .map((ended): PastTranscript => {
      const before = known[next - 1];
      if (before?.runId !== ended.run.id)
        return new PastTranscript(ended.run.id, messagesOf(ended), createPromptMemo(), undefined);
      next--;
      return before;
    })
    .reverse();
}

function takeLeft(outcome: Outcome | undefined): readonly PastTranscript[] {
  const known = outcome === undefined ? undefined : left.get(outcome);
  if (outcome === undefined || known === undefined) return none;
  left.delete(outcome);
  return known;
}

const none: readonly PastTranscript[] = [];

/** Leaves what a run was shown and what it said itself to the next run of its thread. */
export function leavePast(outcome: Outcome, past: readonly PastTranscript[], own: PastTranscript): void {
  left.set(outcome, [...past, own]);
}
