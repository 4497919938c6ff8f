import type { Maybe } from "../util/class.js";
import { isPromise } from "../util/class.js";

/**
 * What a provided object, a tool or a hook may have: `onStart` is called once, after it was made and before its first use,
 * and is waited for; where it fails, the object counts as not made. `onStop` is called once, before the object is disposed.
 * Both without arguments, and only on what Tenon made: a `useValue` is never started and never stopped.
 */
export interface Lifecycle {
  readonly onStart?: (() => void | Promise<void>) | undefined;
  readonly onStop?: (() => void | Promise<void>) | undefined;
}

/** Starts an object that has something to start. Throws, or rejects with, what that throws. */
export function start(object: object): unknown {
  const onStart = own(object, "onStart");
  return onStart === undefined ? undefined : onStart.call(object);
}

/** Stops an object that was started, then disposes of it: both are attempted. `failed` hears of each that failed; never throws. */
export function end(object: object, started: boolean, failed: (error: unknown) => void): Maybe<void> {
  const stopped = attempt(() => {
    if (!started) return undefined;
    const onStop = own(object, "onStop");
    return onStop === undefined ? undefined : onStop.call(object);
  }, failed);
  return isPromise(stopped)
    ? stopped.then(() => attempt(() => dispose(object), failed))
    : attempt(() => dispose(object), failed);
}

/**
 * The method, where there is one: a client that makes up its members as they are asked for has none. One that wants
 * arguments is another one by the same name, such as one that takes a listener.
 */
function own(object: object, name: "onStart" | "onStop"): (() => unknown) | undefined {
  if (!(name in object)) return undefined;
  const method = (object as { readonly [key: string]: unknown })[name];
  return typeof method === "function" && method.length === 0 ? (method as () => unknown) : undefined;
}

function attempt(run: () => unknown, failed: (error: unknown) => void): Maybe<void> {
  try {
    const done = run();
    return isPromise(done) ? done.then(() => undefined, failed) : undefined;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

function dispose(object: object): unknown {
  const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = object as Partial<AsyncDisposable & Disposable>;
  if (typeof later === "function") return later.call(object);
  return typeof now === "function" ? now.call(object) : undefined;
}
