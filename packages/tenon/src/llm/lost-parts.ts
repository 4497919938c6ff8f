/** What a schema lost on its way to a provider, each with its place: `jobs[].url: pattern`. */
export type LostParts = readonly string[];

/** Gathers what is lost, each thing once. */
export class LostList {
  readonly #all: Set<string>;

  constructor(before: LostParts = []) {
    this.#all = new Set(before);
  }

  get all(): LostParts {
    return [...this.#all];
  }

  /** `path` is empty for the root. */
  add(path: string, what: string): void {
    this.#all.add(path === "" ? what : `${path}: ${what}`);
  }
}

/** The path of a named member. */
export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A description that still says in words what the schema does not say any more. */
export function withNotes(description: string | undefined, notes: readonly string[]): string | undefined {
  if (notes.length === 0) return description;
  const text = `(${notes.join("; ")})`;
  return description === undefined || description === "" ? text : `${description} ${text}`;
}

/** A keyword and its value in words that a model understands. */
export function noteOf(keyword: string, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${keyword} ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`;
}
