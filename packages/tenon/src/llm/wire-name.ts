const VALID = /^[A-Za-z0-9_-]{1,64}$/;

/** Calls of one tool mostly follow each other, and a call's result has its name again. */
let lastValid = "";

/**
 * A tool's name as every provider takes it: without a `functions.` prefix, other characters as `_`, at most 64 of them.
 * A model may have called any name; the history that is sent never holds one that the next request is refused for.
 */
export function toWireName(name: string): string {
  if (name === lastValid) return name;
  if (VALID.test(name)) return (lastValid = name);
  const bare = name.startsWith("functions.") ? name.slice("functions.".length) : name;
  return bare.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "_";
}
