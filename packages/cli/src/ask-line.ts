import type { LineReader } from "./line-reader.js";
import { slashCommandOf, unknownText } from "./slash-command.js";
import { printable, type Terminal } from "./terminal.js";

/** A person at a terminal who is asked something. */
export interface Person {
  readonly lines: LineReader;
  readonly terminal: Terminal;
  /** Kept with what they decide. */
  readonly by: string;
}

/** A line that says something, trimmed; an empty one is told `how`. `undefined` where the person left. */
export async function askLine(person: Person, prompt: string, how: string): Promise<string | undefined> {
  for (;;) {
    const line = (await person.lines.next(prompt))?.trim();
    if (line === undefined) return undefined;
    const command = slashCommandOf(line);
    if (command?.kind === "exit") return undefined;
    if (command === undefined && line !== "") return line;
    tell(person, command?.kind === "unknown" ? unknownText(command.word) : how);
  }
}

/** Tells the person something about what they said. */
export function tell({ terminal: { out, outColors } }: Person, text: string): void {
  out.write(`${outColors.dim(printable(text))}\n`);
}
