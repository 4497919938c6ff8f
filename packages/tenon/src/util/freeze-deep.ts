/** Freezes plain data with everything in it, and gives it back. For what several readers share. It must hold no cycle and no bytes. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    // A loop by name is ten times slower on a list.
    for (let at = 0; at < value.length; at++) freezeMember(value[at]);
  } else for (const key in value) freezeMember(value[key]);
  return Object.freeze(value);
}

function freezeMember(member: unknown): void {
  if (typeof member === "object" && member !== null) freezeDeep(member);
}
