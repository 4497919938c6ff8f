import type { Pause } from "tenon";
import { printable } from "./terminal.js";

/** What waits for a decision: the question and the whole input that would run. */
export function pauseText({ agent, tool, question, input }: Pause): string {
  return printable(
    `${agent} waits for approval of ${tool}: ${question}\n${JSON.stringify(input, null, 2).replace(/^/gm, "  ")}`,
  );
}

/** How to come back to a thread that waits. */
export function reopenText(threadId: string, owner: string | undefined): string {
  const options = [`--thread ${shellWord(threadId)}`, ...(owner === undefined ? [] : [`--owner ${shellWord(owner)}`])];
  return `To decide, open it on a terminal: tenon chat ${options.join(" ")}`;
}

function shellWord(text: string): string {
  return /^[\w.:@/-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
