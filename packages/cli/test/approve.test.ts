import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clerkApp, clerkProject, doubtfulRun, json, leftRun, linesOf, started } from "./clerk-project.js";
import { startTenon, tenon } from "./run-cli.js";

const effects = (cwd: string): readonly string[] => linesOf(cwd, "effects.txt");

test("a yes runs the call once, and the answer comes here; the same again is harmless, another one is refused", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, 'call transfer {"amount":20}', { threadId: "a", owner: "ann" });
  const { id } = pauses[0]!;
  const shown = await tenon(["runs", "show", runId], { cwd });
  expect(shown.out).toContain(
    `clerk asks: Send 20 by transfer?\n  {\n    "amount": 20\n  }\n  yes: npx tenon approve ${id}\n  no: npx tenon deny ${id} --reason <text>\n`,
  );

  const approved = await tenon(["approve", id, "--by", "bea"], { cwd });
  expect(approved.out).toBe('got "sent 20"\n');
  expect(approved.err).toMatch(new RegExp(`^cost: .* · thread a · run ${runId}\n$`));
  expect(approved.code).toBe(0);
  const again = await tenon(["approve", id, "--by", "bea", "--json"], { cwd });
  expect(json(again)).toMatchObject({ runId, status: "completed", text: 'got "sent 20"' });
  expect(again.code).toBe(0);
  const other = await tenon(["deny", id, "--reason", "no", "--by", "bob"], { cwd });
  expect(other).toMatchObject({ code: 1, out: "" });
  expect(other.err).toMatch(/^error decision_refused .*answered otherwise/);
  expect(effects(cwd)).toEqual([expect.stringMatching(/^call_\S+ 20 without$/)]);

  const audit = await tenon(["runs", "show", runId], { cwd });
  expect(audit.out).toMatch(
    new RegExp(
      `\ndecided:\n\\d{4}-\\S+Z {2}transfer: approved by bea\n {2}Send 20 by transfer\\? · ${id}\ncost: [^\n]*\n$`,
    ),
  );
});

test("an edit runs what was changed; one that does not fit is refused, and the run still waits", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, 'call transfer {"amount":20,"pin":"1234"}');
  const { id } = pauses[0]!;
  for (const wrong of [
    ["--edit", "amount=5"],
    ["--edit", "[5]"],
    ["--edit", "{}", "--rerun"],
    ["--by", " "],
    ["--reason", "x"],
  ])
    expect(await tenon(["approve", id, ...wrong], { cwd })).toMatchObject({ code: 2, out: "" });
  for (const edit of ['{"amount":5000}', '{"pin":"***"}']) {
    const refused = await tenon(["approve", id, "--edit", edit, "--json"], { cwd });
    expect(json(refused).error).toMatchObject({ code: "decision_refused", data: { pauseId: id } });
    expect(refused.code).toBe(1);
  }
  expect(effects(cwd)).toEqual([]);
  const edited = await tenon(["approve", id, "--edit", '{"amount":15}', "--by", "bea"], { cwd });
  expect(edited.out).toContain("sent 15");
  expect(edited.code).toBe(0);
  expect(effects(cwd)).toEqual([expect.stringMatching(/ 15 1234$/)]);
  const { audit } = json(await tenon(["runs", "show", runId, "--json"], { cwd }));
  expect(audit).toMatchObject([{ decision: { approved: true, edit: { amount: 15 }, by: "bea" } }]);
});

test("[B94] three calls wait: each is decided by its own process, in any order; a no needs a reason, which the model reads", async () => {
  const cwd = clerkProject();
  const calls = [20, 30, 40].map((amount) => `call transfer {"amount":${amount}}`).join(" && ");
  const { pauses } = await leftRun(cwd, calls);
  const [a, b, c] = pauses.map(({ id }) => id);
  const silent = await tenon(["deny", a!], { cwd });
  expect(silent).toMatchObject({ code: 2, out: "" });
  expect(silent.err).toMatch(/^error bad_input Say why, with --reason/);
  expect(await tenon(["deny", a!, "--reason", " "], { cwd })).toMatchObject({ code: 2 });
  expect((await tenon(["approve", c!], { cwd })).code).toBe(4);
  const no = await tenon(["deny", a!, "--reason", "not today"], { cwd });
  expect(no.code).toBe(4);
  expect(no.err).toContain(`yes: npx tenon approve ${b!}\n`);
  const last = await tenon(["approve", b!], { cwd });
  expect(last.out).toMatch(/^got .*not today.* and "sent 30" and "sent 40"\n$/);
  expect(last.code).toBe(0);
  expect(effects(cwd).map((line) => line.split(" ")[1])).toEqual(["40", "30"]);
});

test("with --record-only nothing runs until somebody resumes", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, 'call transfer {"amount":20}', { threadId: "a" });
  const { id } = pauses[0]!;
  const waits = await tenon(["runs", "resume", runId], { cwd });
  expect(waits.err).toMatch(/^clerk asks: Send 20[^]*The run still waits\./);
  expect(waits).toMatchObject({ code: 4, out: "" });
  const recorded = await tenon(["approve", id, "--by", "bea", "--record-only"], { cwd });
  expect(recorded).toEqual({
    code: 0,
    err: "",
    out: `transfer: approved by bea\nThe run goes on with the next process that works or recovers, or with: npx tenon runs resume ${runId}\n`,
  });
  const same = await tenon(["approve", id, "--by", "bea", "--record-only", "--json"], { cwd });
  expect(json(same)).toEqual({ runId, pauseId: id, decision: { approved: true, by: "bea" } });
  expect(effects(cwd)).toEqual([]);
  const shown = await tenon(["runs", "show", runId], { cwd });
  expect(shown.out).toContain(
    `Nothing waits for a decision any more. To continue it: npx tenon runs resume ${runId}\n`,
  );
  const resumed = await tenon(["runs", "resume", runId], { cwd });
  expect(resumed).toMatchObject({ code: 0, out: 'got "sent 20"\n' });
  expect(json(await tenon(["runs", "resume", runId, "--json"], { cwd }))).toMatchObject({ status: "completed" });
  expect(effects(cwd)).toHaveLength(1);
  expect(await tenon(["runs", "resume", "no-such-run"], { cwd })).toMatchObject({ code: 1, out: "" });
});

test("with --record-only a change is told as it is kept: values of sensitive fields are masked", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, 'call transfer {"amount":20,"pin":"1234"}');
  const { id } = pauses[0]!;
  const flags = ["--edit", '{"pin":"9876"}', "--by", "bea", "--record-only"];
  const recorded = await tenon(["approve", id, ...flags], { cwd });
  expect(recorded.out).toMatch(/^transfer: approved by bea, with changes: \{"pin":"\*\*\*"\}\n/);
  const again = await tenon(["approve", id, ...flags, "--json"], { cwd });
  expect(json(again)).toEqual({ runId, pauseId: id, decision: { approved: true, by: "bea", edit: { pin: "***" } } });
  expect((await tenon(["runs", "resume", runId], { cwd })).code).toBe(0);
  expect(effects(cwd)).toEqual([expect.stringMatching(/ 20 9876$/)]);
});

test("a question is answered with JSON that fits, or refused with a reason", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, "call ask_color && call ask_any");
  const [color, any] = pauses;
  const shown = (await tenon(["runs", "show", runId], { cwd })).out;
  expect(shown).toMatch(
    /clerk asks about ask_color: Which color\?\n {2}\{\}\n {2}the answer is JSON that fits .*"red".*\n/,
  );
  expect(shown).toMatch(
    /ask_any: What next\?\n {2}\{\}\n {2}the answer is a text or JSON\n {2}it counts as not approved after \d{4}-\S+Z\n/,
  );
  expect(shown).toContain(`  answer: npx tenon approve ${color!.id} --answer <json>\n`);
  for (const flags of [[], ["--edit", "{}"], ["--done", "1"], ["--rerun"]]) {
    const wrong = await tenon(["approve", color!.id, ...flags], { cwd });
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toMatch(/a tool asks a question\. Nothing was recorded\.\n {2}answer: /);
  }
  expect((await tenon(["approve", color!.id, "--answer", "red"], { cwd })).err).toContain(`--answer '"text"'`);
  const green = await tenon(["approve", color!.id, "--answer", '{"color":"green"}'], { cwd });
  expect(green.err).toMatch(/^error decision_refused The answer does not fit/);
  expect(green.code).toBe(1);
  expect((await tenon(["deny", any!.id, "--reason", "ask me later"], { cwd })).code).toBe(4);
  const blue = await tenon(["approve", color!.id, "--answer", '{"color":"blue"}'], { cwd });
  expect(blue.out).toMatch(/painted blue.*ask me later/);
  expect(blue.code).toBe(0);
});

test("a call in doubt: it happened, it runs again, or nobody can tell; nothing runs before", async () => {
  const cwd = clerkProject();
  const three = ["one", "two", "three"].map((text) => `call slow_write ${JSON.stringify({ text })}`).join(" && ");
  const { runId, pauses } = await doubtfulRun(cwd, three, 3, "a");
  expect(pauses).toMatchObject(
    ["one", "two", "three"].map((text) => ({ kind: "in-doubt", interruption: "crash", input: { text } })),
  );
  const [one, two, last] = pauses.map(({ id }) => id);
  writeFileSync(join(cwd, "go"), "");
  const plain = await tenon(["approve", one!], { cwd });
  expect(plain.err).toMatch(
    /nobody knows whether it happened[^]*it happened: .*--done <json>\n {2}run it again: .*--rerun\n/,
  );
  expect(plain.code).toBe(2);
  const misfit = await tenon(["approve", one!, "--done", '"a text"'], { cwd });
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

test("a run that needs its execution context is not continued here; with --record-only one that has it goes on", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, 'call transfer {"amount":20}', { executionContext: { user: "ann" } });
  const { id } = pauses[0]!;
  const refused = await tenon(["approve", id, "--json"], { cwd });
  expect(json(refused).error).toMatchObject({ code: "context_required", data: { runId } });
  expect(json(refused).error.message).toContain("With --record-only the decision is recorded");
  expect(refused.code).toBe(1);
  expect(await tenon(["runs", "resume", runId], { cwd })).toMatchObject({ code: 1, out: "" });
  expect((await tenon(["deny", id, "--reason", "no", "--record-only"], { cwd })).code).toBe(0);
  const app = await clerkApp(cwd, { restore: () => ({ executionContext: { user: "ann" } }) });
  const { continued } = await app.recover();
  await app.close();
  expect(continued).toMatchObject([{ runId, status: "completed" }]);
  expect(effects(cwd)).toEqual([]);
});

test("what is no pause ends with 2, one that is not there with 1", async () => {
  const cwd = clerkProject();
  const { runId } = await leftRun(cwd, 'call transfer {"amount":20}');
  const noId = await tenon(["approve", "first"], { cwd });
  expect(noId).toMatchObject({ code: 2, out: "" });
  expect(noId.err).toMatch(/^error bad_input first is no id of a pause/);
  const absent = await tenon(["approve", "pause_call_no-such-run_1_1_1"], { cwd });
  expect(absent.err).toMatch(/^error run_not_found .*no-such-run/);
  expect(absent.code).toBe(1);
  const unknown = await tenon(["deny", `pause_call_${runId}_1_9_1`, "--reason", "x", "--json"], { cwd });
  expect(json(unknown)).toMatchObject({
    error: { code: "decision_refused", data: { pauseId: `pause_call_${runId}_1_9_1` } },
  });
  expect(unknown.code).toBe(1);
  expect(await tenon(["approve"], { cwd })).toMatchObject({ code: 2, out: "" });
});

test("Ctrl-C while an approved run goes on keeps the run, and it goes on with `runs resume`", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, "call slow_peek");
  const approving = startTenon(["approve", pauses[0]!.id], { cwd });
  await started(cwd, 1);
  approving.process.kill("SIGINT");
  const left = await approving.ended;
  expect(left).toEqual({
    code: 130,
    out: "",
    err: `The run is kept. It goes on with: npx tenon runs resume ${runId}\n`,
  });
  writeFileSync(join(cwd, "go"), "");
  expect(await tenon(["runs", "resume", runId], { cwd })).toMatchObject({ code: 0, out: 'got "peeked"\n' });
  expect(new Set(linesOf(cwd, "starts.txt")).size).toBe(1);
});
