/** Names that generated code imports, or that what a compiler makes of decorators relies on. */
const TAKEN = `
  McpServer McpServerClient McpTool ToolContext ToolHandler NoInput jsonSchema
  PlainText Text Num Int Flag Choice DateTime ListOf MapOf Nested OneOf Json
  Object Function Array String Number Boolean Symbol BigInt Promise Date RegExp Error TypeError Map Set WeakMap WeakSet
  Reflect Proxy JSON Math Record Readonly Partial Buffer Infinity NaN
`
  .trim()
  .split(/\s+/);
const LONGEST = 48;

/** The words of a name: letters without their marks, and digits; `calendar.create`, `calendarCreate` and `Calendar create` are the same. */
function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, 200)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
}

/** `calendar.create` as `CalendarCreate`; empty where a name has no letter or digit of ASCII. */
export function pascalCase(text: string): string {
  return wordsOf(text)
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join("")
    .slice(0, LONGEST);
}

/** `CalendarCreate` as `calendar-create`, for the name of a file: never one that Windows keeps for itself. */
export function kebabCase(text: string): string {
  const name = wordsOf(text).join("-").toLowerCase();
  return /^(con|prn|aux|nul|com\d|lpt\d)$/.test(name) ? `${name}-file` : name;
}

/** Gives names for classes: identifiers, none of them twice, whatever their letters' case, and none that is needed otherwise. */
export class ClassNames {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set([...TAKEN, ...taken].map((name) => name.toLowerCase()));
  }

  /** A name made of `wanted`; where that is not to be had, with `suffix`, then with a number. */
  take(wanted: string, suffix: string): string {
    const base = /^[A-Z]/.test(wanted) ? wanted : `${suffix}${wanted}`;
    const bases = [base, base.endsWith(suffix) ? base : `${base}${suffix}`];
    for (let count = 2; ; count++) {
      const free = bases.find((name) => !this.#taken.has(name.toLowerCase()));
      if (free !== undefined) {
        this.#taken.add(free.toLowerCase());
        return free;
      }
      bases.push(`${base}${count}`);
    }
  }
}
