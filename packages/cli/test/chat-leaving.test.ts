import { expect, test } from "vitest";
import { effects, save } from "./notes-run.js";
import { onTerminal, tenon } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

test("opened on a thread that waits it asks first; what was typed before the question is no answer", async () => {
  const cwd = notesProject();
  expect((await tenon(["chat", save("milk")], { cwd })).code).toBe(4);

  const leaving = onTerminal(["chat"], { cwd });
  await leaving.sees("approve?");
  leaving.type("\u0003");
  await leaving.sees("The run still waits. Open the chat again to decide: npx tenon chat --thread main");
  expect((await leaving.ended).code).toBe(4);

  const chat = onTerminal(["chat", "what now"], { cwd });
  chat.type("yes\r");
  await chat.sees("this thread waits for a decision");
  await chat.sees("approve?");
  chat.type("no, not yet\r");
  await chat.sees("note_save was not approved: not yet");
  await chat.sees("you said what now (message 2)");
  expect((await chat.ended).code).toBe(0);
  expect(effects(cwd)).toBe("");
});

test("/exit, /quit and Ctrl-D leave a run waiting, at the question and at the reason", async () => {
  const cwd = notesProject();
  const leaves = ["/exit\r", "/quit\r", "\u0004"];
  for (const leave of leaves) {
    const chat = onTerminal(["chat"], { cwd });
    if (leave === leaves[0]) {
      await chat.sees("you");
      chat.type(`${save("milk")}\r`);
    }
    await chat.sees("approve?");
    chat.type(leave);
    await chat.sees("Open the chat again to decide: npx tenon chat --thread main");
    expect((await chat.ended).code).toBe(4);

    const again = onTerminal(["chat"], { cwd });
    await again.sees("approve?");
    again.type("\r");
    await again.sees('answer "yes", or "no" and why, or "edit" and the changes; /exit leaves the run waiting');
    await again.sees("approve?");
    again.type("/yes\r");
    await again.sees("there is no /yes");
    await again.sees("approve?");
    again.type("no\r");
    await again.sees("why not?");
    again.type(leave);
    await again.sees("The run still waits.");
    expect((await again.ended).code).toBe(4);
  }

  const last = onTerminal(["chat"], { cwd });
  await last.sees("approve?");
  last.type("yes\r");
  await last.sees("saved milk");
  last.type("\u0004");
  expect((await last.ended).code).toBe(0);
});

test("Ctrl-C clears a line that was begun, and ends the chat at an empty one", async () => {
  const cwd = notesProject();
  const chat = onTerminal(["chat"], { cwd, env: { NO_COLOR: "1" } });
  await chat.sees("you > ");
  chat.type("half a li");
  await chat.sees("half a li");
  chat.type("\u0003");
  await chat.sees("you > ");
  chat.type("hello\r");
  await chat.sees("you said hello (message 1)");
  await chat.sees("you > ");
  chat.type(`${save("milk")}\r`);
  await chat.sees("approve?");
  chat.type("ye");
  await chat.sees("ye");
  chat.type("\u0003");
  await chat.sees("approve?");
  chat.type("\u0003");
  await chat.sees("The run still waits.");
  expect((await chat.ended).code).toBe(4);
  expect(effects(cwd)).toBe("");
});
