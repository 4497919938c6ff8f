import { programOf, type Accepts, type Instruction } from "./expression-program.js";

export type Span = readonly [start: number, end: number];

/** Ways through an expression that are followed together, the preferred ones first. */
interface Ways {
  readonly steps: Int32Array;
  readonly starts: Int32Array;
  count: number;
}

/**
 * Finds what `text.matchAll(expression)` finds, in a time that is at most the length of the text times the steps of the expression:
 * all ways through it are followed together, character by character, and none is gone twice. May give a match in parts that overlap.
 */
export class LinearSearch {
  /** How many steps one character takes at most. */
  readonly steps: number;
  readonly #program: readonly Instruction[];
  readonly #unicode: boolean;
  readonly #firsts: readonly Accepts[];
  /** When a step was last come to. */
  readonly #seen: Float64Array;
  #round = 0;
  #cut = false;
  #spans: Span[] = [];

  /** Throws `NotRead` for an expression that is not of those. */
  constructor(source: string, flags: string) {
    this.#program = programOf(source, flags);
    this.steps = this.#program.length;
    this.#unicode = flags.includes("u");
    this.#seen = new Float64Array(this.steps);
    this.#firsts = [...new Set(this.#firstSets(0, new Set()))];
  }

  find(text: string): readonly Span[] {
    this.#spans = [];
    let ways = this.#noWays();
    let next = this.#noWays();
    this.#round++;
    for (let at = 0, before = -1; at < text.length;) {
      const code = this.#unicode ? text.codePointAt(at)! : text.charCodeAt(at);
      if (this.#firsts.some((accepts) => accepts(code))) this.#add(ways, 0, at, at, before, code);
      at += code > 0xff_ff ? 2 : 1;
      this.#round++;
      next.count = 0;
      if (ways.count > 0) this.#step(ways, next, code, at, text);
      before = code;
      [ways, next] = [next, ways];
    }
    return this.#spans;
  }

  #step(ways: Ways, next: Ways, code: number, at: number, text: string): void {
    const after = at >= text.length ? -1 : this.#unicode ? text.codePointAt(at)! : text.charCodeAt(at);
    for (let i = 0; i < ways.count && !this.#cut; i++) {
      const step = ways.steps[i]!;
      const { accepts } = this.#program[step] as Extract<Instruction, { op: "char" }>;
      if (accepts(code)) this.#add(next, step + 1, ways.starts[i]!, at, code, after);
    }
    this.#cut = false;
  }

  /** Goes on to the next characters that are looked for. What is found ends all ways that are less preferred. */
  #add(ways: Ways, step: number, start: number, at: number, before: number, after: number): void {
    if (this.#cut || this.#seen[step] === this.#round) return;
    this.#seen[step] = this.#round;
    const instruction = this.#program[step]!;
    switch (instruction.op) {
      case "char":
        ways.steps[ways.count] = step;
        ways.starts[ways.count++] = start;
        return;
      case "fork":
        this.#add(ways, instruction.first, start, at, before, after);
        return this.#add(ways, instruction.second, start, at, before, after);
      case "jump":
        return this.#add(ways, instruction.to, start, at, before, after);
      case "place":
        if (instruction.holds(before, after)) this.#add(ways, step + 1, start, at, before, after);
        return;
      case "found":
        this.#spans.push([start, at]);
        this.#cut = true;
    }
  }

  #noWays(): Ways {
    return { steps: new Int32Array(this.steps), starts: new Int32Array(this.steps), count: 0 };
  }

  /** What the first character of a match can be. */
  *#firstSets(step: number, seen: Set<number>): Iterable<Accepts> {
    if (seen.has(step)) return;
    seen.add(step);
    const instruction = this.#program[step]!;
    if (instruction.op === "char") yield instruction.accepts;
    else if (instruction.op === "jump") yield* this.#firstSets(instruction.to, seen);
    else if (instruction.op === "place") yield* this.#firstSets(step + 1, seen);
    else if (instruction.op === "fork") {
      yield* this.#firstSets(instruction.first, seen);
      yield* this.#firstSets(instruction.second, seen);
    }
  }
}
