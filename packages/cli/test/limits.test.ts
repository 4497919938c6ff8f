import { expect, test } from "vitest";
import { json } from "./clerk-project.js";
import { onTerminal, tenon, tenonEach } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

const config = `import { createApp, defineAgent, defineTool, defineWorkflow } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { echoModel } from "./src/echo-model.js";

const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
const save = defineTool({ name: "save", description: "Saves.", access: "write", approval: true, run: () => "saved" });
const desk = defineAgent({ name: "desk", description: "Works.", model: echoModel, tools: [look, save] });
const limits = { atLimit: "ask", perRun: { modelCalls: 1 } };
export default {
  app: () => createApp(defineWorkflow({ name: "w", agents: [desk], limits }), { store: sqliteStore(".tenon/tenon.db") }),
};
`;

test("a limit says how much at least it has to be raised by, and is no question of a tool", async () => {
  const cwd = notesProject({ "tenon.config.ts": config });
  const waits = await tenon(["run", "--json", "call look"], { cwd });
  const { runId, pauses } = json(waits);
  const raise = `raise it, by this or more: npx tenon approve ${pauses[0].id} --answer 1\n`;
  const [shown, bare, text] = await tenonEach(
    { cwd },
    ["runs", "show", runId],
    ["approve", pauses[0].id],
    ["approve", pauses[0].id, "--answer", '"$1"'],
  );
  expect(shown.out).toContain(raise);
  expect(bare.code).toBe(2);
  expect(bare.err).toContain(
    "An approval alone says nothing here: a limit waits to be raised, by an amount. Nothing was recorded.",
  );
  expect(bare.err).toContain(raise);
  expect(text.err).toMatch(/got "\$1"\. This was for the pause: pause_call_\S+\. Change the answer/);
  expect(await tenon(["approve", pauses[0].id, "--answer", "1"], { cwd })).toMatchObject({
    code: 0,
    out: 'got "seen"\n',
  });
});

test("a result is shown once in a conversation; what a process before gave says so", async () => {
  const cwd = notesProject({ "tenon.config.ts": config.replace("modelCalls: 1", "modelCalls: 9") });
  const env = { NO_COLOR: "1" };
  const chat = onTerminal(["chat", "call look && call save"], { cwd, env });
  await chat.sees("approve?");
  chat.type("no, not now\r");
  expect((await chat.ended).code).toBe(0);
  expect(chat.out.match(/← look ok/g)).toHaveLength(1);
  expect(chat.out).toMatch(/→ look \{\}\r\n← look ok · \d+ ms\r\n/);
  expect(chat.out).toMatch(/← save denied: save was not approved: not now\r\n/);

  expect((await tenon(["chat", "call look && call save"], { cwd })).code).toBe(4);
  const later = onTerminal(["chat"], { cwd, env });
  await later.sees("approve?");
  later.type("yes\r");
  await later.sees("← look ok · before this");
  await later.sees("you > ");
  later.type("\u0004");
  await later.ended;
  expect(later.out.match(/← look ok/g)).toHaveLength(1);
});
