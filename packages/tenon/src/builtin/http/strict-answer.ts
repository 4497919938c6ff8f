import { jsonAt, textAt } from "./json-at.js";
import { ServiceError } from "./service-error.js";
import { wordsOf } from "./error-words.js";

/** An answer without what it must have: that is a fault, not an empty result. `what` as in "no list of articles". */
export function lacks(service: string, what: string): ServiceError {
  return new ServiceError(`${service} answered in a form that is not known: it sent ${what}. Try later, or do without`);
}

/** The words of the error that stands at one of the members of an answer, in whatever form. An empty one is none. */
export function errorAt(answer: unknown, ...members: readonly string[]): string | undefined {
  for (const member of members) {
    const found = jsonAt(answer, member);
    if (!isNothing(found)) return wordsOf(found) ?? textAt(answer, "message") ?? "an error without words";
  }
  return undefined;
}

/**
 * Reads each entry of a list; one that cannot be read gives nothing and is left out. Where that is so of all of them, the form is
 * not known: an error that calls them `what`: "article".
 */
export function readEntries<T>(
  service: string,
  what: string,
  entries: readonly unknown[],
  read: (entry: unknown) => readonly T[],
): T[] {
  const usable = entries.flatMap((entry) => read(entry));
  if (usable.length === 0 && entries.length > 0) throw lacks(service, `no ${what} that can be read`);
  return usable;
}

/** The object there, which is no list; `undefined` for anything else. */
export function objectAt(value: unknown, ...path: readonly (string | number)[]): object | undefined {
  const found = jsonAt(value, ...path);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? found : undefined;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  if (typeof value === "string") return value.trim() === "";
  return typeof value === "object" && Object.keys(value).length === 0;
}
