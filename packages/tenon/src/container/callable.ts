import type { Class } from "../util/class.js";
import { isClass } from "../util/class.js";

/** A class to construct, or a function to call, with the values of its dependencies in order. */
export type Make<T> = Class<T> | ((...args: any[]) => T | Promise<T>);

/** One calling convention for a class and a function. */
export function callable(make: Make<unknown>): (args: readonly unknown[]) => unknown {
  if (isClass(make)) {
    return (args) => new make(...args);
  }
  const called = make as (...values: readonly unknown[]) => unknown;
  return (args) => called(...args);
}
