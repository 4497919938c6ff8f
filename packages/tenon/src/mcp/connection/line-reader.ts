const NEWLINE = 10;
const MERGED = 1_024;

/** Cuts bytes into lines. It never keeps more than the longest line that is allowed. */
export class LineReader {
  readonly #onLine: (line: string) => void;
  readonly #longest: number;
  #parts: Buffer[] = [];
  #merged: Buffer[] = [];
  #size = 0;

  /** `longest` is in bytes. */
  constructor(longest: number, onLine: (line: string) => void) {
    this.#longest = longest;
    this.#onLine = onLine;
  }

  /** Tells of every line that is complete. False once a line is too long: what was kept of it is dropped. */
  push(bytes: Buffer): boolean {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      if (!this.#keep(bytes.subarray(from, end))) return false;
      const line = Buffer.concat([...this.#merged, ...this.#parts]).toString("utf8");
      this.#parts = [];
      this.#merged = [];
      this.#size = 0;
      from = end + 1;
      this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
    return this.#keep(bytes.subarray(from));
  }

  #keep(part: Buffer): boolean {
    this.#size += part.length;
    if (this.#size > this.#longest) {
      this.#parts = this.#merged = [];
      return false;
    }
    if (part.length > 0) this.#parts.push(part);
    // Of bytes that come one by one, each would cost a hundred.
    if (this.#parts.length === MERGED) this.#merged.push(Buffer.concat(this.#parts.splice(0)));
    return true;
  }
}
