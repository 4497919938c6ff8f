import { Option, type Command } from "commander";
import type { LedgerFilter, LedgerGroup } from "tenon";
import { exitCodes, type ExitCode } from "../exit-codes.js";
import { csvOf, printSums } from "../print-ledger.js";
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
    .action(async ({ by = ["day", "model"], entries, csv, json, run, ...filter }: Flags) => {
      const code = await withApp(async (app) => {
        const asked = { ...filter, runId: run };
        const found =
          entries === true ? { entries: await app.ledger.entries(asked) } : { sums: await app.ledger.sums(by, asked) };
        const rows = found.entries ?? found.sums ?? [];
        if (json === true) terminal.out.write(`${JSON.stringify(found)}\n`);
        else if (csv === true) terminal.out.write(csvOf(rows, entries === true ? [] : by));
        else if (rows.length === 0) terminal.out.write("nothing is in the ledger\n");
        else if (found.sums !== undefined) printSums(terminal, found.sums, by);
        else terminal.out.write(csvOf(rows, []));
        return exitCodes.ok;
      });
      done(code);
    });
}
