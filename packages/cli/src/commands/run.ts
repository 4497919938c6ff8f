import type { Command } from "commander";
import { usage } from "../command-error.js";
import { exitCodeOf, exitCodes, type ExitCode } from "../exit-codes.js";
import { Interrupts } from "../interrupts.js";
import { jsonObjectFlag } from "../json-flag.js";
import { reopenText } from "../print-pause.js";
import { toErrorData } from "../print-error.js";
import { printResult } from "../print-result.js";
import type { Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

interface RunFlags {
  readonly thread?: string;
  readonly model?: string;
  readonly agent?: string;
  readonly owner?: string;
  readonly metadata?: string;
  readonly json?: boolean;
}

/** `tenon run`: one run for a script. The answer goes to standard output, all else to standard error. */
export function runCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("run")
    .description("run an agent once: the answer goes to standard output, all else to standard error")
    .argument("<message...>", "what to say")
    .option("--thread <id>", "the conversation; default a new one")
    .option("--agent <name>", "an agent of the workflow; default the first")
    .option("--model <id>", "the model of this run, by its id")
    .option("--owner <name>", "whom the conversation belongs to")
    .option("--metadata <json>", "a JSON object that is stored with the run")
    .option("--json", "print the result as one JSON object")
    .action(async (words: readonly string[], flags: RunFlags) => {
      const prompt = words.join(" ").trim();
      if (prompt === "") throw usage("The message is empty.");
      const metadata = jsonObjectFlag("--metadata", flags.metadata, '{"ticket":"42"}');
      done(
        await withApp(async (app, { root }) => {
          const interrupts = new Interrupts(() => process.exit(exitCodes.canceled));
          const { thread: threadId, model, owner, agent } = flags;
          const result = await interrupts
            .during((signal) => app.run({ prompt }, { threadId, model, owner, agent, metadata, signal }))
            .catch((thrown: unknown) => {
              if (waits(thrown)) terminal.err.write(`${reopenText(threadId!, owner, false)}\n`);
              throw thrown;
            });
          if (flags.json === true) terminal.out.write(`${JSON.stringify(result)}\n`);
          else printResult(app, root, terminal, result, owner);
          return exitCodeOf(result.status);
        }),
      );
    });
}

/** Whether a run was refused because its thread waits for a decision. */
function waits(thrown: unknown): boolean {
  const { code, data } = toErrorData(thrown);
  return code === "thread_busy" && Array.isArray(data["pauses"]) && data["pauses"].length > 0;
}
