import { describe, expect, test } from "vitest";
import { defineTool, jsonSchema, type Decision, type JsonValue, type Schema } from "../../src/doors/tenon/index.js";
import { Choice, ListOf, MapOf, Nested, OneOf, Text } from "../../src/doors/dto/index.js";
import { rawCall, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { appOf } from "../known-failures/wire.js";

const SECRET = "tulip-4111";

class Card {
  @Choice(["debit", "credit"]) kind!: "debit" | "credit";
  @Text({ sensitive: true, min: 3 }) number!: string;
}
class Cash {
  @Choice(["cash"]) kind!: "cash";
  @Text() desk!: string;
}
class Payment {
  @Text() to!: string;
  @Nested(Card, { optional: true }) card?: Card;
  @ListOf(Card, { optional: true }) cards?: Card[];
  @MapOf(Card, { optional: true }) named?: Record<string, Card>;
  @ListOf("text", { sensitive: true, optional: true }) words?: string[];
  @OneOf([Card, Cash], { by: "kind", optional: true }) by?: Card | Cash;
}

const card = (number: string) => ({ kind: "debit", number });
/** The same card in all the forms that are read as one. */
const forms = (number: string): readonly { readonly [name: string]: JsonValue }[] => [
  { card: card(number) },
  { card: JSON.stringify(card(number)) },
  { cards: [card(number)] },
  { cards: JSON.stringify([card(number)]) },
  { cards: [JSON.stringify(card(number))] },
  { named: { a: card(number) } },
  { named: JSON.stringify({ a: card(number) }) },
  { named: { a: JSON.stringify(card(number)) } },
  { words: [number] },
  { words: JSON.stringify([number]) },
  { by: card(number) },
  { by: JSON.stringify(card(number)) },
];

/** A run that waits: for an approval, or for an answer of this schema. */
async function waiting(schema?: Schema, input: Readonly<Record<string, JsonValue>> = { to: "bob" }) {
  const ran: unknown[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: Payment,
    access: "write",
    approval: schema === undefined,
    run: async (given, ctx) => {
      ran.push(schema === undefined ? given : await ctx.pause("How?", { schema }));
    },
  });
  const model = scriptedModel(rawCall({ id: "c", name: "pay", arguments: JSON.stringify(input) }), replyWith("done"));
  const events: string[] = [];
  const app = await appOf([pay], model, { onEvent: (event) => void events.push(JSON.stringify(event)) });
  const { runId, pauses } = await app.run({ prompt: "go" });
  const decide = (decision: Decision) => app.resume(runId, { [pauses[0]!.id]: decision });
  const shown = async (): Promise<string> => JSON.stringify([await app.inspect(runId), events]);
  return { app, runId, pauseId: pauses[0]!.id, ran, decide, shown };
}

describe("what is sensitive in a decision is not shown", () => {
  test.each(forms(SECRET))("of an edit: %j", async (edit) => {
    const { ran, decide, shown } = await waiting();
    expect(await decide({ approved: true, edit, by: "ann" })).toMatchObject({ status: "completed" });
    expect(JSON.stringify(ran)).toContain(SECRET);
    expect(await shown()).not.toContain(SECRET);
    expect(await shown()).toContain('"***"');
  });

  test.each(forms(SECRET))("of an answer: %j", async (answer) => {
    const { ran, decide, shown } = await waiting(Payment);
    const decision = { answer: { to: "bob", ...answer }, by: "ann" };
    expect(await decide(decision)).toMatchObject({ status: "completed" });
    expect(await decide(decision)).toMatchObject({ status: "completed" });
    expect(JSON.stringify(ran)).toContain(SECRET);
    expect(await shown()).not.toContain(SECRET);
    expect(await shown()).toContain('"***"');
  });

  const hidden = { type: "string", writeOnly: true, minLength: 3 } as const;
  test.each([
    ["the whole", hidden, SECRET],
    ["a reference", { properties: { x: { $ref: "#/$defs/s" } }, $defs: { s: hidden } }, { x: SECRET }],
    ["or null", { properties: { x: { anyOf: [{ type: "null" }, hidden] } } }, { x: SECRET }],
    ["a text of two kinds", { properties: { x: { anyOf: [hidden, { type: "string" }] } } }, { x: SECRET }],
    [
      "objects alike",
      { oneOf: [{ properties: { a: hidden } }, { properties: { b: true }, required: ["b"] }] },
      { a: SECRET },
    ],
    ["names of a form", { type: "object", patternProperties: { "^x": hidden } }, { x1: SECRET }],
    ["any name", { type: "object", properties: { y: true }, additionalProperties: hidden }, { x: SECRET }],
    ["places of a list", { type: "array", prefixItems: [hidden], items: true }, [SECRET]],
    ["a list that contains", { type: "array", contains: hidden }, [SECRET]],
    ["a condition", { if: { required: ["k"] }, then: { properties: { x: hidden } } }, { k: 1, x: SECRET }],
    ["what another asks for", { dependentSchemas: { k: { properties: { x: hidden } } } }, { k: 1, x: SECRET }],
  ])("of an answer by JSON Schema: %s", async (_, schema, answer) => {
    const { ran, decide, shown } = await waiting(jsonSchema(schema as never));
    expect(await decide({ answer, by: "ann" })).toMatchObject({ status: "completed" });
    expect(JSON.stringify(ran)).toContain(SECRET);
    expect(await shown()).not.toContain(SECRET);
    // And one that does not fit is not told.
    const other = await waiting(jsonSchema({ ...schema, maxProperties: 0, maxItems: 0, maxLength: 1 }));
    const refused = await other.decide({ answer, by: "ann" }).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: "decision_refused" });
    expect(String(refused)).not.toContain(SECRET);
  });
});

test.each(forms("***"))("the mask sent back is refused in every form: %j", async (edit) => {
  const { app, runId, ran, decide } = await waiting();
  await expect(decide({ approved: true, edit, by: "ann" })).rejects.toMatchObject({
    code: "decision_refused",
    message: expect.stringContaining("stands for a value that is not shown"),
  });
  expect(ran).toEqual([]);
  expect(await app.pauses({ runId })).toHaveLength(1);
});

test("a value that was the mask's text from the start is kept by an edit of something else", async () => {
  const { ran, decide } = await waiting(undefined, { to: "bob", card: card("***") });
  expect(await decide({ approved: true, edit: { to: "cat" }, by: "ann" })).toMatchObject({ status: "completed" });
  expect(ran).toMatchObject([{ to: "cat", card: { number: "***" } }]);
});

test("a decision counts as it was when it was given", async () => {
  const { app, runId, pauseId, ran } = await waiting();
  const decision = { approved: true, by: "ann", edit: { to: "cat" } };
  const decisions: Record<string, Decision> = { [pauseId]: decision as Decision };
  const resumed = app.resume(runId, decisions);
  Object.assign(decision.edit, { to: "eve" });
  delete decisions[pauseId];
  expect(await resumed).toMatchObject({ status: "completed" });
  expect(ran).toMatchObject([{ to: "cat" }]);
});
