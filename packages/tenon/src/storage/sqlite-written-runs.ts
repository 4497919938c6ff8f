/** The end of a run's records, as the connection that writes them knows it. */
export interface Tail {
  /** The run's number and its place in its thread. */
  readonly run: number;
  readonly thread: string;
  readonly n: number;
  /** Its id as `open_runs` has it: numbers and places of forgotten runs are taken again. */
  readonly id: string | null;
  /** Where its last record is; its number shifted where it has none. */
  last: number;
  readonly keys: Set<string>;
}

/** An ended run: its thread, and its number there. */
export type EndedPlace = readonly [thread: string, n: number];

/**
 * What a connection remembers of the runs that it writes, so that a record costs one statement. None of it is trusted: where
 * another connection wrote meanwhile, the next record's position is taken.
 */
export class WrittenRuns {
  /** By the run's id. */
  readonly tails: Map<string, Tail> = new Map();
  /** Runs whose end was written here and whose name has not moved yet. */
  ended: EndedPlace[] = [];
  /** Whether what others left in `open_runs` was looked for. */
  tidied = false;
}
