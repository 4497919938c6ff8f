import type { Violation } from "../errors/assembly-errors.js";
import { DependencyError } from "../errors/assembly-errors.js";
import { AppClosedError } from "../errors/run-errors.js";
import type { Maybe } from "../util/class.js";
import type { Root } from "./check-graph.js";
import { checkGraph } from "./check-graph.js";
import type { CreationPath } from "./creation-path.js";
import { pathText } from "./creation-path.js";
import type { Created } from "./disposal.js";
import { Disposal } from "./disposal.js";
import type { ProviderList } from "./read-providers.js";
import { readProviders } from "./read-providers.js";
import { assertNoCycle, Resolver } from "./resolver.js";
import { runBehind } from "./run-behind.js";
import type { Singletons } from "./run-scope.js";
import { RunScope } from "./run-scope.js";
import type { Slot } from "./slot.js";
import { Slots } from "./slots.js";
import type { Dep, Key } from "./keys.js";
import { keyOf } from "./keys.js";

/** What a container is made of. */
export interface ContainerOptions {
  /** A later list (createApp's) overrides an earlier one (the workflow's). */
  readonly providers: readonly ProviderList[];
  readonly roots: readonly Root[];
  /** Hears of every value that is made, before anybody gets it. */
  readonly onMade?: ((value: unknown) => void) | undefined;
}

/** The container, and all that is wrong with it: with violations it must not be used. */
export interface CheckedContainer {
  readonly container: Container;
  readonly violations: readonly Violation[];
}

/** Reads the providers and follows every dependency. Runs no constructor and no factory, and never throws. */
export function createContainer({ providers, roots, onMade }: ContainerOptions): CheckedContainer {
  const violations: Violation[] = [];
  const slots = new Slots(readProviders(providers, violations));
  violations.push(...checkGraph(slots, roots, "with providers"));
  return { container: new Container(slots, onMade), violations };
}

/** Every singleton of an app, and the way to the scopes of its runs. A singleton is created on first use, once. */
export class Container extends Resolver implements Singletons {
  readonly #slots: Slots;
  readonly #disposal = new Disposal();
  readonly #callers = new Set<unknown>();
  readonly onMade: ((value: unknown) => void) | undefined;
  #disposing: Promise<void> | undefined;

  constructor(slots: Slots, onMade: ((value: unknown) => void) | undefined) {
    super();
    this.onMade = onMade;
    this.#slots = slots;
    for (const slot of slots.all()) if (slot.make === undefined) this.#callers.add(slot.value);
  }

  /** What is wrong with further roots, such as the tools of one request. */
  check(roots: readonly Root[]): readonly Violation[] {
    return checkGraph(this.#slots, roots, "roots only");
  }

  /** The keys that something depends on, as far as it was checked. */
  get wanted(): ReadonlySet<Key> {
    return this.#slots.wanted;
  }

  /** "run" where one of `deps` is of a run: who takes them must be made anew for every run. A singleton never reaches further. */
  lifetime(deps: readonly Dep[]): "singleton" | "run" {
    const ofRun = deps.some((dep) => {
      const slot = this.#slots.find(keyOf(dep));
      return slot !== undefined && runBehind(this.#slots, slot) !== undefined;
    });
    return ofRun ? "run" : "singleton";
  }

  /** A scope for one run. One object; nothing is created. */
  openScope(): RunScope {
    this.assertUsable();
    return new RunScope(this);
  }

  /**
   * Stops and disposes of every singleton that was created, in reverse order, one after the other, all attempted. Rejects
   * with `DisposeError`. Values from `useValue` belong to the caller and stay. From here on the container throws
   * `AppClosedError`. What is still being made is not waited for (`idle` does): it ends as soon as it is there.
   */
  dispose(): Promise<void> {
    this.#disposing ??= Promise.resolve().then(() => this.#disposal.dispose());
    return this.#disposing;
  }

  assertUsable(): void {
    if (this.#disposing !== undefined) throw new AppClosedError();
  }

  slot(key: Key): Slot | undefined {
    return this.#slots.find(key);
  }

  singleton(slot: Slot, path: CreationPath | undefined): unknown {
    return this.valueOf(slot, path);
  }

  keeps(value: unknown): boolean {
    return this.#callers.has(value) || this.#disposal.has(value);
  }

  protected override assertOpen(): void {
    this.assertUsable();
  }

  protected override find(key: Key): Slot | undefined {
    return this.#slots.find(key);
  }

  protected override valueOf(slot: Slot, path: CreationPath | undefined): unknown {
    if (slot.made) return slot.value;
    if (slot.scope === "run") {
      throw new DependencyError(
        "A dependency of one run was asked for outside of a run",
        pathText({ name: slot.name, slot, parent: path }),
        "Take it from the run's scope.",
      );
    }
    if (slot.scope === "transient") return this.make(slot, path);
    if (slot.pending !== undefined) {
      assertNoCycle(slot, path);
      return slot.pending;
    }
    return this.makeOnce(
      slot,
      path,
      (pending) => void (slot.pending = pending),
      (value) => {
        slot.value = value;
        slot.made = true;
      },
    );
  }

  protected override created(value: unknown, path: CreationPath): Created | undefined {
    this.onMade?.(value);
    return this.#callers.has(value) ? undefined : this.#disposal.add(value, path);
  }

  protected override drop(failed: CreationPath): Maybe<void> {
    return this.#disposal.drop(failed);
  }
}
