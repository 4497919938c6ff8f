import type { WrittenFile } from "./generate/write-files.js";
import { oneLine, printable, type Terminal } from "./terminal.js";

/** What a generator did, as it is shown. */
interface Shown {
  readonly files: readonly WrittenFile[];
  readonly dryRun: boolean;
  /** What else was done. */
  readonly more: readonly string[];
  readonly notes: readonly string[];
  readonly next: readonly string[];
}

/** Shows what a generator wrote, what it left out, and what to do next. */
export function printGenerated({ out, outColors: { green, yellow, dim } }: Terminal, shown: Shown): void {
  const { files, dryRun, more, notes, next } = shown;
  for (const { path, outcome } of files) {
    const word = outcome === "same" ? dim("same    ") : outcome === "new" ? green("new     ") : yellow("replaced");
    out.write(`${dryRun && outcome !== "same" ? dim("(dry) ") : ""}${word} ${printable(path)}\n`);
  }
  for (const line of more) out.write(`${printable(line)}\n`);
  for (const note of notes) out.write(`${yellow("note")} ${oneLine(note, 400)}\n`);
  for (const line of next) out.write(`${dim("next")} ${oneLine(line, 2_000)}\n`);
}
