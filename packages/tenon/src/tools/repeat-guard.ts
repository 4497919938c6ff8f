import { canonicalJson } from "../util/canonical-json.js";

/** The same call with the same result: told to the model, then refused, then the run ends. Counted from 1. */
export const REPEATS_TOLD = 3;
export const REPEATS_REFUSED = 5;
export const REPEATS_END = 7;

interface Made {
  readonly name: string;
  readonly text: string;
  readonly print: number;
  /** Set when it is first needed. */
  canonical: string | undefined;
  /** What the model read; `undefined` where the guard refused the call. */
  readonly result: string | undefined;
}

/**
 * Counts the calls of a run that were made before with the same input and gave the same result, whatever was called between
 * them. It knows only what the run's messages say, so it counts the same when the run is picked up again.
 */
export class RepeatGuard {
  readonly #made: Made[] = [];

  /** How often this call was made before with one and the same result, counting back from the last time. */
  before(name: string, text: string): { readonly times: number; readonly result: string | undefined } {
    const print = fingerprint(text);
    let canonical: string | undefined;
    let times = 0;
    let result: string | undefined;
    for (let i = this.#made.length - 1; i >= 0; i--) {
      const made = this.#made[i]!;
      if (made.print !== print || made.name !== name) continue;
      if (made.text !== text) {
        canonical ??= canonicalOf(text);
        made.canonical ??= canonicalOf(made.text);
        if (made.canonical !== canonical) continue;
      }
      if (made.result !== undefined) {
        if (result !== undefined && made.result !== result) break;
        result = made.result;
      }
      times++;
    }
    return { times, result };
  }

  /** A call has its result. `refused`: the guard itself refused it. */
  made(name: string, text: string, result: string, refused: boolean): void {
    this.#made.push({
      name,
      text,
      print: fingerprint(text),
      canonical: undefined,
      result: refused ? undefined : result,
    });
  }
}

/** What the model reads below a result that it has had before. */
export function repeatNote(times: number): string {
  return `\n[note: this is call number ${times} with the same input, and the result is the same each time; do something else]`;
}

/** The same for two texts that may be one and the same input in another order or spacing. Cheap: most calls differ. */
function fingerprint(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 32) sum = (sum + code * code) | 0;
  }
  return sum;
}

function canonicalOf(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}
