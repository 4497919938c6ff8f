import { expect, test } from "vitest";
import { onTerminal, tenon } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

const config = `import { createApp, defineAgent, defineTool } from "tenon";
import { Text } from "tenon/dto";
import { sqliteStore } from "tenon/sqlite";
import { echoModel } from "./src/echo-model.js";

class Payment {
  @Text() to!: string;
  @Text({ sensitive: true, optional: true }) pin?: string;
}
const gate = {
  onBeforeCall: (_ctx: unknown, { input }: { input: object }) =>
    JSON.stringify(input).includes("bribe") ? { action: "deny", reason: "no bribes" } : undefined,
};
const write = { input: Payment, access: "write" } as const;
const pay = defineTool({ ...write, name: "pay", description: "Pays.", hooks: [gate as never], run: () => "paid" });
const ask = defineTool({ ...write, name: "ask", description: "Asks first.", approval: true, run: () => "paid" });
const agent = defineAgent({ name: "payer", description: "Pays.", tools: [pay, ask], model: echoModel as never });
export default { app: () => createApp(agent, { store: sqliteStore(".tenon/tenon.db") }) };
`;

test("a call that was refused is told with its input, and what is sensitive of it is masked", async () => {
  const cwd = notesProject({ "tenon.config.ts": config });
  const calls = ['{"to":"a bribe","pin":"tulip"}', '{"to":"ann"}', '{"to":5,"pin":"tulip"}'];
  const { out, code } = await tenon(["chat", calls.map((input) => `call pay ${input}`).join(" && ")], { cwd });
  expect(out).toContain('← pay denied: pay was not allowed: no bribes · {"to":"a bribe","pin":"***"}\n');
  // One that ran has it where it began, and of one that does not fit nobody knows what is sensitive.
  expect(out).toMatch(/→ pay \{"to":"ann"\}\n/);
  expect(out).toMatch(/← pay ok · \d+ ms\n/);
  expect(out).toMatch(/← pay invalid_input: pay: to: expected a string, got 5\n/);
  expect(out).not.toContain("tulip");
  expect(code).toBe(0);
});

test("of several that were not approved each is told with its own", async () => {
  const cwd = notesProject({ "tenon.config.ts": config });
  const inputs = ['{"to":"ann"}', '{"to":"bob","pin":"tulip"}'];
  const chat = onTerminal(["chat", inputs.map((input) => `call ask ${input}`).join(" && ")], {
    cwd,
    env: { NO_COLOR: "1" },
  });
  for (const why of ["not her", "not him"]) {
    await chat.sees("approve?");
    chat.type(`no, ${why}\r`);
    await chat.sees(`not approved: ${why}`);
  }
  await chat.sees('← ask denied: ask was not approved: not her · {"to":"ann"}\r\n');
  await chat.sees('← ask denied: ask was not approved: not him · {"to":"bob","pin":"***"}\r\n');
  expect((await chat.ended).out).not.toMatch(/← ask .*tulip/);
});
