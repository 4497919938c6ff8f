import type { Maybe } from "../util/class.js";
import { isPromise } from "../util/class.js";

/** A value in a box: a promise would unpack a value that has a `then` of its own. */
export interface Boxed {
  readonly value: unknown;
}

/** A value that is still being made. It is no promise itself, because a value may be one. */
export class Pending {
  readonly done: Promise<Boxed>;

  constructor(done: Promise<Boxed>) {
    this.done = done;
  }
}

/** A value, or one that is still being made, in a box. */
export function boxed(given: unknown): Maybe<Boxed> {
  return given instanceof Pending ? given.done : { value: given };
}

/** A value, or a promise of the one that is still being made. */
export function unboxed(given: unknown): unknown {
  return given instanceof Pending ? given.done.then(({ value }) => value) : given;
}

/** What `next` makes of a list, which may have to be waited for. */
export function withList(list: Maybe<unknown[]>, next: (list: unknown[]) => unknown): unknown {
  return isPromise(list) ? new Pending(list.then((values) => boxed(next(values)))) : next(list);
}
