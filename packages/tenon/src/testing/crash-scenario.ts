import type { App } from "../app/app.js";
import type { AppOptions } from "../app/app-options.js";
import type { WorkflowEntry } from "../app/define-workflow.js";
import type { Providers } from "../container/provider.js";
import type { Store } from "../journal/store.js";
import type { LanguageModel } from "../llm/model.js";
import type { Message } from "../protocol/message.js";
import type { ErrorData, RunStatus, RunUsage, StopReason } from "../protocol/outcome.js";
import type { Decision, Pause } from "../protocol/pause.js";
import type { Maybe } from "../util/class.js";
import type { ModelStep } from "./model-step.js";
import type { RecordedRequest } from "./recorded-request.js";
import type { TestClock } from "./test-clock.js";

/** A scenario for `crashEverywhere`. All of it is run many times over, so nothing in it may be left from an earlier time. */
export interface CrashScenario {
  /** Makes the app of a process, at its start and after a crash: `(world) => world.createApp(Desk, { … })`. */
  readonly app: (world: CrashWorld) => Maybe<App>;
  /**
   * What users do, one step after the other, each in a process of its own. A step that a crash interrupts is done again from
   * its beginning after `app.recover()`, so runs have fixed ids and decisions go by the pause's id. Default: one run
   * (`run-crash-1`) of the prompt "go". Pauses that are open when all steps are done are answered by `decide`.
   */
  readonly drive?: CrashStep | readonly CrashStep[] | undefined;
  /**
   * Answers a pause that no step of `drive` has answered; the same pause gets the same answer. Nothing means the default: an
   * approval is approved, a call in doubt whose effect happened is done with what that gave, and otherwise runs again. A
   * question has no default.
   */
  readonly decide?: ((pause: Pause, world: CrashWorld) => Decision | undefined) | undefined;
  /**
   * Opens the store for a process; the same name is the same store. Default: `memoryStore()`. For a file:
   * `(name) => sqliteStore(join(folder, name + ".db"))`. What it gives is closed when its process is over.
   */
  readonly store?: ((name: string) => Maybe<Store>) | undefined;
  /** Compares an end (the undisturbed one first) with the undisturbed one, in place of the default (they are equal); throws where it is wrong. */
  readonly compare?: ((end: CrashEnd, undisturbed: CrashEnd) => void) | undefined;
  /**
   * Whether the recovery crashes as well, at each of its own points that loses more than the one before it. Default: where the
   * scenario has at most 30 points.
   */
  readonly twice?: boolean | undefined;
  /** Runs this one crash alone, by its number, or these two in a row: what a failure names. */
  readonly only?: number | readonly [number, number] | undefined;
}

/** A thing that users do with the app. */
export type CrashStep = (app: App, world: CrashWorld) => unknown;

/** What a process of a scenario stands in: one store and one outside world, which outlive it. */
export interface CrashWorld {
  /** The process, counted from 1: each step of `drive` and each recovery is one. */
  readonly process: number;
  /** The process's view of the store. After its crash the store takes nothing from it and never answers. */
  readonly store: Store;
  /** The time of `createApp`. It moves on by itself where nothing else can happen, and by `advance`. */
  readonly clock: TestClock;
  /** `createApp` with the world's store, clock and ids, and an empty environment. */
  createApp<W extends WorkflowEntry, P extends readonly unknown[] | [] = [], L = unknown>(
    workflow: W,
    options?: Omit<AppOptions<P, L>, "providers" | "store"> & { readonly providers?: Providers<P, L> | undefined },
  ): Promise<App>;
  /**
   * A model with a script: for `models: { default: world.model(…) }`. Which step a request gets goes by the answers that stand in
   * it, so one that is sent again after a crash gets the same one. Or a function that gives the step.
   */
  model(...script: readonly ModelStep[] | readonly [(request: RecordedRequest) => ModelStep]): LanguageModel;
  /**
   * Stands for a side effect of a tool, with a point before and one after it; both may be where the process ends. With a `key`
   * (the call id, for a service that takes such) the second effect of that name and key is none: it gives what the first one
   * gave. Without one, each counts. Where `act` throws, nothing happened. What takes real time belongs into `act`: the clock
   * waits for it.
   */
  effect<T = undefined>(name: string, key?: string, act?: () => Maybe<T>): Promise<T>;
  /** A point in a handler, of which nothing is counted. */
  point(name: string): Promise<void>;
  /** What the effect of that key, or of a call of that id, gave; `undefined` where it has not happened. */
  happened(key: string): CrashEffect | undefined;
}

/** An effect that happened, once. */
export interface CrashEffect {
  readonly name: string;
  readonly key: string | undefined;
  readonly value: unknown;
}

/** How all runs ended, and what happened outside. Plain data. */
export interface CrashEnd {
  /** In the order they were started. */
  readonly runs: readonly {
    readonly runId: string;
    /** Its number in its thread. */
    readonly n: number;
    readonly status: RunStatus;
    readonly stopReason: StopReason;
    readonly text: string;
    readonly error: ErrorData | undefined;
    readonly usage: RunUsage;
    /** As the model of a later run sees it. */
    readonly messages: readonly Message[];
  }[];
  /** By name and key. */
  readonly effects: readonly CrashEffect[];
  /** What the models were sent, each once, in the order of its first time. */
  readonly requests: readonly RecordedRequest[];
}

/** What `crashEverywhere` did. */
export interface CrashReport {
  /** The points of the undisturbed scenario, in order. */
  readonly points: readonly string[];
  /** How many times it crashed, two in a row counted once. */
  readonly crashes: number;
}
