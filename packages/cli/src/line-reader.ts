import { createInterface, type Interface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { Terminal } from "./terminal.js";

/** What was typed before is read from the terminal within this time, in milliseconds. */
const SETTLE_MS = 50;

/** Lines of a terminal, one at a time; what is typed meanwhile is kept in order. */
export class LineReader {
  readonly #lines: Interface;
  readonly #out: Terminal["out"];
  #typed: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #ended = false;

  /** `onInterrupt` hears Ctrl-C, but not the one that clears a line which was begun. */
  constructor({ input, out }: Terminal, onInterrupt: () => void) {
    this.#out = out;
    this.#lines = createInterface({ input, output: out, prompt: "" });
    this.#lines.on("line", (line) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting === undefined) this.#typed.push(line);
      else waiting(line);
    });
    this.#lines.on("SIGINT", () => {
      if (this.#waiting !== undefined && this.#lines.line !== "") this.#clear();
      else onInterrupt();
    });
    this.#lines.on("close", () => {
      this.#ended = true;
      if (this.#waiting !== undefined) out.write("\n");
      this.#waiting?.(undefined);
      this.#waiting = undefined;
    });
  }

  /** The next line; `undefined` at the end of the input, or after `close`. One that was typed before is shown when it is taken. */
  next(prompt: string): Promise<string | undefined> {
    const typed = this.#typed.shift();
    if (typed !== undefined) this.#out.write(`${prompt}${typed}\n`);
    if (typed !== undefined || this.#ended) return Promise.resolve(typed);
    this.#lines.setPrompt(prompt);
    this.#lines.prompt();
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  /** Forgets what was typed before it was asked for: nobody approves a question that they have not seen. */
  async discard(): Promise<void> {
    await setTimeout(SETTLE_MS);
    this.#typed = [];
    if (this.#ended || this.#lines.line === "") return;
    this.#lines.setPrompt("");
    this.#clear();
  }

  close(): void {
    this.#lines.close();
  }

  #clear(): void {
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
  }
}
