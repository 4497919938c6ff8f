import { printable } from "./terminal.js";

/** Whether this is seen depends on what comes next: the end of a line, a joiner, how a picture is drawn, half of a pair. */
const OPEN = /(?:\r|(?:\u200c|\u200d|\ufe0f)?[\uD800-\uDBFF]|\u200c|\u200d|\ufe0f)$/;

/** A text that comes in pieces, made `printable` as if it came at once. */
export class StreamedText {
  /** The last two characters that were given out: what stands before a joiner counts. */
  #before = "";
  #held = "";

  /** The next piece as it may be shown. Its end is held back where the next piece may change it. */
  add(piece: string): string {
    const text = this.#held + piece;
    const open = OPEN.exec(text)?.[0] ?? "";
    this.#held = open;
    return this.#shown(text.slice(0, text.length - open.length));
  }

  /** What was held back; the text ends here. */
  end(): string {
    const rest = this.#shown(this.#held);
    this.#before = this.#held = "";
    return rest;
  }

  #shown(text: string): string {
    const before = this.#before;
    this.#before = /[^]{0,2}$/u.exec((before + text).slice(-4))![0];
    return printable(before + text).slice(printable(before).length);
  }
}
