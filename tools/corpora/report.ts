/** What a check of a corpus found: counts by name, what was left out and why, and what must not be. */
export class Report {
  readonly #title: string;
  readonly #counts = new Map<string, number>();
  readonly #notes: string[] = [];
  readonly #violations: string[] = [];

  constructor(title: string) {
    this.#title = title;
  }

  get violations(): number {
    return this.#violations.length;
  }

  /** What must not be, as it is printed. */
  get faults(): readonly string[] {
    return this.#violations;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  count(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  /** Something that is told once, and is no fault of Tenon. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /** Something that must not be. */
  violation(text: string): void {
    this.#violations.push(text);
  }

  /** Notes a violation where the condition does not hold. */
  expect(holds: boolean, text: () => string): void {
    if (!holds) this.violation(text());
  }

  print(): void {
    console.log(`\n${this.#title}`);
    for (const [name, count] of this.#counts) console.log(`  ${String(count).padStart(7)}  ${name}`);
    for (const note of this.#notes) console.log(`  note: ${note}`);
    for (const violation of this.#violations.slice(0, 50)) console.log(`  VIOLATION: ${violation}`);
    if (this.#violations.length > 50) console.log(`  … and ${this.#violations.length - 50} more violations`);
  }
}

/** Any value, short enough for a line. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
