import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onTerminal, startTenon, tenon } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

test("a chat that is killed goes on when it is opened again, with the same call id", async () => {
  const cwd = notesProject();
  const killed = startTenon(["chat", "call slow_read"], { cwd });
  await killed.sees("→ slow_read");
  killed.process.kill("SIGKILL");
  await killed.ended;
  writeFileSync(join(cwd, "go"), "");

  const { out, code } = await tenon(["chat"], { cwd });
  expect(out).toMatch(/^continuing the run that was stopped: call slow_read\n/);
  expect(out).toMatch(/← slow_read ok[^]*got .*read it/);
  expect(code).toBe(0);
  const starts = readFileSync(join(cwd, "starts.txt"), "utf8").trimEnd().split("\n");
  expect(starts).toHaveLength(2);
  expect(new Set(starts).size).toBe(1);

  const after = await tenon(["chat", "hello"], { cwd });
  expect(after.out).toMatch(/^you said hello \(message 2\)\n/);
});

test("a run that another command was killed in is continued too, whoever opens its thread", async () => {
  const cwd = notesProject();
  const killed = startTenon(["run", "--thread", "main", "call slow_read"], { cwd });
  while (!existsSync(join(cwd, "starts.txt"))) await new Promise((resolve) => setTimeout(resolve, 20));
  killed.process.kill("SIGKILL");
  await killed.ended;
  writeFileSync(join(cwd, "go"), "");
  const { out, code } = await tenon(["chat", "hello"], { cwd });
  expect(out).toMatch(/the thread has a run that has not ended|continued the run/);
  expect(out).toMatch(/got .*read it[^]*you said hello \(message 2\)/);
  expect(code).toBe(0);
});

test("SIGTERM leaves the run for the next process", async () => {
  const cwd = notesProject();
  const stopped = startTenon(["chat", "call slow_read"], { cwd });
  await stopped.sees("→ slow_read");
  stopped.process.kill("SIGTERM");
  expect((await stopped.ended).code).toBe(143);
  writeFileSync(join(cwd, "go"), "");
  const { out, code } = await tenon(["chat"], { cwd });
  expect(out).toMatch(/^continuing the run that was stopped: call slow_read\n/);
  expect(out).toMatch(/got .*read it/);
  expect(code).toBe(0);
});

test("what other threads were left with is continued at the opening, and holds nobody up", async () => {
  const cwd = notesProject();
  const killed = startTenon(["chat", "--new", "call slow_read"], { cwd });
  await killed.sees("→ slow_read");
  killed.process.kill("SIGKILL");
  await killed.ended;
  const starts = (): number => readFileSync(join(cwd, "starts.txt"), "utf8").trimEnd().split("\n").length;

  // A lease of a dead process may hold the run a little longer: then the next opening continues it.
  let out = "";
  while (starts() < 2) {
    const opened = startTenon(["chat", "hello"], { cwd });
    await opened.sees("you said hello");
    writeFileSync(join(cwd, "go"), "");
    ({ out } = await opened.ended);
    if (starts() < 2) rmSync(join(cwd, "go"));
  }
  expect(out).toContain("runs that were left by processes that are gone go on beside this");
});

test("two people at one question: the first answer counts, and the tool runs once", async () => {
  const cwd = notesProject();
  const chats = [onTerminal(["chat"], { cwd }), onTerminal(["chat", "--by", "other"], { cwd })] as const;
  for (const chat of chats) await chat.sees("you");
  chats[0].type(`call note_save {"text":"milk"}\r`);
  await chats[0].sees("approve?");
  const [first, second] = [chats[1], chats[0]];
  first.type("hello\r");
  await first.sees("approve?");
  first.type("yes\r");
  await first.sees("saved milk");
  await first.sees("you said hello");
  second.type("no, too late\r");
  await second.sees("answered by somebody else");
  await second.sees("saved milk");
  expect(readFileSync(join(cwd, "effects.txt"), "utf8")).toMatch(/^\S+ milk\n$/);
  for (const chat of chats) chat.type("\u0004");
  for (const chat of chats) expect((await chat.ended).code).toBe(0);
});

test("a message whose run never began is asked for again", async () => {
  const name = createHash("sha256").update("main").digest("hex").slice(0, 32);
  const cwd = notesProject({ [`.tenon/chat/${name}.json`]: '{"runId":"11111111-aaaa"}', ".tenon/chat/x.json": "{" });
  const { out, code } = await tenon(["chat", "hello"], { cwd });
  expect(out).toMatch(
    /^continuing the run that was stopped: 11111111-aaaa\nit had not started; please say it again\nyou said hello/,
  );
  expect(code).toBe(0);
});
