import { DependencyError } from "../errors/assembly-errors.js";
import type { Maybe } from "../util/class.js";
import type { CreationPath } from "./creation-path.js";
import type { Created } from "./disposal.js";
import { Disposal } from "./disposal.js";
import { Pending } from "./pending.js";
import { assertNoCycle, Resolver } from "./resolver.js";
import type { Slot } from "./slot.js";
import type { Key } from "./keys.js";

/** What a run's scope needs of the container. */
export interface Singletons {
  /** Throws `AppClosedError` once the container is disposed. */
  assertUsable(): void;
  slot(key: Key): Slot | undefined;
  /** The value of a singleton, created on first use; `Pending` while it is being made. */
  singleton(slot: Slot, path: CreationPath | undefined): unknown;
  /** True for what is not a run's to dispose of: singletons, and the caller's own values. */
  keeps(value: unknown): boolean;
  /** Hears of every value that is made. */
  readonly onMade: ((value: unknown) => void) | undefined;
}

/** The instances of one run in this process. Nothing exists before it is asked for; nothing is seen by another run. */
export class RunScope extends Resolver {
  readonly #container: Singletons;
  /** Values, and those that are being made. */
  #made: Map<Slot, unknown> | undefined;
  #disposal: Disposal | undefined;
  #closed = false;
  #disposing: Maybe<void> = undefined;

  constructor(container: Singletons) {
    super();
    this.#container = container;
  }

  /**
   * Stops and disposes of what this scope created, in reverse order, all attempted; singletons stay. Throws, or rejects
   * with, `DisposeError`. Synchronous as long as all of them are. A second call does nothing. What is still being made is not
   * waited for (`idle` does): it ends as soon as it is there.
   */
  dispose(): Maybe<void> {
    if (this.#closed) return this.#disposing;
    this.#closed = true;
    this.#disposing = this.#disposal?.dispose();
    return this.#disposing;
  }

  protected override assertOpen(): void {
    this.#container.assertUsable();
    if (this.#closed)
      throw new DependencyError(
        "The scope of the run is disposed",
        "run scope",
        "Use it while the run is going on only.",
      );
  }

  protected override find(key: Key): Slot | undefined {
    return this.#container.slot(key);
  }

  protected override valueOf(slot: Slot, path: CreationPath | undefined): unknown {
    if (slot.made) return slot.value;
    if (slot.scope === "singleton") return this.#container.singleton(slot, path);
    if (slot.scope === "transient") return this.make(slot, path);
    const found = this.#made?.get(slot);
    if (found instanceof Pending) assertNoCycle(slot, path);
    if (found !== undefined || this.#made?.has(slot) === true) return found;
    const made = (this.#made ??= new Map<Slot, unknown>());
    return this.makeOnce(
      slot,
      path,
      (pending) => void (pending === undefined ? made.delete(slot) : made.set(slot, pending)),
      (value) => void made.set(slot, value),
    );
  }

  protected override created(value: unknown, path: CreationPath): Created | undefined {
    this.#container.onMade?.(value);
    return this.#container.keeps(value) ? undefined : (this.#disposal ??= new Disposal()).add(value, path);
  }

  protected override drop(failed: CreationPath): Maybe<void> {
    return this.#disposal?.drop(failed);
  }
}
