/** So often may something be repeated that can match in more than one way: the ways multiply. */
const MOST_REPEATS = 20;

interface Group {
  /** How often a choice comes in it at most; 0 without one. */
  choices: number;
}

/**
 * Whether an expression may take a time that grows with every character by a factor: it repeats a group that can match in more
 * than one way (an alternative, or a part that may be longer or shorter) for ever, or more than twenty times. Says so of some
 * that would be quick. `source` is of a valid expression.
 */
export function isRisky(source: string, flags: string): boolean {
  const open: Group[] = [{ choices: 0 }];
  for (let at = 0; at < source.length;) {
    const top = open.at(-1)!;
    const char = source[at]!;
    if (char === "(") {
      open.push({ choices: 0 });
      at = afterGroupStart(source, at);
      continue;
    }
    if (char === "|") {
      top.choices = Math.max(top.choices, 1);
      at++;
      continue;
    }
    let inner = 0;
    if (char === ")") {
      inner = open.pop()!.choices;
      at++;
    } else at = afterAtom(source, at, flags);
    const { end, max, varies } = quantifierAt(source, at);
    at = end;
    const within = open.at(-1)!;
    const choices = inner === 0 ? Number(varies) : Math.max(1, inner * max);
    if (inner > 0 && choices > MOST_REPEATS) return true;
    within.choices = Math.max(within.choices, choices);
  }
  return false;
}

/** Behind `(`, and behind `?:`, `?=`, `?!`, `?<=`, `?<!`, `?<name>` or `?i-m:` where one follows. */
function afterGroupStart(source: string, at: number): number {
  const [head] = /^\((?:\?(?:<[=!]|<[^>]*>|[=!]|[a-z-]*:))?/.exec(source.slice(at)) ?? ["("];
  return at + head.length;
}

function afterAtom(source: string, at: number, flags: string): number {
  if (source[at] === "\\") return at + 2;
  if (source[at] !== "[") return at + 1;
  let depth = 0;
  for (let end = at; end < source.length; end++) {
    if (source[end] === "\\") end++;
    else if (source[end] === "[") depth = flags.includes("v") ? depth + 1 : 1;
    else if (source[end] === "]" && --depth === 0) return end + 1;
  }
  return source.length;
}

/** The quantifier that stands there, if any: how often at most, and whether it may be more or less often. */
function quantifierAt(
  source: string,
  at: number,
): { readonly end: number; readonly max: number; readonly varies: boolean } {
  const [whole, sign, min, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at)) ?? [];
  if (whole === undefined) return { end: at, max: 1, varies: false };
  const end = at + whole.length;
  if (sign !== undefined) return { end, max: sign === "?" ? 1 : Infinity, varies: true };
  const max = comma === "" ? Number(min) : most === "" ? Infinity : Number(most);
  return { end, max, varies: max !== Number(min) };
}
