import { DependencyError } from "../errors/assembly-errors.js";
import { textOf } from "../errors/tenon-error.js";
import type { Class } from "../util/class.js";
import { isClass, isPromise } from "../util/class.js";
import type { CreationPath } from "./creation-path.js";
import { isOpen, pathText } from "./creation-path.js";
import type { Slot } from "./slot.js";
import type { Dep, Key } from "./keys.js";
import { isOptional, keyName } from "./keys.js";

/** A class to construct, or a function to call, with the values of its dependencies in order. */
export type Make<T> = Class<T> | ((...args: any[]) => T);

/** Gives values and owns what it creates: the whole app's, or one run's. All of it is synchronous. */
export abstract class Resolver {
  /**
   * The value of a key, created on first use. Throws `DependencyError` with the path where a provider is missing or a
   * constructor or factory throws; nothing is kept of the one that failed, and the next `get` tries again.
   */
  get<T>(key: Key<T>): T {
    this.assertOpen();
    return this.resolve(key, undefined) as T;
  }

  /** The values of a list, in order; an optional one without a provider is `undefined`. `name` heads the path of an error. */
  values(deps: readonly Dep[], name: string): unknown[] {
    this.assertOpen();
    return deps.length === 0 ? [] : this.resolveAll(deps, { name, slot: undefined, parent: undefined });
  }

  /** Constructs, or calls, with the values of `deps`. Each call makes a new one; it is disposed with this scope. */
  instantiate<T>(make: Make<T>, deps: readonly Dep[], name: string = make.name): T {
    this.assertOpen();
    const path: CreationPath = { name, slot: undefined, parent: undefined };
    const args = this.resolveAll(deps, path);
    const value = run(callable(make), args, path);
    this.created(value, name);
    return value as T;
  }

  /** Throws once the scope is disposed. */
  protected abstract assertOpen(): void;
  protected abstract find(key: Key): Slot | undefined;
  protected abstract valueOf(slot: Slot, path: CreationPath | undefined): unknown;
  /** Notes what was created, for disposal. */
  protected abstract created(value: unknown, name: string): void;

  protected make(slot: Slot, parent: CreationPath | undefined): unknown {
    const path: CreationPath = { name: slot.name, slot, parent };
    if (isOpen(parent, slot))
      throw new DependencyError("Dependency cycle", pathText(path), "Take one of these out of the other's `deps`.");
    const value = run(slot.make!, this.resolveAll(slot.deps, path), path);
    this.created(value, slot.name);
    return value;
  }

  protected resolveAll(deps: readonly Dep[], path: CreationPath): unknown[] {
    const values: unknown[] = [];
    for (const dep of deps)
      values.push(isOptional(dep) ? this.#resolveOptional(dep.key, path) : this.resolve(dep, path));
    return values;
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

  #resolveOptional(key: Key, path: CreationPath): unknown {
    const slot = this.find(key);
    return slot === undefined ? undefined : this.valueOf(slot, path);
  }
}

/** One calling convention for a class and a function. */
export function callable(make: Make<unknown>): (args: readonly unknown[]) => unknown {
  if (isClass(make)) {
    return (args) => new make(...args);
  }
  const called = make as (...values: readonly unknown[]) => unknown;
  return (args) => called(...args);
}

function run(make: (args: readonly unknown[]) => unknown, args: readonly unknown[], path: CreationPath): unknown {
  let value: unknown;
  try {
    value = make(args);
  } catch (error) {
    throw new DependencyError(
      `A dependency could not be made (${textOf(error)})`,
      pathText(path),
      "See `cause`; it is tried again when it is next needed.",
      error,
    );
  }
  if (!isPromise(value)) return value;
  value.then(undefined, () => undefined);
  throw new DependencyError(
    "A factory gave a promise",
    pathText(path),
    "Await what it needs before createApp and give it with `useValue`.",
  );
}
