import { waitKeyOf } from "../agents/pause-of-call.js";
import type { JournalRecord, RunRow, Store } from "../journal/store.js";
import type { Pause, PauseAudit } from "../protocol/pause.js";
import { chain, type Maybe } from "../util/class.js";

/** What the store tells of a run at one moment. */
export interface RunSnapshot {
  readonly run: RunRow;
  readonly records: readonly JournalRecord[];
  /** The open pauses. */
  readonly open: readonly Pause[];
  /**
   * It waits for a person, and nobody has answered: a run that was answered goes on, though it may still be stored as paused until
   * a process picks it up.
   */
  readonly waits: boolean;
}

/** Reads a run; at once where the store answers at once. `undefined` without one. */
export function snapshotOf(store: Store, runId: string): Maybe<RunSnapshot | undefined> {
  return chain(store.run(runId), (run): Maybe<RunSnapshot | undefined> => {
    if (run === undefined) return undefined;
    return chain(store.records(runId), (records) =>
      chain(store.pauses({ runId }), (open) => {
        if (run.status !== "paused") return { run, records, open, waits: false };
        return chain(store.audit(runId), (audit) =>
          // What another process did between these looks is looked at again.
          chain(store.run(runId), (now): Maybe<RunSnapshot | undefined> => {
            if (now?.status !== run.status || now.epoch !== run.epoch) return snapshotOf(store, runId);
            return { run, records, open, waits: !audit.some((entry) => isNews(entry, records)) };
          }),
        );
      }),
    );
  });
}

/** Whether a pause was answered and its run does not know it yet. */
function isNews({ pause, decision }: PauseAudit, records: readonly JournalRecord[]): boolean {
  if (decision === undefined) return false;
  const key = waitKeyOf(pause);
  return !records.some((record) => record.key.endsWith(key));
}
