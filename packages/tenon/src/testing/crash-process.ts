import type { App } from "../app/app.js";
import type { AppOptions } from "../app/app-options.js";
import { createAppWith } from "../app/create-app.js";
import type { WorkflowEntry } from "../app/define-workflow.js";
import type { Providers } from "../container/provider.js";
import type { JournalRecord, Store } from "../journal/store.js";
import type { LanguageModel } from "../llm/model.js";
import type { RunEvent } from "../protocol/event.js";
import type { PauseAudit } from "../protocol/pause.js";
import type { Maybe } from "../util/class.js";
import { CrashClock } from "./crash-clock.js";
import { CrashModel } from "./crash-model.js";
import { callIn, type CrashOutside, type OpenRequests } from "./crash-outside.js";
import type { CrashPoints } from "./crash-points.js";
import type { CrashEffect, CrashWorld } from "./crash-scenario.js";
import { CrashStore, never } from "./crash-store.js";
import type { ModelStep } from "./model-step.js";
import type { RecordedRequest } from "./recorded-request.js";
import { both } from "./test-app.js";
import type { TestClock } from "./test-clock.js";

/** One process of a scenario, until it ends or crashes. What it does after a crash changes nothing and gets no answer. */
export class CrashProcess implements CrashWorld {
  readonly process: number;
  readonly store: CrashStore;
  readonly inner: Store;
  readonly outside: CrashOutside;
  /** Settles when it crashes. */
  readonly crashed: Promise<void>;
  readonly #clock: CrashClock;
  readonly #points: CrashPoints;
  readonly #requests: OpenRequests = [];
  #alive = true;
  #acting = 0;
  #crash!: () => void;

  constructor(number: number, inner: Store, outside: CrashOutside, points: CrashPoints) {
    this.process = number;
    this.inner = inner;
    this.outside = outside;
    this.store = new CrashStore(inner, this);
    this.#clock = new CrashClock(outside.clock);
    this.#points = points;
    this.crashed = new Promise((resolve) => (this.#crash = resolve));
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether an effect is being made, which may take real time. */
  get busy(): boolean {
    return this.#acting > 0;
  }

  get clock(): TestClock {
    return this.outside.clock;
  }

  readonly createApp = <W extends WorkflowEntry, P extends readonly unknown[] | [] = [], L = unknown>(
    workflow: W,
    options: Omit<AppOptions<P, L>, "providers" | "store"> & { readonly providers?: Providers<P, L> | undefined } = {},
  ): Promise<App> =>
    createAppWith(
      workflow,
      {
        ...(options as AppOptions),
        store: this.store,
        env: options.env ?? {},
        onEvent: both(options.onEvent, (event) => this.#heard(event)),
      },
      { clock: this.#clock, ids: { next: () => this.outside.nextId() } },
    );

  model(...script: readonly ModelStep[] | readonly [(request: RecordedRequest) => ModelStep]): LanguageModel {
    const sent = (request: RecordedRequest): void => {
      if (this.#alive) this.outside.sent(request, this.#requests);
    };
    return new CrashModel({ clock: this.#clock, ends: (label) => this.ends(label), sent }, script);
  }

  async effect<T = undefined>(name: string, key?: string, act?: () => Maybe<T>): Promise<T> {
    const label = key === undefined ? `effect ${name}` : `effect ${name} ${key}`;
    if (this.ends(`before ${label}`)) return never();
    const call = callIn(key);
    if (call !== undefined) await this.#assertNotDenied(call.callId, call.runId, label);
    if (!this.#alive) return never();
    let effect = key === undefined ? undefined : this.#known(name, key);
    if (effect === undefined) {
      // It has happened before it gives anything: whoever asks in the meantime is told so.
      const happening: { -readonly [K in keyof CrashEffect]: CrashEffect[K] } = { name, key, value: undefined };
      this.outside.effects.push((effect = happening));
      this.#acting++;
      try {
        happening.value = await act?.();
      } catch (thrown) {
        // The service refused: nothing happened.
        this.outside.effects.splice(this.outside.effects.indexOf(effect), 1);
        throw thrown;
      } finally {
        this.#acting--;
      }
    }
    return this.ends(`after ${label}`) ? never() : (effect.value as T);
  }

  async point(name: string): Promise<void> {
    if (this.ends(name)) await never();
  }

  happened(key: string): CrashEffect | undefined {
    return this.outside.happened(key);
  }

  /** Passes a point; true where the process has ended or ends there. */
  ends(label: string): boolean {
    if (!this.#alive) return true;
    if (!this.#points.crashesAt(label)) return false;
    this.end();
    this.outside.lost(this.#requests);
    this.outside.leaseAheadMs += this.store.leaseMs + 1;
    this.#crash();
    return true;
  }

  /** From here on it does nothing. */
  end(): void {
    this.#alive = false;
    this.#clock.stop();
  }

  recorded(records: readonly JournalRecord[]): void {
    for (const { type } of records) {
      if (type !== "model") continue;
      const answered = this.#requests[0];
      if (answered === undefined) continue;
      // A request that was sent again because it failed is part of the same model call.
      for (let i = this.#requests.length - 1; i >= 0; i--)
        if (this.#requests[i] === answered) this.#requests.splice(i, 1);
    }
  }

  #known(name: string, key: string): CrashEffect | undefined {
    return this.outside.effects.find((effect) => effect.name === name && effect.key === key);
  }

  #heard(event: RunEvent): void {
    if (!this.#alive || event.type !== "tool-start") return;
    this.outside.started(event.callId, event.name);
    void this.#assertNotDenied(event.callId, event.runId, `the handler of ${event.name}`);
  }

  async #assertNotDenied(callId: string, runId: string, what: string): Promise<void> {
    const audit = await this.inner.audit(runId);
    const no = audit.find((entry) => entry.pause.callId === callId && isNo(entry));
    if (no !== undefined && this.#alive)
      this.outside.faults.push(`${what} ran after ${JSON.stringify(no.decision)} to ${no.pause.id}`);
  }
}

function isNo({ decision }: PauseAudit): boolean {
  if (decision === undefined) return false;
  if ("lapsed" in decision) return true;
  return "approved" in decision ? !decision.approved : "action" in decision && decision.action === "give-up";
}
