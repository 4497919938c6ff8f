import { BadInputError, type ValueMask } from "tenon";
import { NotRead } from "./expression-tree.js";
import { LinearSearch, type Span } from "./linear-search.js";

const MASK = "***";

/** A longer text is not looked at: it is masked whole. */
const MOST_CHARS = 1_000_000;

/** So many characters times steps of an expression are looked at; a text that takes more is masked whole. */
const MOST_WORK = 30_000_000;

/**
 * Puts `***` in place of what the patterns find, wherever the framework shows values: events, pauses, `inspect`, `runs`, and the
 * records of `audit`. For the `hooks` of an app, a workflow or an agent.
 *
 * Handlers, hooks, the model, results of runs and the journal have the true values, and a decision is bound to the true input. A
 * person who sends the mask back in an edit is refused. Texts, numbers and names of members are looked at; a text is what counts,
 * not how JSON writes it. A text of an answer comes as one delta, so that a match cannot hide between two, and arguments whole.
 *
 * Patterns: texts, as they are; or expressions, with or without the flag `g`. A text takes at most its length times the steps of an
 * expression, whatever stands in it; a text that takes more than 30 million, or has more than a million characters, is masked whole.
 * Throws `BadInputError` for a list without patterns, for an empty one, and for an expression that finds an empty text, is sticky, has
 * the flag `v`, refers to what it found, looks ahead or behind, repeats what can be empty, or has more than 1,000 steps. A pause is
 * masked when it opens. Keeps no state.
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
  try {
    const search = new LinearSearch(source, flags);
    return (text) => (text.length * search.steps > MOST_WORK ? [[0, text.length]] : search.find(text));
  } catch (thrown) {
    if (thrown instanceof NotRead) throw bad(thrown.message, `${thrown.next} Or give texts.`);
    throw thrown;
  }
}

function copiesOf(literal: string, text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1))
    spans.push([at, at + literal.length]);
  return spans;
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
