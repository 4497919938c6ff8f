const LONGEST_SHOWN = 300;

/** Where two JSON values differ first, in words; `undefined` where they are equal. */
export function firstDifference(found: unknown, wanted: unknown, path = ""): string | undefined {
  if (Object.is(found, wanted)) return undefined;
  if (!isContainer(found) || !isContainer(wanted) || Array.isArray(found) !== Array.isArray(wanted))
    return `${path === "" ? "it" : path} is ${shown(found)} in place of ${shown(wanted)}`;
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    const place = Array.isArray(wanted) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const difference = firstDifference(found[key], wanted[key], place);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
