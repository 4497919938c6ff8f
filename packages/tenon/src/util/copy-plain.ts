/** A copy of plain data, objects and lists all the way down. What is neither is the same in the copy. It must hold no cycle. */
export function copyPlain<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyPlain) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === "__proto__")
      Object.defineProperty(copy, key, {
        value: copyPlain(member),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[key] = copyPlain(member);
  }
  return copy as T;
}
