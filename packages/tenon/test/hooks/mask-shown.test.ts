import { describe, expect, test } from "vitest";
import { defineTool, jsonSchema, type App, type RunEvent } from "tenon";
import { PlainText } from "tenon/dto";
import { audit, maskValues, type AuditRecord } from "tenon/hooks";
import { callTool, rawCall, rawTurn, replyWith, scriptedModel } from "tenon/testing";
import { HeldText } from "../../src/app/held-text.js";
import { appWith } from "./desk.js";

const CARD = "4111-1111-1111-1111";
/** Its beginning, where it is not by chance in an id or a time. */
const PIECE = /(?<![\da-f-])4111(?![\da-f])/;
const cards = maskValues([/\b\d{4}(-\d{4}){3}\b/]);

describe("an answer is told whole, whatever comes between its pieces", () => {
  const text = (piece: string) => ({ type: "text-delta", turn: 1, text: piece }) as const;
  const thought = (piece: string) => ({ type: "reasoning-delta", turn: 1, text: piece }) as const;
  const late = { type: "tool-end", callId: "c", name: "t", result: { kind: "ok", value: 1 }, durationMs: 1 } as const;
  const progress = { type: "tool-progress", callId: "c", name: "t", value: 1 } as const;
  const end = { type: "turn-end", turn: 1, finish: "stop" } as const;

  test.each([
    ["reasoning", [text("my SEC"), thought("hm"), text("RET")], [], [text("my SECRET"), thought("hm")]],
    ["text", [thought("my SEC"), text("hm"), thought("RET")], [], [thought("my SECRET"), text("hm")]],
    ["the late end of a call", [text("my SEC"), late, text("RET")], [late], [text("my SECRET")]],
    ["late progress", [text("my SEC"), progress, text("RET")], [progress], [text("my SECRET")]],
  ])("%s", (_name, pieces, overtaking, whole) => {
    const held = new HeldText();
    expect(pieces.flatMap((body) => held.take(body))).toEqual(overtaking);
    expect(held.take(end)).toEqual([...whole, end]);
    expect(held.take(end)).toEqual([end]);
  });

  test("live, and from the journal", async () => {
    const model = scriptedModel(replyWith("my SECRETCODE is out"));
    const hooks = [maskValues(["SECRETCODE"])];
    await using app = await appWith([], model, { hooks });
    const live = app.stream({ prompt: "go" });
    const told = await all(live);
    const { runId } = await live.result;
    for (const events of [told, await all(app.watch(runId))])
      expect(events.filter(({ type }) => type === "text-delta")).toMatchObject([{ text: "my *** is out" }]);
  });
});

describe("what a model wrote in another way hides nothing", () => {
  const escaped = "\\u0034111-1111-1111-1111";
  const take = defineTool({ name: "take", description: "Takes.", input: PlainText, run: () => "ok" });
  test.each([
    ["a member that is there twice", "take", `{"text":"${escaped}","text":"x"}`],
    ["JSON in a text", "take", JSON.stringify(`{"text":"${escaped}"}`)],
    ["JSON in a text in a text", "take", JSON.stringify(JSON.stringify(`{"text":"${escaped}"}`))],
    ["broken JSON", "take", `{"text":"${escaped}",}`],
    ["no object", "take", `["${escaped}"]`],
    ["the name of a tool that is not there", CARD, "{}"],
  ])("%s", async (_name, name, args) => {
    const events: RunEvent[] = [];
    const model = scriptedModel(rawTurn({ calls: [rawCall({ name, arguments: args })] }), replyWith("done"));
    const records: AuditRecord[] = [];
    const hooks = [cards, audit((record) => void records.push(record))];
    await using app = await appWith([take], model, { hooks }, { onEvent: (event) => void events.push(event) });
    const { runId } = await app.run({ prompt: "go" });
    const shown = JSON.stringify([records, events, await app.inspect(runId), await all(app.watch(runId))]);
    expect(shown).toContain("***");
    expect(shown).not.toMatch(/4111-1111|u0034/);
  });

  test("escapes alone mask nothing", async () => {
    const events: RunEvent[] = [];
    const args = '{"text":"a \\"b\\" \\u0034 \\\\n"}';
    const model = scriptedModel(rawCall({ name: "take", arguments: args }), replyWith("done"));
    await using app = await appWith([take], model, { hooks: [cards] }, { onEvent: (event) => void events.push(event) });
    await app.run({ prompt: "go" });
    expect(events).toContainEqual(expect.objectContaining({ type: "tool-call", arguments: args }));
  });
});

test("the schema of a question is masked where it is shown, and an answer has to fit the true one", async () => {
  const got: unknown[] = [];
  const events: RunEvent[] = [];
  const ask = defineTool({
    name: "ask",
    description: "Asks.",
    run: async (_input, ctx) => {
      got.push(await ctx.pause("Which?", { schema: jsonSchema({ type: "string", enum: [CARD, "none"] }) }));
    },
  });
  const model = scriptedModel(callTool(ask), replyWith("done"));
  await using app = await appWith([ask], model, { hooks: [cards] }, { onEvent: (event) => void events.push(event) });
  const { runId, pauses } = await app.run({ prompt: "go" });
  expect(pauses[0]!.schema).toMatchObject({ enum: ["***", "none"] });
  const shown = [
    await app.pauses(),
    await app.inspect(runId),
    await all(app.watch(runId)),
    (await again(app, runId)).pauses,
  ];
  for (const part of [...shown, events]) {
    expect(JSON.stringify(part)).toContain('["***","none"]');
    expect(JSON.stringify(part)).not.toMatch(PIECE);
  }
  const answer = (value: string) => app.resume(runId, { [pauses[0]!.id]: { answer: value, by: "ann" } });
  await expect(answer("***")).rejects.toMatchObject({ code: "decision_refused" });
  await answer(CARD);
  expect(got).toEqual([CARD]);
  expect(JSON.stringify(await app.inspect(runId))).not.toMatch(PIECE);
});

function again(app: App, runId: string) {
  return app.resume(runId, {});
}

async function all(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const told: RunEvent[] = [];
  for await (const event of events) told.push(event);
  return told;
}
