import type { Decision, Decisions, Pause } from "tenon";
import type { LineReader } from "./line-reader.js";
import { pauseText } from "./print-pause.js";
import { slashCommandOf, unknownText } from "./slash-command.js";
import { printable, type Terminal } from "./terminal.js";

const HOW = 'answer "yes", or "no" and why; /exit leaves the run waiting';
const HOW_WHY = "say why, in a few words: the model reads it; /exit leaves the run waiting";

/**
 * Asks for a decision on each pause, one after the other: yes, or no with a reason. Anything unclear is asked again.
 * `undefined` where the person left before the last one: then none is taken.
 */
export async function askDecisions(
  pauses: readonly Pause[],
  lines: LineReader,
  terminal: Terminal,
  by: string,
): Promise<Decisions | undefined> {
  const decisions: Record<string, Decision> = {};
  for (const pause of pauses) {
    terminal.out.write(`${pauseText(pause)}\n`);
    const decision = await askOne(lines, terminal, by);
    if (decision === undefined) return undefined;
    decisions[pause.id] = decision;
  }
  return decisions;
}

async function askOne(lines: LineReader, terminal: Terminal, by: string): Promise<Decision | undefined> {
  await lines.discard();
  for (;;) {
    const line = await answer(lines, terminal, "approve? yes, or no and why: ", HOW);
    if (line === undefined) return undefined;
    const [, word, rest] = /^(y|yes|n|no)\b[\s,:.]*(.*)$/is.exec(line) ?? [];
    // "yes, but …" is no clear yes.
    if (word !== undefined && /^y/i.test(word) && rest === "") return { approved: true, by };
    if (word === undefined || /^y/i.test(word)) {
      note(terminal, HOW);
      continue;
    }
    const reason = rest !== undefined && rest !== "" ? rest : await answer(lines, terminal, "why not? ", HOW_WHY);
    if (reason === undefined) return undefined;
    note(terminal, `not approved: ${reason}`);
    return { approved: false, reason, by };
  }
}

/** A line that says something, trimmed; an empty one is told `how`. `undefined` where the person left. */
async function answer(lines: LineReader, terminal: Terminal, prompt: string, how: string): Promise<string | undefined> {
  for (;;) {
    const line = (await lines.next(prompt))?.trim();
    if (line === undefined) return undefined;
    const command = slashCommandOf(line);
    if (command?.kind === "exit") return undefined;
    if (command === undefined && line !== "") return line;
    note(terminal, command?.kind === "unknown" ? unknownText(command.word) : how);
  }
}

function note({ out, outColors: { dim } }: Terminal, text: string): void {
  out.write(`${dim(printable(text))}\n`);
}
