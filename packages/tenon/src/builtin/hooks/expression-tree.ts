/** A part of an expression. `empty`: it can find a text without characters. */
export type Part = { readonly empty: boolean } & (
  | { readonly kind: "char"; readonly source: string }
  | { readonly kind: "place"; readonly source: "^" | "$" | "\\b" | "\\B" }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "repeat"; readonly part: Part; readonly min: number; readonly max: number; readonly lazy: boolean }
);

/** What an expression has that is not read, and what to write in its place. */
export class NotRead extends Error {
  readonly next: string;

  constructor(what: string, next: string) {
    super(what);
    this.next = next;
  }
}

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y;
const GROUP = /\((?:\?:|\?<(?![=!])[^>]*>)?(?!\?)/y;
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const ESCAPE = /\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|0(?!\d)|[^\dkqcpP])/iy;
const UNICODE_ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|0(?!\d)|[^\dkqcpP])/y;

/** Reads a valid expression without the flag `v`. Throws `NotRead` for references, looks ahead or behind, and repeated emptiness. */
export function treeOf(source: string, flags: string): Part {
  const unicode = flags.includes("u");
  let at = 0;

  function taken(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = at;
    const found = form.exec(source) ?? undefined;
    if (found !== undefined) at = form.lastIndex;
    return found;
  }

  function choice(): Part {
    const parts = [sequence()];
    for (; source[at] === "|"; parts.push(sequence())) at++;
    return parts.length === 1 ? parts[0]! : { kind: "choice", parts, empty: parts.some((part) => part.empty) };
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(atom()));
    return { kind: "sequence", parts, empty: parts.every((part) => part.empty) };
  }

  function repeated(part: Part): Part {
    const found = taken(QUANTIFIER);
    if (found === undefined) return part;
    const [, sign, least, comma, most, lazy] = found;
    if (part.empty)
      throw new NotRead(
        "repeats what can be empty",
        "Let what is repeated find one character at least: `a*` for `(a?)*`.",
      );
    const min = sign === undefined ? Number(least) : Number(sign === "+");
    const max =
      sign !== undefined ? (sign === "?" ? 1 : Infinity) : comma === "" ? min : most === "" ? Infinity : Number(most);
    return { kind: "repeat", part, min, max, lazy: lazy === "?", empty: min === 0 };
  }

  function atom(): Part {
    const char = source[at]!;
    if (char === "(") {
      if (taken(GROUP) === undefined)
        throw new NotRead("looks ahead or behind, or changes flags", "Let the pattern find what stands around it too.");
      const inner = choice();
      at++;
      return inner;
    }
    for (const place of ["^", "$", "\\b", "\\B"] as const)
      if (source.startsWith(place, at)) {
        at += place.length;
        return { kind: "place", source: place, empty: true };
      }
    if (char === "[") return { kind: "char", source: taken(CLASS)![0], empty: false };
    if (char !== "\\") {
      const whole = unicode ? String.fromCodePoint(source.codePointAt(at)!) : char;
      at += whole.length;
      // A brace or bracket that stands for itself.
      return { kind: "char", source: /[{}\]]/.test(whole) ? `\\${whole}` : whole, empty: false };
    }
    const escape = taken(unicode ? UNICODE_ESCAPE : ESCAPE);
    if (escape === undefined)
      throw new NotRead(
        "refers to what it found before, or has an escape that is not known",
        "Write out what it stands for.",
      );
    return { kind: "char", source: escape[0], empty: false };
  }

  return choice();
}
