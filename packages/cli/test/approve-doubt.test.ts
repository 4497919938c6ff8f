import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clerkProject, doubtfulRun, json, linesOf, started } from "./clerk-project.js";
import { startTenon, tenon, tenonEach } from "./run-cli.js";

const effects = (cwd: string): readonly string[] => linesOf(cwd, "effects.txt");

test("a call in doubt: it happened, it runs again, or nobody can tell; nothing runs before", async () => {
  const cwd = clerkProject();
  const three = ["one", "two", "three"].map((text) => `call slow_write ${JSON.stringify({ text })}`).join(" && ");
  const { runId, pauses } = await doubtfulRun(cwd, three, 3, "a");
  expect(pauses).toMatchObject(
    ["one", "two", "three"].map((text) => ({ kind: "in-doubt", interruption: "crash", input: { text } })),
  );
  const [one, two, last] = pauses.map(({ id }) => id);
  writeFileSync(join(cwd, "go"), "");
  const [plain, misfit] = await tenonEach({ cwd }, ["approve", one!], ["approve", one!, "--done", '"a text"']);
  expect(plain.err).toMatch(
    /nobody knows whether it happened[^]*it happened: .*--done <json>\n {2}run it again: .*--rerun\n/,
  );
  expect(plain.code).toBe(2);
  expect(misfit.err).toMatch(/^error decision_refused /);
  expect(effects(cwd)).toEqual([]);
  expect((await tenon(["approve", one!, "--done", '{"text":"I saw it"}', "--by", "bea"], { cwd })).code).toBe(4);
  expect(effects(cwd)).toEqual([]);
  expect((await tenon(["approve", two!, "--rerun"], { cwd })).code).toBe(4);
  expect(effects(cwd)).toEqual([expect.stringMatching(/_2 two$/)]);
  const ended = await tenon(["deny", last!, "--reason", "no log of it"], { cwd });
  expect(ended.out).toMatch(/I saw it.*wrote two/);
  expect(ended.code).toBe(0);
  expect(effects(cwd)).toHaveLength(1);
  const { out: shown } = await tenon(["runs", "show", runId], { cwd });
  expect(shown).toContain('slow_write: found done by bea: {"text":"I saw it"}\n');
  expect(shown).toMatch(/slow_write: set to run again by \S[^]*\n/);
  expect(shown).toMatch(/slow_write: given up by .+: no log of it\n/);
});

test("a call that was stopped midway is in the inbox of its ended run: the answer is kept, and nothing runs", async () => {
  const cwd = clerkProject();
  const stopped = startTenon(["run", "--json", "--thread", "a", 'call slow_write {"text":"one"}'], { cwd });
  await started(cwd, 1);
  stopped.process.kill("SIGINT");
  const { runId } = json(await stopped.ended);
  const shown = await tenon(["runs", "show", runId], { cwd });
  expect(shown.out).toMatch(/^\S+ {2}cancelled\n/);
  expect(shown.out).toContain("the run has ended; still to be found out:\nclerk asks: Did slow_write happen?");
  expect(shown.out).not.toContain("still waits");
  const [, id] = /approve (pause_\S+) --done/.exec(shown.out)!;
  writeFileSync(join(cwd, "go"), "");
  const answered = await tenon(["approve", id!, "--done", '{"text":"it is there"}', "--by", "bea"], { cwd });
  expect(answered).toEqual({
    code: 0,
    err: "",
    out: 'slow_write: found done by bea: {"text":"it is there"}\nThe run has ended: this is kept with it, and nothing runs.\n',
  });
  const after = await tenon(["runs", "show", runId], { cwd });
  expect(after.out).toMatch(/^\S+ {2}cancelled\n[^]*\ndecided:\n.*slow_write: found done by bea/);
  expect(after.out).not.toContain("still to be found out");
  expect(existsSync(join(cwd, "effects.txt"))).toBe(false);
});
