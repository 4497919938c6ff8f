import type { Outcome } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import type { AbortReason } from "../util/abort.js";
import type { Maybe } from "../util/class.js";
import type { RunRow } from "./store.js";

/**
 * The engine port: what the loop needs from whatever keeps its journal. Operations are data, so that an engine whose
 * activities are named can serve them.
 */
export type Op = RunOp | WaitOp | ChildOp;

/** Call a named task, at least once. Its result is recorded under `key` before it resolves, and read from there ever after. */
export interface RunOp {
  readonly type: "run";
  readonly key: string;
  readonly task: string;
  readonly input: unknown;
}

/** Wait for the first signal of that name. A signal may come before the wait. Gives `undefined` where the run was canceled first. */
export interface WaitOp {
  readonly type: "wait";
  readonly key: string;
  readonly signal: string;
  /** What a person is asked; listed while the wait is open. */
  readonly about: Pause;
}

/** The one operation that is no data: a closure of this process, whose value is recorded. */
export interface StepOp {
  readonly key: string;
  /** Gives what is recorded. */
  run(): Promise<unknown>;
}

/** A sequence of its own, in the same journal: for a call that needs more than one record. */
export interface ChildOp {
  readonly type: "child";
  readonly key: string;
  readonly what: string;
  readonly input: unknown;
}

/**
 * One sequence of operations, and its result. It waits at one point only: where it yields operations, which run at the same
 * time, and is given their results in order. It yields the same ones in the same order for the same results. What an
 * operation throws ends the sequence: nothing in it runs any more.
 */
export type Steps<R> = Generator<readonly Op[], R, readonly unknown[]>;

/** What a sequence may ask about the run. */
export interface Scope {
  readonly runId: string;
  /** Fresh each time the run is picked up. */
  readonly activation: string;
  /** While a task runs: reads the value of a step, or makes it and records it before it resolves. */
  step(op: StepOp): Promise<unknown>;
  /** Ends the run from inside, as a cancel does: `Program.abort` hears of it, and open waits give `undefined`. */
  stop(): void;
  /** Whether the record of that key was made by an earlier activation: what it announced may have happened, or not. */
  recordedBefore(key: string): boolean;
}

/** Hears how a task or a sequence ended: once, at once or later. */
export interface OnEnd<R> {
  done(result: R): void;
  failed(thrown: unknown): void;
}

/** What the engine runs: a pure sequence over recorded operations, and the tasks that it names. */
export interface Program {
  /** Reads what `main` needs beside its operations; a promise only where that has to wait. What it throws fails the run. */
  prepare(): Maybe<void>;
  main(scope: Scope): Steps<Outcome>;
  /** Expected failures are results. What fails, or is thrown, fails the run. */
  task(op: RunOp, end: OnEnd<unknown>): void;
  child(op: ChildOp, scope: Scope): Steps<unknown>;
  /**
   * The operation that follows in the place of one that has its result, without waiting for those beside it; the step is then
   * given its result instead. Asked again whenever the result is read from its record: it must say the same.
   */
  next(op: Op, result: unknown): Op | undefined;
  /** A wait opened: nobody has answered it yet. */
  waiting(about: Pause): void;
  /** The outcome of a run whose `main` threw. */
  failed(thrown: unknown): Outcome;
  /** Stop: running tasks settle soon, no new one starts, and `main` ends by itself where `reason` is `cancel`. */
  abort(reason: Exclude<AbortReason, "timeout">): void;
}

/** Makes the program of a run that is picked up. `fresh` runs have no records yet. */
export type ProgramOf = (run: RunRow, pickedUp: { readonly activation: string; readonly fresh: boolean }) => Program;

/** How one activation of a run came to its end. */
export type Settled =
  | { readonly kind: "ended"; readonly outcome: Outcome }
  | { readonly kind: "paused"; readonly pauses: readonly Pause[] }
  /** Another process has the run, or this one let go of it: nothing more is written here. */
  | { readonly kind: "detached"; readonly reason: "lease-lost" | "closed" };
