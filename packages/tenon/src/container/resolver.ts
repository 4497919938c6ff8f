import { DependencyError, DisposeError } from "../errors/assembly-errors.js";
import { textOf } from "../errors/tenon-error.js";
import type { Maybe } from "../util/class.js";
import { isPromise } from "../util/class.js";
import type { Make } from "./callable.js";
import { callable } from "./callable.js";
import type { CreationPath } from "./creation-path.js";
import { isOpen, pathText } from "./creation-path.js";
import type { Created } from "./disposal.js";
import type { Dep, Key } from "./keys.js";
import { isOptional, keyName } from "./keys.js";
import { start } from "./lifecycle.js";
import { boxed, Pending, unboxed, withList } from "./pending.js";
import type { Slot } from "./slot.js";

/**
 * Gives values and owns what it creates: the whole app's, or one run's. Synchronous, but where a factory or an `onStart`
 * takes its time: then there is a promise, and dependencies are made one after the other, in order.
 */
export abstract class Resolver {
  #creating: Set<Promise<unknown>> | undefined;

  /**
   * The value of a key, created on first use. Throws, or rejects with, `DependencyError` with the path where a provider is
   * missing or a creation fails; nothing is kept of the one that failed, and the next `get` tries again.
   */
  get<T>(key: Key<T>): Maybe<T> {
    this.assertOpen();
    return unboxed(this.resolve(key, undefined)) as Maybe<T>;
  }

  /** The values of a list, in order; an optional one without a provider is `undefined`. `name` heads the path of an error. */
  values(deps: readonly Dep[], name: string): Maybe<unknown[]> {
    this.assertOpen();
    if (deps.length === 0) return [];
    const path: CreationPath = { name, slot: undefined, parent: undefined };
    return unboxed(this.#guarded(path, () => withList(this.#resolveAll(deps, path), (values) => values))) as Maybe<
      unknown[]
    >;
  }

  /** Constructs, or calls, with the values of `deps`. Each call makes a new one; it ends with this scope. */
  instantiate<T>(make: Make<T>, deps: readonly Dep[], name: string = make.name): Maybe<T> {
    this.assertOpen();
    return unboxed(this.#create(callable(make), deps, { name, slot: undefined, parent: undefined })) as Maybe<T>;
  }

  /** Resolves once nothing is being made any more, whatever came of it; `undefined` where nothing is. */
  idle(): Promise<void> | undefined {
    const creating = this.#creating;
    if (creating === undefined || creating.size === 0) return undefined;
    return Promise.all(creating).then(() => this.idle());
  }

  /** Throws once the scope is disposed. */
  protected abstract assertOpen(): void;
  protected abstract find(key: Key): Slot | undefined;
  /** The value, or a `Pending` one. */
  protected abstract valueOf(slot: Slot, path: CreationPath | undefined): unknown;
  /** Notes what was created; `undefined` where it is not this scope's to start and to end. */
  protected abstract created(value: unknown, path: CreationPath): Created | undefined;
  /** Ends what a failed creation leaves. */
  protected abstract drop(failed: CreationPath): Maybe<void>;

  protected make(slot: Slot, parent: CreationPath | undefined): unknown {
    assertNoCycle(slot, parent);
    return this.#create(slot.make!, slot.deps, { name: slot.name, slot, parent });
  }

  /** Makes what all who want it share. `hold` hears that it is being made, and that no longer; `keep` hears of the value. */
  protected makeOnce(
    slot: Slot,
    parent: CreationPath | undefined,
    hold: (pending: Pending | undefined) => void,
    keep: (value: unknown) => void,
  ): unknown {
    const made = this.make(slot, parent);
    if (!(made instanceof Pending)) {
      keep(made);
      return made;
    }
    const shared = new Pending(
      made.done.then(
        (box) => {
          hold(undefined);
          keep(box.value);
          return box;
        },
        (error: unknown) => {
          hold(undefined);
          throw error;
        },
      ),
    );
    hold(shared);
    return shared;
  }

  protected resolve(key: Key, path: CreationPath | undefined): unknown {
    const slot = this.find(key);
    if (slot !== undefined) return this.valueOf(slot, path);
    throw new DependencyError(
      "There is no provider",
      pathText({ name: keyName(key), slot: undefined, parent: path }),
      "Add one to `providers`.",
    );
  }

  #create(make: (args: readonly unknown[]) => unknown, deps: readonly Dep[], path: CreationPath): unknown {
    return this.#guarded(path, () =>
      withList(this.#resolveAll(deps, path), (args) => {
        let value: unknown;
        let later: Promise<unknown> | undefined;
        try {
          value = make(args);
          later = isPromise(value) ? Promise.resolve(value) : undefined;
        } catch (error) {
          throw notMade(path, error);
        }
        if (later === undefined) return this.#started(value, path);
        return new Pending(
          later.then(
            (given) => boxed(this.#started(given, path)),
            (error: unknown) => {
              throw notMade(path, error);
            },
          ),
        );
      }),
    );
  }

  #started(value: unknown, path: CreationPath): unknown {
    const created = this.created(value, path);
    if (created === undefined) return value;
    // The scope may have been disposed while this was being made: what came too late is dropped.
    this.assertOpen();
    let starting: unknown;
    try {
      starting = start(created.object);
    } catch (error) {
      throw notMade(path, error);
    }
    if (!isPromise(starting)) {
      created.started = true;
      return value;
    }
    return new Pending(
      Promise.resolve(starting).then(
        () => {
          created.started = true;
          this.assertOpen();
          return { value };
        },
        (error: unknown) => {
          throw notMade(path, error);
        },
      ),
    );
  }

  /** Where a creation fails, what it leaves is ended before the failure is told. */
  #guarded(path: CreationPath, run: () => unknown): unknown {
    try {
      const made = run();
      if (!(made instanceof Pending)) return made;
      return this.#creatingNow(new Pending(made.done.catch((error: unknown) => boxed(this.#rollBack(path, error)))));
    } catch (error) {
      return this.#rollBack(path, error);
    }
  }

  #rollBack(path: CreationPath, error: unknown): Pending {
    const notEnded = (failed: unknown): never => {
      const errors = DisposeError.is(failed) ? failed.errors : [failed];
      throw notMade(path, new AggregateError([error, ...errors], textOf(error)));
    };
    let ended: Maybe<void>;
    try {
      ended = this.drop(path);
    } catch (failed) {
      return notEnded(failed);
    }
    if (!isPromise(ended)) throw error;
    const failing = ended.then(() => {
      throw error;
    }, notEnded);
    return new Pending(failing);
  }

  #creatingNow(pending: Pending): Pending {
    const creating = (this.#creating ??= new Set());
    const settled: Promise<unknown> = pending.done.then(
      () => creating.delete(settled),
      () => creating.delete(settled),
    );
    creating.add(settled);
    return pending;
  }

  #resolveAll(deps: readonly Dep[], path: CreationPath): Maybe<unknown[]> {
    const values: unknown[] = [];
    for (const dep of deps) {
      const value = this.#valueOf(dep, path);
      if (value instanceof Pending) return this.#resolveRest(deps, path, values, value);
      values.push(value);
    }
    return values;
  }

  async #resolveRest(deps: readonly Dep[], path: CreationPath, values: unknown[], first: Pending): Promise<unknown[]> {
    values.push((await first.done).value);
    while (values.length < deps.length) {
      this.assertOpen();
      const value = this.#valueOf(deps[values.length]!, path);
      values.push(value instanceof Pending ? (await value.done).value : value);
    }
    this.assertOpen();
    return values;
  }

  #valueOf(dep: Dep, path: CreationPath): unknown {
    if (!isOptional(dep)) return this.resolve(dep, path);
    const slot = this.find(dep.key);
    return slot === undefined ? undefined : this.valueOf(slot, path);
  }
}

/** Throws where the slot is being made further out on this path. */
export function assertNoCycle(slot: Slot, parent: CreationPath | undefined): void {
  if (!isOpen(parent, slot)) return;
  throw new DependencyError(
    "Dependency cycle",
    pathText({ name: slot.name, slot, parent }),
    "Take one of these out of the other's `deps`.",
  );
}

function notMade(path: CreationPath, cause: unknown): DependencyError {
  return new DependencyError(
    `A dependency could not be made (${textOf(cause)})`,
    pathText(path),
    "See `cause`; it is tried again when it is next needed.",
    cause,
  );
}
