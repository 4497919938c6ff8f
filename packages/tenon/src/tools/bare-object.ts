import type { Class } from "../util/class.js";

/** What may give an object a member that its prototype has not, or another one, and what asks for a private one and cannot be trapped. */
const maySetAny = /\bassign\b|definePropert|\bthis\s*\[|\[native code\]|#[\w$]+\s+in\b/;

/**
 * An object with the methods of a class and nothing else: no constructor and no initializer ran. Reading of it what a
 * constructor might have set throws. `undefined` where an object of the class could have other members by these names than
 * its prototype; only an object that is constructed tells then.
 */
export function bareOf(cls: Class, members: readonly string[]): object | undefined {
  const names = members.join("|");
  // A field as it is written, or by its name in quotes, as compilers hand it to a helper of theirs.
  const sets = new RegExp(`\\b(?:${names})\\s*[=;:]|["'\`](?:${names})["'\`]`);
  for (const source of sourcesOf(cls)) if (maySetAny.test(source) || sets.test(source)) return undefined;
  const prototype = cls.prototype as object;
  const unknown = (): never => {
    throw new TypeError("nobody knows what members an object has without a constructor");
  };
  return new Proxy(Object.create(prototype) as object, {
    get(target, name, receiver) {
      if (name in target || typeof name === "symbol" || members.includes(name))
        return Reflect.get(target, name, receiver) as unknown;
      throw new TypeError(`this.${name} is not there without a constructor`);
    },
    has: (target, name) => name in target || unknown(),
    ownKeys: unknown,
    getOwnPropertyDescriptor: unknown,
    getPrototypeOf: unknown,
    isExtensible: unknown,
  });
}

function* sourcesOf(cls: Class): Iterable<string> {
  for (
    let from: unknown = cls;
    typeof from === "function" && from !== Function.prototype;
    from = Object.getPrototypeOf(from)
  )
    yield Function.prototype.toString.call(from);
}
