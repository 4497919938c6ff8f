import { exec, execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const desk = resolve(import.meta.dirname, "..");
const workspace = resolve(desk, "../..");

/** A copy of the example, so that a test leaves no trace in it. */
function copyOfDesk(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "desk-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(desk, root, { recursive: true, filter: (path) => !/[\\/](\.tenon|node_modules|test)$/.test(path) });
  symlinkSync(join(workspace, "node_modules"), join(root, "node_modules"));
  return root;
}

async function tenon(cwd: string, ...args: string[]): Promise<string> {
  const { TENON_MODEL: _, ...env } = process.env;
  const command = join(workspace, "packages/cli/bin/tenon.js");
  return (await promisify(execFile)(process.execPath, [command, ...args], { cwd, env })).stdout;
}

interface Ended {
  readonly code: number;
  readonly shown: string;
}

/** A line of the README, typed into a shell in the example's folder. */
async function typed(cwd: string, line: string): Promise<Ended> {
  const { TENON_MODEL: _, ...env } = process.env;
  return new Promise((settle) =>
    exec(line, { cwd, env }, (error, out, err) =>
      settle({ code: typeof error?.code === "number" ? error.code : 0, shown: out + err }),
    ),
  );
}

test("describe shows the desk", { timeout: 60_000 }, async () => {
  const cwd = copyOfDesk();
  expect(await tenon(cwd, "describe")).toBe(`desk  offline · thinking default · history 5 turns
  · note_search (read, local) ← NotesFolder — Search the support team's notes.
  · note_save (write, local, waits for approval) ← NotesFolder — Save a note for the support team.
  · search_issues (read, local) ← IssuesIndex — Search the product's issues by their text.
  · count_issues (read, local) ← IssuesIndex — Count the product's issues that fit.
unassigned tools: none
store: sqlite ${cwd}/.tenon/tenon.db
limits: a run costs at most 0.25 USD
`);
});

test(
  "one message is one turn: the answer, the calls, the cost, where the journal is",
  { timeout: 60_000 },
  async () => {
    const cwd = copyOfDesk();
    const shown = await tenon(cwd, "chat", "find my notes about invoices");
    expect(shown).toMatch(/^→ note_search .*"query":"invoices"/);
    expect(shown).toContain("Correcting invoices");
    expect(shown).toContain("cost: $0");
    expect(shown).toContain("journal: sqlite .tenon/tenon.db · thread main\n");
    expect(await tenon(cwd, "chat", "how many open issues are about the export")).toMatch(
      /count_issues ok[^]*count: \d+/,
    );
  },
);

test("a note waits, and is saved by the command that was printed", { timeout: 120_000 }, async () => {
  const cwd = copyOfDesk();
  const notes = join(cwd, ".tenon/notes");
  const saved = (): readonly string[] =>
    existsSync(notes) ? readdirSync(notes).filter((name) => name.startsWith("refund-rule-")) : [];
  const readme = readFileSync(join(workspace, "README.md"), "utf8");
  const [start] = /^npm start -- 'save a note .*$/m.exec(readme)!;
  const paused = await typed(cwd, start);
  expect(paused.shown).toContain("desk asks: Run note_save?");
  expect(paused.code).toBe(4);
  expect(saved()).toEqual([]);

  const [, approve] = /^ {2}yes: (npm run approve -- pause_\S+)$/m.exec(paused.shown)!;
  expect(readme).toContain("\nnpm run approve -- ");
  const done = await typed(cwd, `${approve} --by ann`);
  expect(done.code).toBe(0);
  expect(saved()).toHaveLength(1);

  const [, runId] = / run (\S+)\n/.exec(done.shown)!;
  expect(readme).toContain("\nnpm run runs -- show ");
  const shown = await typed(cwd, `npm run runs -- show ${runId}`);
  expect(shown.shown).toContain("note_save: approved by ann\n");
});
