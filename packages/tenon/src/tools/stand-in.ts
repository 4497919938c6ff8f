import { keyName, keyOf, type Dep } from "../container/keys.js";
import { isClass } from "../util/class.js";

/** A dependency was used where only its place is kept. */
export class StandInUsed extends Error {
  readonly dependency: string;

  constructor(dependency: string) {
    super(`${dependency} is not there yet`);
    this.dependency = dependency;
  }
}

/**
 * What stands in the place of a dependency while a tool is only asked for its name. It can be kept, compared and passed on;
 * any use of it throws `StandInUsed`. That of a class passes `instanceof`.
 */
export function standIn(dep: Dep | undefined, position: number): object {
  const key = dep === undefined ? undefined : keyOf(dep);
  const refuse = (): never => {
    throw new StandInUsed(key === undefined ? `constructor parameter [${position}]` : keyName(key));
  };
  // A promise that is settled with it asks for `then` first.
  const get = (_target: object, name: PropertyKey): undefined => (name === "then" ? undefined : refuse());
  const traps = { get, set: refuse, has: refuse, deleteProperty: refuse, defineProperty: refuse, ownKeys: refuse };
  return isClass(key)
    ? new Proxy(Object.create(key.prototype as object) as object, traps)
    : new Proxy(function () {}, { ...traps, apply: refuse, construct: refuse });
}
