import type { MockedFunction } from "vitest";
import { vi } from "./vitest.js";
import { isToken, keyName, type Key } from "../container/keys.js";
import type { Class } from "../util/class.js";

/** The mock of a `T`: itself, with Vitest's mock members on each function in it, at any depth. */
export type MockOf<T> = T extends (...args: any[]) => any
  ? MockedFunction<T>
  : T extends object
    ? { [K in keyof T]: MockOf<T[K]> } & T
    : T;

/**
 * A mock in the place of what a key gives. A class's mock has a `vi.fn()` for each method of its prototype and passes
 * `instanceof`; accessors and iterators are not there. What else is asked of it, and everything of a token's mock, is a `vi.fn()` made on first use, with members
 * of its own made in the same way. Any member can be set to a value.
 */
export function mockOfKey<T>(key: Key<T>): MockOf<T> {
  return (isToken(key) ? rootNode(key.name) : classNode(key)) as MockOf<T>;
}

/** Looked up by printers, matchers and `await` on any value: a mock that had them would pass for something else. */
const neverMade = new Set<PropertyKey>(["then", "toJSON", "asymmetricMatch", "nodeType", "tagName", "hasAttribute"]);

/** Members of every function that an interface may have methods by the name of. */
const ofFunctions = ["call", "apply", "bind", "name", "length"];

/** The whole of a token may be an object or a function: it can be called, and its members are made on first use. */
function rootNode(path: string): object {
  const root = node(path);
  for (const name of ofFunctions) define(root, name, node(`${path}.${name}`));
  return growing(root, path);
}

function classNode(cls: Class): object {
  const made = Object.create(cls.prototype as object) as object;
  const path = keyName(cls);
  for (
    let from = cls.prototype as object | null;
    from !== null && from !== Object.prototype;
    from = Object.getPrototypeOf(from) as object | null
  ) {
    for (const name of Reflect.ownKeys(from)) {
      if (name === "constructor" || Object.hasOwn(made, name)) continue;
      const isMethod = typeof Object.getOwnPropertyDescriptor(from, name)!.value === "function";
      define(made, name, isMethod && canBeAnyFunction(name) ? node(`${path}.${String(name)}`) : undefined);
    }
  }
  return growing(made, path);
}

/** A method that the language calls itself, as it does an iterator, must give more than a mock does; disposal need not. */
function canBeAnyFunction(name: PropertyKey): boolean {
  return typeof name === "string" || name === Symbol.dispose || name === Symbol.asyncDispose;
}

function node(path: string): object {
  return growing(vi.fn().mockName(path), path);
}

function growing<T extends object>(target: T, path: string): T {
  return new Proxy(target, {
    get(of, name) {
      if (typeof name === "symbol" || name in of || neverMade.has(name) || /^(\$\$|@@)/.test(name))
        return Reflect.get(of, name) as unknown;
      const made = node(`${path}.${name}`);
      define(of, name, made);
      return made;
    },
    set(of, name, value) {
      define(of, name, value);
      return true;
    },
  });
}

function define(target: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
