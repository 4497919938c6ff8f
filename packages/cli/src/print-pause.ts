import type { Pause } from "tenon";
import { printable } from "./terminal.js";

/** What waits for a decision: the question, the tool where it does not name it, and the whole input that would run. */
export function pauseText({ agent, tool, question, input }: Pause): string {
  const asks = question.includes(tool) ? "asks" : `asks about ${tool}`;
  return printable(`${agent} ${asks}: ${question}\n${JSON.stringify(input, null, 2).replace(/^/gm, "  ")}`);
}

/** How to come back to a thread that waits; `leaving` where a person was asked and left. */
export function reopenText(threadId: string, owner: string | undefined, leaving: boolean): string {
  const how = leaving ? "Open the chat again to decide" : "To decide, open it on a terminal";
  const options = [`--thread ${shellWord(threadId)}`, ...(owner === undefined ? [] : [`--owner ${shellWord(owner)}`])];
  return `The run still waits. ${how}: ${chatCommandLine()} ${options.join(" ")}`;
}

/** The command as it was called: a script of npm that starts `tenon chat` goes by its own name. */
function chatCommandLine(): string {
  const { npm_lifecycle_event: script = "", npm_lifecycle_script: does = "" } = process.env;
  if (!/^tenon chat( |$)/.test(does)) return "npx tenon chat";
  return script === "start" ? "npm start --" : `npm run ${shellWord(script)} --`;
}

function shellWord(text: string): string {
  return /^[\w.:@/-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
