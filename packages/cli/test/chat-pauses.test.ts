import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clerkProject, doubtfulRun, leftRun, linesOf, started } from "./clerk-project.js";
import { onTerminal, startTenon } from "./run-cli.js";

const effects = (cwd: string): readonly string[] => linesOf(cwd, "effects.txt");
const env = { NO_COLOR: "1" };

test("an edit is asked again until it fits, and runs as it was changed", async () => {
  const cwd = clerkProject();
  const chat = onTerminal(["chat", 'call transfer {"amount":20} && call transfer {"amount":30}'], { cwd, env });
  await chat.sees("Send 20 by transfer?");
  await chat.sees("or edit and the changes: ");
  chat.type("edit the amount\r");
  await chat.sees("a JSON merge patch");
  await chat.sees("or edit and the changes: ");
  chat.type("edit\r");
  await chat.sees("changes: ");
  chat.type('{"amount":5000}\r');
  await chat.sees('approved with changes: {"amount":5000}');
  await chat.sees("Send 30 by transfer?");
  await chat.sees("approve?");
  chat.type("no, one is enough\r");
  await chat.sees("The edit does not fit");
  await chat.sees("Send 20 by transfer?");
  await chat.sees("approve?");
  expect(effects(cwd)).toEqual([]);
  chat.type('edit {"amount":12}\r');
  await chat.sees("sent 12");
  await chat.sees("one is enough");
  expect((await chat.ended).code).toBe(0);
  expect(effects(cwd)).toEqual([expect.stringMatching(/_1 12 without$/)]);
});

test("a question says what is wanted, and is asked again until the answer fits", async () => {
  const cwd = clerkProject();
  const chat = onTerminal(["chat", "call ask_color && call ask_any"], { cwd, env });
  await chat.sees("Which color?");
  await chat.sees("the answer is JSON that fits ");
  await chat.sees("answer: ");
  chat.type("\r");
  await chat.sees("; /exit leaves the run waiting");
  await chat.sees("answer: ");
  chat.type("green\r");
  await chat.sees('answered: "green"');
  await chat.sees("What next?");
  await chat.sees("the answer is a text or JSON");
  await chat.sees("answer: ");
  chat.type('{"nothing":1}\r');
  await chat.sees("The answer does not fit");
  await chat.sees("Which color?");
  await chat.sees("answer: ");
  chat.type('{"color":"blue"}\r');
  await chat.sees("painted blue");
  await chat.sees("nothing");
  expect((await chat.ended).code).toBe(0);
});

test("a call in doubt: what became of it is asked, in plain words", async () => {
  const cwd = clerkProject();
  const three = ["one", "two", "three"].map((text) => `call slow_write ${JSON.stringify({ text })}`).join(" && ");
  await doubtfulRun(cwd, three, 3, "main");
  writeFileSync(join(cwd, "go"), "");
  const chat = onTerminal(["chat"], { cwd, env });
  await chat.sees("this thread waits for a decision");
  await chat.sees("Did slow_write happen?");
  await chat.sees("rerun, or give up: ");
  chat.type("yes\r");
  await chat.sees('answer "done" and what it gave, "rerun", or "give up"');
  await chat.sees("rerun, or give up: ");
  chat.type("done\r");
  await chat.sees("what did it give? ");
  chat.type("it is there\r");
  await chat.sees('done: "it is there"');
  await chat.sees('"two"');
  await chat.sees("rerun, or give up: ");
  chat.type("rerun\r");
  await chat.sees('"three"');
  await chat.sees("rerun, or give up: ");
  chat.type("give up, no log of it\r");
  // What the tool returns is an object with a text.
  await chat.sees("does not fit its output");
  await chat.sees("rerun, or give up: ");
  expect(effects(cwd)).toEqual([]);
  chat.type('done {"text":"I saw it"}\r');
  await chat.sees("I saw it");
  await chat.sees("you > ");
  chat.type("\u0004");
  expect((await chat.ended).code).toBe(0);
  expect(effects(cwd)).toEqual([expect.stringMatching(/_2 two$/)]);
});

test("a call in doubt of a run that has ended stops no conversation, and is told with how to answer", async () => {
  const cwd = clerkProject();
  const stopped = startTenon(["chat", 'call slow_write {"text":"one"}'], { cwd });
  await started(cwd, 1);
  stopped.process.kill("SIGINT");
  const { out, code } = await stopped.ended;
  expect(out).toMatch(
    /has ended, and one of its calls is in doubt\nclerk asks: Did slow_write happen\?[^]*--done <json>\n/,
  );
  expect(code).toBe(130);

  const chat = onTerminal(["chat"], { cwd, env });
  await chat.sees("one of its calls is in doubt");
  await chat.sees("npx tenon approve pause_");
  await chat.sees("you > ");
  chat.type("hello\r");
  await chat.sees("you said hello (message 2)");
  await chat.sees("you > ");
  chat.type("/exit\r");
  expect((await chat.ended).code).toBe(0);
});

test("who answers elsewhere while the chat asks counts, and nobody is asked again", async () => {
  const cwd = clerkProject();
  const { pauses } = await leftRun(cwd, 'call transfer {"amount":20}', { threadId: "main" });
  const chat = onTerminal(["chat"], { cwd, env });
  await chat.sees("approve?");
  const elsewhere = startTenon(["deny", pauses[0]!.id, "--reason", "I was first"], { cwd });
  expect((await elsewhere.ended).code).toBe(0);
  chat.type("yes\r");
  await chat.sees("answered by somebody else meanwhile");
  await chat.sees("I was first");
  await chat.sees("you > ");
  chat.type("\u0004");
  expect((await chat.ended).code).toBe(0);
  expect(effects(cwd)).toEqual([]);
});
