import { DisposeError } from "../errors/assembly-errors.js";
import type { Maybe } from "../util/class.js";
import { isPromise } from "../util/class.js";

interface Created {
  readonly object: object;
  readonly name: string;
}

/** What one scope has created, in order, and the way to dispose of it. */
export class Disposal {
  #created: Created[] = [];
  readonly #known = new Set<object>();

  /** Notes a created value. An object that is noted already is not disposed a second time. */
  add(value: unknown, name: string): void {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || this.#known.has(value)) return;
    this.#known.add(value);
    this.#created.push({ object: value, name });
  }

  has(value: unknown): boolean {
    return this.#known.has(value as object);
  }

  /**
   * Disposes in reverse order of creation, one after the other: `Symbol.asyncDispose`, else `Symbol.dispose`. All are
   * attempted; what they threw comes as one `DisposeError`. Synchronous as long as every disposer is. A second call does nothing.
   */
  dispose(): Maybe<void> {
    const created = this.#created;
    this.#created = [];
    this.#known.clear();
    return disposeFrom(created, created.length - 1, [], []);
  }
}

function disposeFrom(created: readonly Created[], start: number, errors: unknown[], names: string[]): Maybe<void> {
  for (let index = start; index >= 0; index--) {
    const { object, name } = created[index]!;
    const failed = (error: unknown): void => {
      errors.push(error);
      names.push(name);
    };
    try {
      const done = disposeOne(object);
      if (isPromise(done))
        return done.then(undefined, failed).then(() => disposeFrom(created, index - 1, errors, names));
    } catch (error) {
      failed(error);
    }
  }
  if (errors.length > 0) throw new DisposeError(errors, names);
}

function disposeOne(object: object): unknown {
  const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = object as Partial<AsyncDisposable & Disposable>;
  if (typeof later === "function") return later.call(object);
  return typeof now === "function" ? now.call(object) : undefined;
}
