import type { PastRun } from "../journal/store.js";
import type { Outcome } from "../protocol/outcome.js";
import { transcriptOf, type PastTranscript } from "./past-transcript.js";
import { IdsOfRuns } from "./wire-ids.js";

/** The ended runs of a thread that a model is shown. */
export class PastRuns {
  /** Oldest first. */
  readonly transcripts: readonly PastTranscript[];
  /** Made when somebody first asks; from then on each run hands it to the next. */
  #ids: IdsOfRuns | undefined;

  constructor(transcripts: readonly PastTranscript[], ids?: IdsOfRuns) {
    this.transcripts = transcripts;
    this.#ids = ids;
  }

  /** Whether one of their calls has that id on the wire. */
  has(wireId: string): boolean {
    if (this.transcripts.length === 0) return false;
    return (this.#ids ??= idsOf(this.transcripts)).has(wireId);
  }

  /** These and the run after them, for the next one. Call last: what knows the ids is handed on. */
  followedBy(own: PastTranscript): PastRuns {
    this.#ids?.add(own.wireIds);
    return new PastRuns([...this.transcripts, own], this.#ids);
  }

  /**
   * Those of a window: a run that is here already is taken from here. Two that did not see each other (a window was shorter) may
   * have given their calls the same ids: the older one gets others, so that each is there once in what is sent. Call last.
   */
  in(window: readonly PastRun[]): PastRuns {
    const before = this.transcripts;
    const transcripts = new Array<PastTranscript>(window.length);
    const made: number[] = [];
    let left = before.length;
    for (let at = window.length - 1; at >= 0; at--) {
      const ended = window[at]!;
      const known = before[left - 1];
      if (known?.runId === ended.run.id) {
        transcripts[at] = known;
        left--;
      } else {
        transcripts[at] = transcriptOf(ended);
        made.push(at);
      }
    }
    if (this.#ids !== undefined) for (let at = 0; at < left; at++) this.#ids.remove(before[at]!.wireIds);
    if (made.length === 0) return new PastRuns(transcripts, this.#ids);
    if (window.length === 1) return new PastRuns(transcripts);
    const ids = this.#ids ?? idsOf(before.slice(left));
    for (const at of made) {
      const apart = transcripts[at]!.apartFrom(ids);
      transcripts[at] = apart;
      ids.add(apart.wireIds);
    }
    return new PastRuns(transcripts, ids);
  }
}

function idsOf(transcripts: readonly PastTranscript[]): IdsOfRuns {
  const ids = new IdsOfRuns();
  for (const { wireIds } of transcripts) ids.add(wireIds);
  return ids;
}

export const noPast: PastRuns = new PastRuns([]);

/** What the last run of a thread left to the next one, by its outcome: a store in memory keeps the very object. */
const left: WeakMap<Outcome, PastRuns> = new WeakMap();

/**
 * The runs that a model is shown. Each is what the thread's last run left of it, else made from its records: both are the same.
 * What was left is taken: the run that takes it leaves it to the next one.
 */
export function takePast(window: readonly PastRun[]): PastRuns {
  const outcome = window.at(-1)?.run.outcome;
  const known = outcome === undefined ? undefined : left.get(outcome);
  if (known === undefined) return noPast.in(window);
  left.delete(outcome!);
  return known.in(window);
}

/** Leaves what a run was shown and what it said itself to the next run of its thread. */
export function leavePast(outcome: Outcome, past: PastRuns, own: PastTranscript): void {
  left.set(outcome, past.followedBy(own));
}
