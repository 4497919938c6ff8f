import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clerkApp, clerkProject, json, leftRun, linesOf, started } from "./clerk-project.js";
import { startTenon, tenon, tenonEach } from "./run-cli.js";

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
  const [again, other, audit] = await tenonEach(
    { cwd },
    ["approve", id, "--by", "bea", "--json"],
    ["deny", id, "--reason", "no", "--by", "bob"],
    ["runs", "show", runId],
  );
  expect(json(again)).toMatchObject({ runId, status: "completed", text: 'got "sent 20"' });
  expect(again.code).toBe(0);
  expect(other).toMatchObject({ code: 1, out: "" });
  expect(other.err).toMatch(/^error decision_refused .*answered otherwise/);
  expect(effects(cwd)).toEqual([expect.stringMatching(/^call_\S+ 20 without$/)]);
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
  const wrong = [
    ["--edit", "amount=5"],
    ["--edit", "[5]"],
    ["--edit", "{}", "--rerun"],
    ["--by", " "],
    ["--reason", "x"],
  ];
  const misfits = ['{"amount":5000}', '{"pin":"***"}'].map((edit) => ["--edit", edit, "--json"]);
  const ended = await tenonEach({ cwd }, ...[...wrong, ...misfits].map((flags) => ["approve", id, ...flags]));
  expect(ended).toHaveLength(7);
  for (const { code, out } of ended.slice(0, 5)) expect({ code, out }).toEqual({ code: 2, out: "" });
  for (const refused of ended.slice(5)) {
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
  const [silent, blank] = await tenonEach({ cwd }, ["deny", a!], ["deny", a!, "--reason", " "]);
  expect(silent).toMatchObject({ code: 2, out: "" });
  expect(silent.err).toMatch(/^error bad_input Say why, with --reason/);
  expect(blank.code).toBe(2);
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
  const [same, shown] = await tenonEach(
    { cwd },
    ["approve", id, "--by", "bea", "--record-only", "--json"],
    ["runs", "show", runId],
  );
  expect(json(same)).toEqual({ runId, pauseId: id, decision: { approved: true, by: "bea" } });
  expect(effects(cwd)).toEqual([]);
  expect(shown.out).toContain(
    `Nothing waits for a decision any more. To continue it: npx tenon runs resume ${runId}\n`,
  );
  const resumed = await tenon(["runs", "resume", runId], { cwd });
  expect(resumed).toMatchObject({ code: 0, out: 'got "sent 20"\n' });
  const [once, absent] = await tenonEach(
    { cwd },
    ["runs", "resume", runId, "--json"],
    ["runs", "resume", "no-such-run"],
  );
  expect(json(once)).toMatchObject({ status: "completed" });
  expect(effects(cwd)).toHaveLength(1);
  expect(absent).toMatchObject({ code: 1, out: "" });
});

test("with --record-only a change is told as it is kept: values of sensitive fields are masked", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, 'call transfer {"amount":20,"pin":"1234"}');
  const { id } = pauses[0]!;
  const flags = ["--edit", '{"pin":"9876"}', "--by", "bea", "--record-only"];
  const [recorded, again] = await tenonEach({ cwd }, ["approve", id, ...flags], ["approve", id, ...flags, "--json"]);
  expect(recorded.out).toMatch(/^transfer: approved by bea, with changes: \{"pin":"\*\*\*"\}\n/);
  expect(json(again)).toEqual({ runId, pauseId: id, decision: { approved: true, by: "bea", edit: { pin: "***" } } });
  expect((await tenon(["runs", "resume", runId], { cwd })).code).toBe(0);
  expect(effects(cwd)).toEqual([expect.stringMatching(/ 20 9876$/)]);
});

test("a question is answered with JSON that fits, or refused with a reason", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, "call ask_color && call ask_any");
  const [color, any] = pauses;
  const answers = [[], ["--edit", "{}"], ["--done", "1"], ["--rerun"]];
  const [{ out: shown }, red, green, ...wrong] = await tenonEach(
    { cwd },
    ["runs", "show", runId],
    ["approve", color!.id, "--answer", "red"],
    ["approve", color!.id, "--answer", '{"color":"green"}'],
    ...answers.map((flags) => ["approve", color!.id, ...flags]),
  );
  expect(shown).toMatch(
    /clerk asks about ask_color: Which color\?\n {2}\{\}\n {2}the answer is JSON that fits .*"red".*\n/,
  );
  expect(shown).toMatch(
    /ask_any: What next\?\n {2}\{\}\n {2}the answer is a text or JSON\n {2}it counts as not approved after \d{4}-\S+Z\n/,
  );
  expect(shown).toContain(`  answer: npx tenon approve ${color!.id} --answer <json>\n`);
  expect(wrong).toHaveLength(4);
  for (const { code, out, err } of wrong) {
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/a tool asks a question\. Nothing was recorded\.\n {2}answer: /);
  }
  expect(red.err).toContain(`--answer '"text"'`);
  expect(green.err).toMatch(/^error decision_refused The answer does not fit/);
  expect(green.code).toBe(1);
  expect((await tenon(["deny", any!.id, "--reason", "ask me later"], { cwd })).code).toBe(4);
  const blue = await tenon(["approve", color!.id, "--answer", '{"color":"blue"}'], { cwd });
  expect(blue.out).toMatch(/painted blue.*ask me later/);
  expect(blue.code).toBe(0);
});

test("a run that needs its execution context is not continued here; with --record-only one that has it goes on", async () => {
  const cwd = clerkProject();
  const { runId, pauses } = await leftRun(cwd, 'call transfer {"amount":20}', { executionContext: { user: "ann" } });
  const { id } = pauses[0]!;
  const [refused, resumed] = await tenonEach({ cwd }, ["approve", id, "--json"], ["runs", "resume", runId]);
  expect(json(refused).error).toMatchObject({ code: "context_required", data: { runId } });
  expect(json(refused).error.message).toContain("With --record-only the decision is recorded");
  expect(refused.code).toBe(1);
  expect(resumed).toMatchObject({ code: 1, out: "" });
  expect((await tenon(["deny", id, "--reason", "no", "--record-only"], { cwd })).code).toBe(0);
  const app = await clerkApp(cwd, { restore: () => ({ executionContext: { user: "ann" } }) });
  const { continued } = await app.recover();
  await app.close();
  expect(continued).toMatchObject([{ runId, status: "completed" }]);
  expect(effects(cwd)).toEqual([]);
});

test("who decides sees what is there: nothing unseen comes through, and ordinary text stays as it is", async () => {
  const cwd = clerkProject();
  const hidden = "no\u200bt\u2066 now\u{e0041}\u00ad\u200d";
  const shown = String.raw`no\u200bt\u2066 now\udb40\udc41\u00ad\u200d`;
  const readable = "👩‍💻 می‌خواهم";
  const { runId, pauses } = await leftRun(cwd, "call ask_any", { threadId: `a${hidden}` });
  const { id } = pauses[0]!;
  const answer = JSON.stringify({ [hidden]: readable });
  const [waits, recorded, told, noId] = await tenonEach(
    { cwd },
    ["runs", "show", runId],
    ["approve", id, "--answer", answer, "--by", `be${hidden}`, "--record-only"],
    ["runs", "show", runId],
    ["approve", `first${hidden}`],
  );
  expect(waits.out).toContain(`thread a${shown} · `);
  expect(waits.out).toContain(`npx tenon chat --thread 'a${shown}'\n`);
  expect(recorded.out).toContain(`ask_any: answered by be${shown}: {"${shown}":"${readable}"}\n`);
  expect(told.out).toContain(`ask_any: answered by be${shown}: {"${shown}":"${readable}"}\n`);
  expect(noId.err).toContain(`first${shown} is no id of a pause`);
  for (const { out, err } of [waits, recorded, told, noId])
    expect(out + err).not.toMatch(/[\u200b\u2066\u00ad\u{e0041}]/u);
});

test("what is no pause ends with 2, one that is not there with 1", async () => {
  const cwd = clerkProject();
  const { runId } = await leftRun(cwd, 'call transfer {"amount":20}');
  const [noId, absent, unknown, none] = await tenonEach(
    { cwd },
    ["approve", "first"],
    ["approve", "pause_call_no-such-run_1_1_1"],
    ["deny", `pause_call_${runId}_1_9_1`, "--reason", "x", "--json"],
    ["approve"],
  );
  expect(noId).toMatchObject({ code: 2, out: "" });
  expect(noId.err).toMatch(/^error bad_input first is no id of a pause/);
  expect(absent.err).toMatch(/^error run_not_found .*no-such-run/);
  expect(absent.code).toBe(1);
  expect(json(unknown)).toMatchObject({
    error: { code: "decision_refused", data: { pauseId: `pause_call_${runId}_1_9_1` } },
  });
  expect(unknown.code).toBe(1);
  expect(none).toMatchObject({ code: 2, out: "" });
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
