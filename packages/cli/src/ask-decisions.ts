import type { Decision, Decisions, Pause } from "tenon";
import type { LineReader } from "./line-reader.js";
import { pauseText } from "./print-pause.js";
import type { Terminal } from "./terminal.js";

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
    const decision = await askOne(lines, by);
    if (decision === undefined) return undefined;
    decisions[pause.id] = decision;
  }
  return decisions;
}

async function askOne(lines: LineReader, by: string): Promise<Decision | undefined> {
  await lines.discard();
  for (;;) {
    const line = await lines.next("approve? yes, or no and why: ");
    if (line === undefined) return undefined;
    const [, word, rest] = /^\s*(y|yes|n|no)\b[\s,:.]*(.*?)\s*$/is.exec(line) ?? [];
    if (word === undefined) continue;
    // "yes, but …" is no clear yes.
    if (/^y/i.test(word)) {
      if (rest === "") return { approved: true, by };
      continue;
    }
    const reason = rest !== undefined && rest !== "" ? rest : await askReason(lines);
    return reason === undefined ? undefined : { approved: false, reason, by };
  }
}

async function askReason(lines: LineReader): Promise<string | undefined> {
  for (;;) {
    const reason = await lines.next("why not? ");
    if (reason === undefined || reason.trim() !== "") return reason?.trim();
  }
}
