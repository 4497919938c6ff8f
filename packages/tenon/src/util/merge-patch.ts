import { isObject } from "./is-object.js";

/**
 * A JSON merge patch applied to a value (RFC 7396): members of objects are merged, `null` removes one, everything else
 * replaces. Changes neither of both; what it does not replace is shared with `target`.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else if (change !== undefined) merged.set(name, mergePatch(merged.get(name), change));
  }
  // Also right for a member named `__proto__`.
  return Object.fromEntries(merged);
}
