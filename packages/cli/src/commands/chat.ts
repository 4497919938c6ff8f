import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import type { App } from "tenon";
import { ChatSession } from "../chat-session.js";
import { usage } from "../command-error.js";
import { exitCodeOf, exitCodes, type ExitCode } from "../exit-codes.js";
import { Interrupts } from "../interrupts.js";
import { LineReader } from "../line-reader.js";
import type { Project } from "../load-project.js";
import { journalText, storeText } from "../print-description.js";
import { printError } from "../print-error.js";
import { JsonView, TextView } from "../print-run.js";
import { slashCommandOf, unknownText } from "../slash-command.js";
import { printable, readAll, userName, type Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

interface ChatFlags {
  readonly thread?: string;
  readonly new?: boolean;
  readonly model?: string;
  readonly owner?: string;
  readonly by?: string;
  readonly json?: boolean;
}

/** `tenon chat`: a conversation on a terminal, or one message. */
export function chatCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("chat")
    .description(
      "talk to the first agent of the workflow; with a message: one turn. Without a terminal the input is the message",
    )
    .argument("[message...]", "what to say")
    .option(
      "--thread <id>",
      'the conversation; default "main" (with --owner "main:<owner>"), so that a chat goes on where it was',
    )
    .option("--new", "start a new conversation")
    .option("--model <id>", "the model of these runs, by its id")
    .option("--owner <name>", "whom the conversation belongs to")
    .option("--by <name>", "who decides where a run waits; default: the user of this machine")
    .option("--json", "print each event as a line of JSON, then the result; nobody is asked")
    .action(async (words: readonly string[], flags: ChatFlags) => {
      if (flags.thread !== undefined && flags.new === true) throw usage("--thread and --new do not go together.");
      const message = words.join(" ").trim();
      if (words.length > 0 && message === "") throw usage("The message is empty.");
      if (flags.json === true && terminal.interactive && message === "") throw usage("--json needs a message.");
      done(await withApp((app, project) => chat(app, project, terminal, message, flags)));
    });
}

async function chat(
  app: App,
  project: Project,
  terminal: Terminal,
  message: string,
  flags: ChatFlags,
): Promise<ExitCode> {
  const asks = terminal.interactive && flags.json !== true;
  const interrupts = new Interrupts(() => (lines === undefined ? process.exit(exitCodes.canceled) : lines.close()));
  const lines = asks ? new LineReader(terminal, interrupts.interrupt) : undefined;
  const threadId =
    flags.new === true ? randomUUID() : (flags.thread ?? (flags.owner === undefined ? "main" : `main:${flags.owner}`));
  const talks = lines !== undefined && message === "";
  const view =
    flags.json === true ? new JsonView(terminal) : new TextView(terminal, journal(app, project, threadId, talks));
  const options = { threadId, model: flags.model, owner: flags.owner, by: flags.by ?? userName() };
  const session = new ChatSession(app, terminal, view, lines, interrupts, options);
  try {
    if (talks) greet(app, project, terminal, threadId);
    const left = await session.open();
    if (left?.status === "paused") {
      if (message !== "") view.note("the message was not sent");
      return exitCodes.paused;
    }
    if (message !== "") return exitCodeOf((await session.send(message)).status);
    if (lines !== undefined) return await converse(session, lines, terminal);
    const piped = (await readAll(terminal.input)).trim();
    if (piped !== "") return exitCodeOf((await session.send(piped)).status);
    if (left !== undefined) return exitCodeOf(left.status);
    throw usage('There is no message. Give one, as in `tenon chat "hello"`, pipe one in, or use a terminal.');
  } finally {
    lines?.close();
  }
}

/** Until the input ends, or a pause is left open. What goes wrong with one message is shown, and the next one is asked for. */
async function converse(session: ChatSession, lines: LineReader, terminal: Terminal): Promise<ExitCode> {
  for (;;) {
    const line = (await lines.next(`${terminal.outColors.bold("you")} > `))?.trim();
    if (line === undefined) return exitCodes.ok;
    const command = slashCommandOf(line);
    if (command?.kind === "exit") return exitCodes.ok;
    if (command !== undefined) {
      const text = command.kind === "unknown" ? printable(unknownText(command.word)) : chatHelp;
      terminal.out.write(`${terminal.outColors.dim(text)}\n`);
    }
    if (line === "" || command !== undefined) continue;
    try {
      const { status } = await session.send(line);
      if (status === "paused") return exitCodes.paused;
    } catch (thrown) {
      printError(terminal, thrown, false);
    }
  }
}

const chatHelp = `\
/exit   ends the chat, as Ctrl-D does; a run that waits for a decision keeps waiting
/help   shows this
Ctrl-C  stops an answer; clears a line that was begun; ends the chat at an empty one
Anything else goes to the agent. Where it asks for approval, answer "yes", or "no" and why, or "edit" and the changes as JSON.
Where a tool asks, answer it. Where a call was interrupted, say "done" and what it gave, "rerun", or "give up".`;

/** What each turn says of where it is kept. In a conversation the opening has named the thread. */
function journal(app: App, { root }: Project, threadId: string, talks: boolean): string {
  return `${journalText(app.describe(), root)}${talks ? "" : ` · thread ${printable(threadId)}`}`;
}

function greet(app: App, { greeting }: Project, { out, outColors: { bold, dim } }: Terminal, threadId: string): void {
  const { workflow, agents, store } = app.describe();
  const { name, model } = agents[0]!;
  out.write(
    `${bold(workflow)} · ${name} on ${model}\n${greeting === undefined ? "" : `${printable(greeting.trim())}\n`}`,
  );
  out.write(
    dim(
      `thread ${printable(threadId)} · journal: ${storeText({ store })}\n/help · Ctrl-C stops an answer, or ends the chat: a run that waits for approval keeps waiting\n`,
    ),
  );
}
