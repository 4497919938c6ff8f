import type { RunUsage } from "../protocol/outcome.js";
import type { Usage } from "../protocol/usage.js";

const none: Usage[] = [];
const FEW = 2;

/** What a run has used so far. Whole numbers, added up. */
export class UsageTotals {
  modelCalls = 0;
  toolCalls = 0;
  toolNanoUsd = 0;
  /** Of a short run exactly as long as it must be; a long one's grows. */
  #calls: Usage[] = none;
  #modelNanoUsd = 0;
  #unknownCost = false;

  /** What is known to be spent, models and tools, in nano-USD. */
  get spentNanoUsd(): number {
    return this.#modelNanoUsd + this.toolNanoUsd;
  }

  /** A model call was made whose cost nobody knows. */
  get costUnknown(): boolean {
    return this.#unknownCost;
  }

  /** `failed`: the attempts of the call before the one that counts. */
  addModelCall(usage: Usage, failed?: readonly { readonly usage: Usage }[]): void {
    this.modelCalls++;
    if (failed !== undefined) for (const attempt of failed) this.#add(attempt.usage);
    this.#add(usage);
  }

  #add(usage: Usage): void {
    const calls = this.#calls;
    // A list makes room for many when it is first added to; most runs make few calls.
    if (calls.length === 0) this.#calls = [usage];
    else if (calls.length === 1) this.#calls = [calls[0]!, usage];
    else if (calls.length === FEW) this.#calls = [calls[0]!, calls[1]!, usage];
    else calls.push(usage);
    if (usage.costNanoUsd === undefined) this.#unknownCost = true;
    else this.#modelNanoUsd += usage.costNanoUsd;
  }

  toRunUsage(): RunUsage {
    let inputTokens = 0;
    let outputTokens = 0;
    let cachedInputTokens = 0;
    let cacheWriteTokens = 0;
    let reasoningTokens = 0;
    for (let i = 0; i < this.#calls.length; i++) {
      const usage = this.#calls[i]!;
      inputTokens += usage.inputTokens;
      outputTokens += usage.outputTokens;
      cachedInputTokens += usage.cachedInputTokens;
      cacheWriteTokens += usage.cacheWriteTokens;
      reasoningTokens += usage.reasoningTokens;
    }
    // The store, the result and the events share it.
    return Object.freeze({
      inputTokens,
      outputTokens,
      cachedInputTokens,
      cacheWriteTokens,
      reasoningTokens,
      costUsd: this.#unknownCost ? undefined : this.spentNanoUsd / 1e9,
      toolCostUsd: this.toolNanoUsd / 1e9,
      modelCalls: this.modelCalls,
      toolCalls: this.toolCalls,
      // A short list is replaced, never added to.
      calls: Object.freeze(this.#calls.length <= FEW ? this.#calls : this.#calls.slice()),
    });
  }
}
