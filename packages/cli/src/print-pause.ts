import type { JsonObject, Pause } from "tenon";
import { commandLineOf, shellWord } from "./npm-script.js";
import { moneyText } from "./money-text.js";
import { oneLine, printable, timeText } from "./terminal.js";

/** What waits for a person: the question, the tool where it does not name it, the whole input, and what an answer must be. */
export function pauseText({ kind, agent, tool, question, input, schema, expiresAt }: Pause): string {
  const asks = question.includes(tool) ? "asks" : `asks about ${tool}`;
  const wanted = kind === "question" ? [`the answer is ${wantedText(schema)}`] : [];
  const until = expiresAt === undefined ? [] : [`it counts as not approved after ${timeText(expiresAt)}`];
  const more = [...wanted, ...until].map((line) => `\n  ${line}`).join("");
  // Only line breaks of the JSON itself are followed by more: an expression of lines takes U+2028 within a text for one, too.
  const whole = JSON.stringify(input, null, 2).replaceAll("\n", "\n  ");
  return printable(`${agent} ${asks}: ${question}\n  ${whole}${more}`);
}

/** The commands that answer a pause, where nobody is asked. */
export function decideText(pause: Pause): string {
  const { id, kind } = pause;
  const approve = `${commandLineOf("approve")} ${shellWord(id)}`;
  const deny = `${commandLineOf("deny")} ${shellWord(id)}`;
  switch (kind) {
    case "approval":
      return `  yes: ${approve}\n  no: ${deny} --reason <text>`;
    case "question":
      if (asksForMore(pause))
        return `  raise it, by this or more: ${approve} --answer ${leastRaise(pause)}\n  refuse: ${deny} --reason <text>`;
      return `  answer: ${approve} --answer <json>\n  refuse: ${deny} --reason <text>`;
    case "in-doubt":
      return `  it happened: ${approve} --done <json>\n  run it again: ${approve} --rerun\n  nobody can tell: ${deny}`;
  }
}

/** Whether a pause asks to raise a limit. Its name stands in the tool's place; a tool has no point in its name. */
export function asksForMore({ kind, tool }: Pause): boolean {
  return kind === "question" && tool.includes(".");
}

/** The smallest raise that lets the next call be made, as a number without an exponent. */
function leastRaise({ input }: Pause): string {
  const { max, spent, need } = input as { readonly max: number; readonly spent: number; readonly need: number };
  return moneyText(spent + need - max).replace(/\.00$/, "");
}

/** What an answer must be. */
export function wantedText(schema: JsonObject | undefined): string {
  return schema === undefined ? "a text or JSON" : `JSON that fits ${oneLine(JSON.stringify(schema), 1_000)}`;
}

/** How to come back to a thread that waits; `leaving` where a person was asked and left. */
export function reopenText(threadId: string, owner: string | undefined, leaving: boolean): string {
  const how = leaving ? "Open the chat again to decide" : "To decide, open it on a terminal";
  const options = [`--thread ${shellWord(threadId)}`, ...(owner === undefined ? [] : [`--owner ${shellWord(owner)}`])];
  return printable(`The run still waits. ${how}: ${commandLineOf("chat")} ${options.join(" ")}`);
}
