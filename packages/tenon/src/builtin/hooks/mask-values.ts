import { BadInputError, type ValueMask } from "tenon";
import { isRisky } from "./risky-pattern.js";

const MASK = "***";

/** A longer text is not looked at: it is masked whole. */
const MOST_CHARS = 1_000_000;

/** A pattern looks at so much of a text at once, and at the second half of it once more with what follows. */
const WINDOW_CHARS = 8_192;
const STEP_CHARS = WINDOW_CHARS / 2;

/**
 * Puts `***` in place of what the patterns find, wherever the framework shows values: events, pauses, `inspect`, `runs`, and the
 * records of `audit`. For the `hooks` of an app, a workflow or an agent.
 *
 * Handlers, hooks, the model, results of runs and the journal have the true values, and a decision is bound to the true input. A
 * person who sends the mask back in an edit is refused. Texts, numbers and names of members are looked at; a text is what counts,
 * not how JSON writes it. A text of an answer comes as one delta, so that a match cannot hide between two, and arguments whole.
 *
 * Patterns: texts, as they are; or expressions without the flag `y`, `g` or not. An expression finds what is up to 4,096 characters
 * long, looks at a longer text in pieces of 8,192, and may mask more at the ends of a piece. A text of more than a million
 * characters is masked whole. Throws `BadInputError` for a list without patterns, an empty one, one that finds nothing as something,
 * and one that repeats what itself has a choice, which can take for ever. A pause is masked when it opens. Keeps no state.
 */
export function maskValues(patterns: readonly (RegExp | string)[]): ValueMask {
  if (!Array.isArray(patterns) || patterns.length === 0)
    throw new BadInputError("maskValues takes a list of patterns", String(patterns), "Pass texts and expressions.");
  const finders = (patterns as readonly unknown[]).map(finderOf);
  return {
    maskText(text) {
      if (text.length > MOST_CHARS) return MASK;
      const found = finders.flatMap((find) => find(text));
      return found.length === 0 ? text : masked(text, found);
    },
  };
}

type Span = readonly [start: number, end: number];

function finderOf(pattern: unknown): (text: string) => readonly Span[] {
  if (typeof pattern === "string" && pattern !== "") return (text) => copiesOf(pattern, text);
  if (!(pattern instanceof RegExp))
    throw new BadInputError(
      "This is no pattern to mask",
      JSON.stringify(pattern) ?? typeof pattern,
      "Pass a text or an expression.",
    );
  const { source, flags } = pattern;
  const bad = (what: string, next: string): BadInputError =>
    new BadInputError(`A pattern to mask ${what}`, String(pattern), next);
  if (flags.includes("y")) throw bad("is sticky", "Leave the flag `y` out.");
  if (new RegExp(source, flags.replace("g", "")).test(""))
    throw bad("finds an empty text", "Let it find one character at least.");
  if (isRisky(source, flags))
    throw bad(
      "repeats what has a choice in itself, which can take for ever",
      "Write `[a-z.]+` for `([a-z]+\\.)+`, or several patterns.",
    );
  // One of its own: nobody else moves its `lastIndex`.
  const expression = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  return (text) => matchesOf(expression, text);
}

function copiesOf(literal: string, text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1))
    spans.push([at, at + literal.length]);
  return spans;
}

function matchesOf(expression: RegExp, text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let from = 0; ; from += STEP_CHARS) {
    const piece = text.length <= WINDOW_CHARS ? text : text.slice(from, from + WINDOW_CHARS);
    for (const { index, 0: match } of piece.matchAll(expression))
      if (match !== "") spans.push([from + index, from + index + match.length]);
    if (from + WINDOW_CHARS >= text.length) return spans;
  }
}

/** Spans that touch or overlap are one. */
function masked(text: string, spans: readonly Span[]): string {
  let shown = "";
  let end = -1;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (from > end) shown += `${text.slice(Math.max(end, 0), from)}${MASK}`;
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
}
