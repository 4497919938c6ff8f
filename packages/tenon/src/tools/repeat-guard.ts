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

const none: readonly Made[] = [];

/**
 * Counts the calls of a run that were made before with the same input and gave the same result, whatever was called between
 * them. It knows only what the run's messages say, so it counts the same when the run is picked up again.
 */
export class RepeatGuard {
  #made: Made[] | undefined;
  #prints: number[] | undefined;
  #any = false;

  /** Whether it may know any call twice. Until then none is told of or refused, and nobody needs to ask of one. */
  get any(): boolean {
    return this.#any;
  }

  /** How often this call was made before with one and the same result, counting back from the last time. */
  before(name: string, text: string): { readonly times: number; readonly result: string | undefined } {
    const print = fingerprint(text);
    let canonical: string | undefined;
    let times = 0;
    let result: string | undefined;
    const all = this.#made ?? none;
    for (let i = all.length - 1; i >= 0; i--) {
      const made = all[i]!;
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
    const print = fingerprint(text);
    const made: Made = { name, text, print, canonical: undefined, result: refused ? undefined : result };
    if (this.#made === undefined || this.#prints === undefined) {
      // An empty list makes room for many when it is first added to; most runs make few calls.
      this.#made = [made];
      this.#prints = [print];
      return;
    }
    this.#any ||= this.#prints.includes(print);
    this.#prints.push(print);
    this.#made.push(made);
  }
}

/** What the model reads below a result that it has had before. */
export function repeatNote(times: number): string {
  return `\n[note: this is call number ${times} with the same input, and the result is the same each time; do something else]`;
}

/**
 * The same for two texts that may be one and the same input in another order or spacing: the sum of what each of its tokens
 * gives. Cheap: most calls differ.
 */
function fingerprint(text: string): number {
  let sum = 0;
  let token = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 32 && code !== COMMA && code !== COLON && !isBracket(code)) token = (Math.imul(token, 31) + code) | 0;
    else if (token !== 0) {
      sum = (sum + mixed(token)) | 0;
      token = 0;
    }
  }
  return (sum + mixed(token)) | 0;
}

/** So that two tokens do not give the same as two others with their letters exchanged. */
function mixed(token: number): number {
  return Math.imul(token ^ (token >>> 15), 0x2c1b3c6d);
}

const COMMA = 44;
const COLON = 58;

/** `[`, `]`, `{` or `}`. */
function isBracket(code: number): boolean {
  return (code & 0xdf) === 0x5b || (code & 0xdf) === 0x5d;
}

function canonicalOf(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}
