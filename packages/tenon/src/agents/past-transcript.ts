import type { PastRun } from "../journal/store.js";
import { createPromptMemo, type PastMessages, type PromptMemo } from "../llm/model.js";
import type { Message } from "../protocol/message.js";
import { messagesOf } from "./transcript.js";
import { withFreeIds, WireIds } from "./wire-ids.js";

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

  /** The same, with other ids on the wire for calls whose own is taken. */
  apartFrom(taken: { has(id: string): boolean }): PastTranscript {
    for (const id of this.wireIds.all())
      if (taken.has(id))
        return new PastTranscript(this.runId, withFreeIds(this.messages, taken), createPromptMemo(), undefined);
    return this;
  }
}

/** What a run said by its records. */
export function transcriptOf(ended: PastRun): PastTranscript {
  return new PastTranscript(ended.run.id, messagesOf(ended), createPromptMemo(), undefined);
}
