/** Any class, abstract ones included, whose instances are `T`. */
export type Class<out T = unknown> = abstract new (...args: any[]) => T;

/** A value now, or a promise of it. */
export type Maybe<T> = T | Promise<T>;

/** Tells a promise (or any thenable) from a plain value without waiting for it. */
export function isPromise<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/** The same for what our own code gives: it makes no other thenables, and most values are none. */
export function isOwnPromise<T>(value: Maybe<T>): value is Promise<T> {
  return value instanceof Promise;
}

/**
 * As `chain`, for what hardly ever has to wait. A function that has a closure in it pays for it in each call, also where none is made:
 * this makes it only where it waits.
 */
export function later<T, A extends readonly unknown[], R>(
  value: Maybe<T>,
  next: (value: T, ...rest: A) => Maybe<R>,
  ...rest: A
): Maybe<R> {
  return isPromise(value) ? value.then((given) => next(given, ...rest)) : next(value, ...rest);
}

/** Tells a class from a plain function: only classes have a non-writable `prototype`. */
export function isClass(value: unknown): value is new (...args: any[]) => unknown {
  if (typeof value !== "function") return false;
  const prototype = Object.getOwnPropertyDescriptor(value, "prototype");
  return prototype !== undefined && prototype.writable === false;
}

/** Goes on with a value at once, or with a promise when it is there. */
export function chain<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return isPromise(value) ? value.then(next) : next(value);
}
