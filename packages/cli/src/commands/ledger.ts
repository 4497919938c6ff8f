import { Option, type Command } from "commander";
import type { LedgerFilter, LedgerGroup } from "tenon";
import { asUsage, usage } from "../command-error.js";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { entriesCsv, printSums, sumsCsv } from "../print-ledger.js";
import type { Terminal } from "../terminal.js";
import { withApp } from "../with-app.js";

type Flags = LedgerFilter & {
  readonly by?: readonly LedgerGroup[];
  readonly entries?: boolean;
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly run?: string;
};

const groups = ["day", "workflow", "owner", "agent", "model", "tool"];

/** `tenon ledger`: what was spent, added up, or each entry; as a table, CSV or JSON. Runs nothing. */
export function ledgerCommand(program: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  program
    .command("ledger")
    .description("show what was spent, as the store keeps it")
    .addOption(new Option("--by <what...>", "what sums are made by; default day and model").choices(groups))
    .option("--entries", "each entry by itself, no sums")
    .option("--day <day>", "one UTC day, as 2026-12-01")
    .option("--from <day>", "from that UTC day on")
    .option("--to <day>", "up to that UTC day, included")
    .option("--workflow <name>", "only of that workflow")
    .option("--owner <owner>", "only runs of that owner")
    .option("--agent <name>", "only of that agent")
    .option("--model <id>", "only calls of that model")
    .option("--tool <name>", "only what that tool reported")
    .option("--run <id>", "only of that run")
    .option("--csv", "print CSV, with a line of names first")
    .option("--json", "print one JSON object")
    .action(async (flags: Flags) => {
      refuseContradictions(flags);
      const { by = ["day", "model"], entries, csv, json, run, ...filter } = flags;
      const asked = { ...filter, runId: run };
      const code = await withApp(async ({ ledger }) => {
        if (entries === true) {
          const found = await ledger.entries(asked).catch(asUsage);
          if (json === true) terminal.out.write(`${JSON.stringify({ entries: found })}\n`);
          else terminal.out.write(found.length === 0 && csv !== true ? NOTHING : entriesCsv(found));
          return exitCodes.ok;
        }
        const sums = await ledger.sums(by, asked).catch(asUsage);
        if (json === true) terminal.out.write(`${JSON.stringify({ sums })}\n`);
        else if (csv === true) terminal.out.write(sumsCsv(sums, by));
        else if (sums.length === 0) terminal.out.write(NOTHING);
        else printSums(terminal, sums, by);
        return exitCodes.ok;
      });
      done(code);
    });
}

const NOTHING = "nothing is in the ledger\n";

/** Throws a usage error where one option would be taken and another one ignored. */
function refuseContradictions({ by, entries, csv, json }: Flags): void {
  if (csv === true && json === true) throw usage("--csv and --json do not go together.");
  if (entries === true && by !== undefined)
    throw usage("--entries and --by do not go together: sums are made by something, entries are not.");
}
