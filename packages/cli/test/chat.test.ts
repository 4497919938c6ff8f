import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { effects, save } from "./notes-run.js";
import { onTerminal, startTenon, tenon, tenonEach } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

/** What turns, hides or erases what is around it. */
const HOSTILE = "x\u001b[2Jy\u202ez\u200b1\u00ad0\u{e0041}w\ufe0f\u200d";
const HOSTILE_SHOWN = String.raw`x\u001b[2Jy\u202ez\u200b1\u00ad0\udb40\udc41w\ufe0f\u200d`;

test("a message is one turn: the answer, the calls, the cost, where the journal is; the thread goes on", async () => {
  const cwd = notesProject({ go: "" });
  const first = await tenon(["chat", "call slow_read"], { cwd });
  expect(first.out).toMatch(/^→ slow_read \{\}\n← slow_read ok · \d+ ms\ngot "\\?"?read it/);
  expect(first.out).toMatch(
    /\ncost: \$0 \(free model\) · 14 tokens in, 6 out · 2 model calls, 1 tool call · journal: sqlite \.tenon\/tenon\.db · thread main\n$/,
  );
  expect(first.out).not.toContain("\u001b");
  expect(first).toMatchObject({ code: 0, err: "" });

  const piped = await tenon(["chat"], { cwd, input: "hello there\n" });
  expect(piped.out).toMatch(/^you said hello there \(message 2\)\n/);
  expect(piped.code).toBe(0);

  const fresh = await tenon(["chat", "--new", "hello", "words"], { cwd });
  expect(fresh.out).toMatch(/^you said hello words \(message 1\)\n/);
});

test("a run that fails ends with 1, a thread of somebody else too, and nothing is broken by it", async () => {
  const cwd = notesProject();
  const [failed, refused, after] = await tenonEach(
    { cwd },
    ["chat", "--owner", "ann", "fail"],
    ["chat", "--thread", "main:ann", "hello"],
    ["chat", "--owner", "ann", "hello"],
  );
  expect(failed.out).toMatch(/the run failed model_error .*the model is out of order.* · run \S+\n/);
  expect(failed).toMatchObject({ code: 1, err: "" });
  expect(refused.err).toMatch(/^error thread_owner .*main:ann/);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(after.out).toMatch(/^you said hello/);
  expect(after.code).toBe(0);
});

test("with --json every event is a line, and the result is the last", async () => {
  const cwd = notesProject({ go: "" });
  const { out, code } = await tenon(["chat", "--json", "call slow_read"], { cwd });
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["run-start", "tool-start", "tool-end", "text-delta", "run-end"]),
  );
  expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", threadId: "main" });
  expect(code).toBe(0);
});

test("without a terminal a pause prints the question and how to come back, and ends with 4", async () => {
  const cwd = notesProject();
  const paused = await tenon(["chat", "--thread", "a b", save(HOSTILE)], { cwd });
  expect(paused.out).toContain(`notes asks: Run note_save?\n  {\n    "text": "${HOSTILE_SHOWN}"\n  }\n`);
  expect(paused.out).toMatch(
    /The run still waits\. To decide, open it on a terminal: npx tenon chat --thread 'a b'\n$/,
  );
  expect(paused.code).toBe(4);

  const [again, json] = await tenonEach(
    { cwd },
    ["chat", "--thread", "a b", "hello"],
    ["chat", "--thread", "a b", "--json", "hello"],
  );
  expect(again.out).toContain("this thread waits for a decision");
  expect(again.out).toContain("the message was not sent");
  expect(again.code).toBe(4);
  expect(effects(cwd)).toBe("");

  expect(JSON.parse(json.out)).toMatchObject({ type: "result", status: "paused" });
  expect(json.code).toBe(4);
});

test("what an answer says cannot move the cursor or hide a word, and words of every script are readable", async () => {
  const readable = "👩‍💻 ❤️‍🔥 می‌خواهم e\u0301";
  const { out } = await tenon(["chat", `${HOSTILE}\u0007 ${readable}`], { cwd: notesProject() });
  expect(out).toContain(`you said ${HOSTILE_SHOWN}\\u0007 ${readable} (message 1)\n`);
});

test("a conversation: yes saves once, no is told with its reason, unclear words are asked again", async () => {
  const cwd = notesProject();
  const chat = onTerminal(["chat", "--by", "the desk"], { cwd, env: { NO_COLOR: "1" } });
  await chat.sees("notes · notes on echo");
  await chat.sees("Say what to call.");
  await chat.sees(`thread main · journal: sqlite ${cwd}/.tenon/tenon.db`);
  await chat.sees("a run that waits for approval keeps waiting");
  await chat.sees("you > ");
  chat.type(`${save("milk")}\r`);
  await chat.sees("approve? yes, or no and why, or edit and the changes: ");
  chat.type("maybe\r");
  await chat.sees('answer "yes", or "no" and why');
  await chat.sees("approve? yes, or no and why, or edit and the changes: ");
  chat.type("yes but not now\r");
  await chat.sees("approve? yes, or no and why, or edit and the changes: ");
  expect(effects(cwd)).toBe("");
  chat.type("yes\r");
  await chat.sees("← note_save ok");
  await chat.sees("saved milk");
  await chat.sees("journal: sqlite .tenon/tenon.db\r\n");
  await chat.sees("you > ");
  chat.type(`${save("tea")} && ${save("cake")}\r`);
  await chat.sees('"tea"');
  await chat.sees("approve?");
  chat.type("no, we have enough\r");
  await chat.sees("not approved: we have enough");
  await chat.sees('"cake"');
  await chat.sees("approve?");
  chat.type("n\r");
  await chat.sees("why not? ");
  chat.type(" \r");
  await chat.sees("say why, in a few words");
  await chat.sees("why not? ");
  chat.type("no sugar\r");
  await chat.sees("not approved: no sugar");
  await chat.sees("note_save was not approved: we have enough");
  await chat.sees("note_save was not approved: no sugar");
  await chat.sees("you > ");
  chat.type("fail\r");
  await chat.sees("the run failed model_error");
  await chat.sees("you > ");
  chat.type("\u0004");
  expect((await chat.ended).code).toBe(0);
  expect(effects(cwd)).toMatch(/^call_\S+_1_1 milk\n$/);
});

test("Ctrl-C stops the answer, and the thread can go on", async () => {
  const cwd = notesProject();
  const chat = onTerminal(["chat"], { cwd, env: { NO_COLOR: "1" } });
  await chat.sees("you > ");
  chat.type("call slow_read\r");
  await chat.sees("→ slow_read");
  chat.type("\u0003");
  await chat.sees("the run was canceled");
  await chat.sees("you > ");
  chat.type("still there?\r");
  await chat.sees("you said still there? (message 2)");
  await chat.sees("you > ");
  chat.type("\u0003");
  expect((await chat.ended).code).toBe(0);

  const one = startTenon(["chat", "call slow_read"], { cwd });
  await one.sees("→ slow_read");
  one.process.kill("SIGINT");
  const { code, out } = await one.ended;
  expect(out).toContain("the run was canceled; the thread can go on");
  expect(code).toBe(130);
});

test("a script of npm that starts the chat is named where the run waits", async () => {
  const cwd = notesProject();
  const args = ["chat", save("milk")];
  const [start, talk, npx] = await tenonEach(
    { cwd },
    { args, env: { npm_lifecycle_event: "start", npm_lifecycle_script: "tenon chat" } },
    { args, env: { npm_lifecycle_event: "talk", npm_lifecycle_script: "tenon chat --owner ann" } },
    { args, env: { npm_lifecycle_event: "npx", npm_lifecycle_script: "tenon" } },
  );
  expect(start.out).toContain(": npm start -- --thread main\n");
  expect(talk.out).toContain(": npm run talk -- --thread main\n");
  expect(npx.out).toContain(": npx tenon chat --thread main\n");
});

test("a /word that is no command is not sent to the model; a path is", async () => {
  const cwd = notesProject();
  const chat = onTerminal(["chat"], { cwd, env: { NO_COLOR: "1" } });
  await chat.sees("you > ");
  chat.type("/halp me\r");
  await chat.sees("there is no /halp: the commands are /exit and /help. It was not sent to the model");
  await chat.sees("you > ");
  chat.type("/help\r");
  await chat.sees("/exit   ends the chat");
  await chat.sees("Ctrl-C  stops an answer");
  await chat.sees("you > ");
  chat.type("/etc/hosts is gone\r");
  await chat.sees("you said /etc/hosts is gone (message 1)");
  await chat.sees("you > ");
  chat.type("/exit\r");
  expect((await chat.ended).code).toBe(0);
});

test("what was typed while an answer came is shown when it is taken", async () => {
  const cwd = notesProject();
  const chat = onTerminal(["chat"], { cwd, env: { NO_COLOR: "1" } });
  await chat.sees("you > ");
  chat.type("call slow_read\r");
  await chat.sees("→ slow_read");
  chat.type("and then?\r");
  await chat.sees("and then?");
  writeFileSync(join(cwd, "go"), "");
  await chat.sees("journal: sqlite");
  await chat.sees("you > and then?\r\n");
  await chat.sees("you said and then? (message 2)");
  chat.type("\u0004");
  expect((await chat.ended).code).toBe(0);
});
