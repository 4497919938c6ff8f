/** What stands at a path of a JSON value; `undefined` where the path leads nowhere. Own members only. */
export function jsonAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as { readonly [key: string | number]: unknown })[step];
  }
  return at;
}

/** The text there, without blanks around it; `undefined` for anything else and for a blank one. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = jsonAt(value, ...path);
  const text = typeof found === "string" ? found.trim().toWellFormed() : "";
  return text === "" ? undefined : text;
}

/** The number there, also one that is written as a text; `undefined` for anything else. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = jsonAt(value, ...path);
  const number = typeof found === "string" && /^\d{1,15}$/.test(found) ? Number(found) : found;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The list there; `undefined` for anything else. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] | undefined {
  const found = jsonAt(value, ...path);
  return Array.isArray(found) ? found : undefined;
}
