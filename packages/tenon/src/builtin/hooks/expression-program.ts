import { NotRead, treeOf, type Part } from "./expression-tree.js";

/** Takes the code of a character. */
export type Accepts = (code: number) => boolean;

export type Instruction =
  | { readonly op: "char"; readonly accepts: Accepts }
  /** Tries one way, and then another. */
  | { readonly op: "fork"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  /** Between two characters; -1 stands for an end of the text. */
  | { readonly op: "place"; readonly holds: (before: number, after: number) => boolean }
  | { readonly op: "found" };

/** So many steps an expression may have; each counts once for each character of a text. */
const MOST_STEPS = 1_000;

/** The steps of an expression. Throws `NotRead` for one that cannot be followed in linear time, or finds an empty text. */
export function programOf(source: string, flags: string): readonly Instruction[] {
  if (flags.includes("v")) throw new NotRead("has the flag `v`", "Write it with the flag `u`.");
  const tree = treeOf(source, flags);
  if (tree.empty) throw new NotRead("finds an empty text", "Let it find one character at least.");
  const program: Instruction[] = [];
  const sets = new Map<string, Accepts>();

  function emit<I extends Instruction>(instruction: I): I {
    if (program.length === MOST_STEPS)
      throw new NotRead(`has more than ${MOST_STEPS} steps`, "Repeat less often: `{20,}` for `{20,5000}`.");
    program.push(instruction);
    return instruction;
  }

  function write(part: Part): void {
    switch (part.kind) {
      case "char": {
        const accepts = sets.get(part.source) ?? setOf(part.source, flags);
        sets.set(part.source, accepts);
        emit({ op: "char", accepts });
        return;
      }
      case "place":
        emit({ op: "place", holds: placeOf(part.source, flags) });
        return;
      case "sequence":
        for (const inner of part.parts) write(inner);
        return;
      case "choice":
        return writeChoice(part.parts);
      case "repeat":
        for (let n = 0; n < part.min; n++) write(part.part);
        if (part.max === Infinity) return writeLoop(part.part, part.lazy);
        return writeOptions(part.part, part.max - part.min, part.lazy);
    }
  }

  function writeChoice(parts: readonly Part[]): void {
    const jumps: { to: number }[] = [];
    for (const [i, inner] of parts.entries()) {
      const fork = i < parts.length - 1 ? emit({ op: "fork", first: program.length + 1, second: 0 }) : undefined;
      write(inner);
      if (fork === undefined) continue;
      jumps.push(emit({ op: "jump", to: 0 }));
      fork.second = program.length;
    }
    for (const jump of jumps) jump.to = program.length;
  }

  function writeLoop(part: Part, lazy: boolean): void {
    const start = program.length;
    const fork = emit({ op: "fork", first: 0, second: 0 });
    write(part);
    emit({ op: "jump", to: start });
    point(fork, start + 1, program.length, lazy);
  }

  function writeOptions(part: Part, times: number, lazy: boolean): void {
    const forks: [{ first: number; second: number }, number][] = [];
    for (let n = 0; n < times; n++) {
      forks.push([emit({ op: "fork", first: 0, second: 0 }), program.length]);
      write(part);
    }
    for (const [fork, inside] of forks) point(fork, inside, program.length, lazy);
  }

  write(tree);
  emit({ op: "found" });
  return program;
}

function point(fork: { first: number; second: number }, inside: number, behind: number, lazy: boolean): void {
  fork.first = lazy ? behind : inside;
  fork.second = lazy ? inside : behind;
}

/** What the engine of the language says of one character, which takes no time worth counting; kept for the next. */
function setOf(source: string, flags: string): Accepts {
  const one = new RegExp(`^(?:${source})$`, flags.replace(/[^isu]/g, ""));
  const known = new Int8Array(0x1_00_00);
  const ask = (code: number): boolean => one.test(String.fromCodePoint(code));
  return (code) => {
    if (code >= known.length) return ask(code);
    const told = known[code]!;
    if (told !== 0) return told > 0;
    const is = ask(code);
    known[code] = is ? 1 : -1;
    return is;
  };
}

function placeOf(source: "^" | "$" | "\\b" | "\\B", flags: string): (before: number, after: number) => boolean {
  const ends: Accepts = flags.includes("m") ? setOf("[\\n\\r\\u2028\\u2029]", "") : () => false;
  if (source === "^") return (before) => before < 0 || ends(before);
  if (source === "$") return (_before, after) => after < 0 || ends(after);
  const word = setOf("\\w", flags);
  const isWord: Accepts = (code) => code >= 0 && word(code);
  return (before, after) => (isWord(before) !== isWord(after)) === (source === "\\b");
}
