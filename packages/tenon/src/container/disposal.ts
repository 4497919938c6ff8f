import { DisposeError } from "../errors/assembly-errors.js";
import type { Maybe } from "../util/class.js";
import { isPromise } from "../util/class.js";
import type { CreationPath } from "./creation-path.js";
import { end } from "./lifecycle.js";

/** An object that a scope has made. */
export interface Created {
  readonly object: object;
  readonly path: CreationPath;
  /** What is started is stopped before it is disposed. */
  started: boolean;
}

/** What one scope has created, in order, and the way to end it. */
export class Disposal {
  #created: Created[] = [];
  readonly #known = new Set<object>();

  /** Notes a created object. `undefined` for what is no object, and for one that is noted already: it ends once. */
  add(value: unknown, path: CreationPath): Created | undefined {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || this.#known.has(value))
      return undefined;
    this.#known.add(value);
    const created = { object: value, path, started: false };
    this.#created.push(created);
    return created;
  }

  has(value: unknown): boolean {
    return this.#known.has(value as object);
  }

  /**
   * Stops and disposes in reverse order of creation, one after the other: `onStop`, then `Symbol.asyncDispose`, else
   * `Symbol.dispose`. All are attempted; what they threw comes as one `DisposeError`. Synchronous as long as all of them are.
   * A second call does nothing.
   */
  dispose(): Maybe<void> {
    const created = this.#created;
    this.#created = [];
    this.#known.clear();
    return endFrom(created, created.length - 1, [], []);
  }

  /** The same for what a failed creation leaves: its own object, and the transient ones that were made for it alone. */
  drop(failed: CreationPath): Maybe<void> {
    const users = new Set([failed]);
    const dropped: Created[] = [];
    for (const created of this.#created.toReversed()) {
      const { path, object } = created;
      const forUser = path.slot?.scope === "transient" && path.parent !== undefined && users.has(path.parent);
      if (!forUser && !users.has(path)) continue;
      users.add(path);
      dropped.unshift(created);
      this.#known.delete(object);
    }
    if (dropped.length === 0) return undefined;
    this.#created = this.#created.filter((created) => !dropped.includes(created));
    return endFrom(dropped, dropped.length - 1, [], []);
  }
}

function endFrom(created: readonly Created[], from: number, errors: unknown[], names: string[]): Maybe<void> {
  for (let index = from; index >= 0; index--) {
    const { object, path, started } = created[index]!;
    const ended = end(object, started, (error) => {
      errors.push(error);
      names.push(path.name);
    });
    if (isPromise(ended)) return ended.then(() => endFrom(created, index - 1, errors, names));
  }
  if (errors.length > 0) throw new DisposeError(errors, names);
}
