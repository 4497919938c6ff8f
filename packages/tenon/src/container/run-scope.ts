import { DependencyError } from "../errors/assembly-errors.js";
import type { Maybe } from "../util/class.js";
import type { CreationPath } from "./creation-path.js";
import { Disposal } from "./disposal.js";
import { Resolver } from "./resolver.js";
import type { Slot } from "./slot.js";
import type { Key } from "./keys.js";

/** What a run's scope needs of the container. */
export interface Singletons {
  /** Throws `AppClosedError` once the container is disposed. */
  assertUsable(): void;
  slot(key: Key): Slot | undefined;
  /** The value of a singleton, created on first use. */
  singleton(slot: Slot, path: CreationPath | undefined): unknown;
  /** True for what is not a run's to dispose of: singletons, and the caller's own values. */
  keeps(value: unknown): boolean;
}

/** The instances of one run in this process. Nothing exists before it is asked for; nothing is seen by another run. */
export class RunScope extends Resolver {
  readonly #container: Singletons;
  #made: Map<Slot, unknown> | undefined;
  #disposal: Disposal | undefined;
  #closed = false;
  #disposing: Maybe<void> = undefined;

  constructor(container: Singletons) {
    super();
    this.#container = container;
  }

  /**
   * Disposes of what this scope created, in reverse order, all attempted; singletons stay. Throws, or rejects with,
   * `DisposeError`. Synchronous as long as every disposer is. A second call creates and disposes nothing.
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
    const found = this.#made?.get(slot);
    if (found !== undefined || this.#made?.has(slot) === true) return found;
    const value = this.make(slot, path);
    (this.#made ??= new Map()).set(slot, value);
    return value;
  }

  protected override created(value: unknown, name: string): void {
    if (!this.#container.keeps(value)) (this.#disposal ??= new Disposal()).add(value, name);
  }
}
