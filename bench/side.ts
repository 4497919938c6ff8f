/** One side of a workload, ready to run: the floor or Tenon. */
export interface Side {
  /** One run. Rejects where the run did not go as scripted. */
  run(): Promise<unknown>;
  /** How many tool executions, rows or deltas there were so far; checked against `perRun` after the last run. */
  count(): number;
  /** How many of them one run makes. */
  readonly perRun: number;
  close?(): Promise<void> | void;
}

/** What is timed, on both sides. */
export interface Workload {
  /** `cpu`: main-thread CPU. `wall`: the clock, for what waits for a disk. */
  readonly time: "cpu" | "wall";
  /** How many parts of a run share its time in what is told; default 1, the whole run. */
  readonly parts?: number;
  floor(): Side | Promise<Side>;
  tenon(): Side | Promise<Side>;
}
