import type { Class } from "../util/class.js";

/** What may give an object a member that its prototype has not, or another one, and what asks for a private one and cannot be trapped. */
const maySetAny = /\bassign\b|definePropert|\bthis\s*\[|\[native code\]|#[\w$]+\s+in\b/;

/**
 * An object with the methods of a class and nothing else: no constructor and no initializer ran. Reading of it what a
 * constructor might have set throws. A text where an object of the class could have other members by these names than its
 * prototype, so that only an object that is constructed tells: what of its source says so.
 */
export function bareOf(cls: Class, members: readonly string[]): object | string {
  for (const source of sourcesOf(cls)) {
    const found = maySetAny.exec(source)?.[0] ?? settingOf(members).exec(source)?.[0];
    if (found !== undefined) return found;
  }
  const prototype = cls.prototype as object;
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

function unknown(): never {
  throw new TypeError("nobody knows what members an object has without a constructor");
}

/** Whether the source of a class sets a member on its objects. */
export function setsMember(cls: Class, member: string): boolean {
  return [...sourcesOf(cls)].some((source) => settingOf([member]).test(source));
}

/** A field as it is written, or by its name in quotes, as compilers hand it to a helper of theirs. */
function settingOf(members: readonly string[]): RegExp {
  const names = members.join("|");
  return new RegExp(`\\b(?:${names})\\s*[=;:]|["'\`](?:${names})["'\`]`);
}

function* sourcesOf(cls: Class): Iterable<string> {
  for (
    let from: unknown = cls;
    typeof from === "function" && from !== Function.prototype;
    from = Object.getPrototypeOf(from)
  )
    yield Function.prototype.toString.call(from);
}
