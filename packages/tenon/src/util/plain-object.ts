/**
 * Whether a value is an object as `{ … }` makes one, of any realm: with members of its own and no class. Options are such: what
 * stands behind a getter of a class, or in a `Map`, would be overlooked. Never throws; a proxy that does is none.
 */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  try {
    if (Array.isArray(value)) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return true;
    return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf");
  } catch {
    return false;
  }
}

/** What kind of value something is, for a message: `a list`, `a Map`, `an object`, `number`. Never throws. */
export function kindOf(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  if (isPlainObject(value)) return "an object";
  try {
    if (Array.isArray(value)) return "a list";
    const { name } = (value as object).constructor as { readonly name?: unknown };
    if (typeof name === "string" && /^\w{1,60}$/.test(name)) return `${/^[AEIOU]/i.test(name) ? "an" : "a"} ${name}`;
  } catch {
    return "an object that cannot be read";
  }
  return "an object of a class";
}
