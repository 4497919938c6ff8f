import { describe, expect, test } from "vitest";
import { Agent, createApp, defineTool } from "../../src/doors/tenon/index.js";
import { ListOf, Nested, OneOf, Choice, Text } from "../../src/doors/dto/index.js";
import { createAppWith } from "../../src/app/create-app.js";
import { callTool, callTools, replyWith, scriptedModel, testClock } from "../../src/doors/testing/index.js";
import { stores } from "./stores.js";

class Card {
  @Choice(["card"]) kind!: "card";
  @Text({ sensitive: true }) number!: string;
}
class Cash {
  @Choice(["cash"]) kind!: "cash";
  @Text() desk!: string;
}
class Secrets {
  @ListOf("text") words!: string[];
}
class Payment {
  @Text() to!: string;
  @Text({ sensitive: true, optional: true }) pin?: string;
  @OneOf([Card, Cash], { by: "kind" }) with!: Card | Cash;
  @Nested(Secrets, { sensitive: true, optional: true }) secrets?: Secrets;
}

const ran: unknown[] = [];
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: Payment,
  access: "write",
  approval: true,
  approvalExpiresIn: "1h",
  run: (input) => void ran.push(JSON.parse(JSON.stringify(input))),
});
const ask = defineTool({
  name: "ask",
  description: "Asks.",
  access: "write",
  inDoubt: "rerun",
  run: async (_input, ctx) => ctx.pause("Which one?"),
});

@Agent({ name: "clerk", description: "d", tools: [pay, ask] })
class Clerk {}

const input = { to: "bob", pin: "1111", with: { kind: "card", number: "4111" } } as const;

describe.each(stores)("on %s", (_, newStore) => {
  test("tells who decided what and when, of every pause, with what is sensitive in an edit masked", async () => {
    const clock = testClock();
    const store = newStore();
    const model = scriptedModel(
      callTools([
        [pay, input as never],
        [ask, {}],
      ]),
      replyWith("done"),
    );
    await using app = await createAppWith(Clerk, { models: { default: model }, store }, { clock });
    const paused = await app.run({ prompt: "go" });
    const [approval, question] = [
      paused.pauses.find(({ kind }) => kind === "approval")!,
      paused.pauses.find(({ kind }) => kind === "question")!,
    ];
    const before = await app.inspect(paused.runId);
    expect(before.audit).toHaveLength(2);
    for (const entry of before.audit) expect(entry).toMatchObject({ decision: undefined, decidedAt: undefined });

    await clock.advance(5_000);
    const edit = {
      to: "cat",
      pin: "2222",
      with: { number: "4999" },
      secrets: { words: ["tulip"] },
    };
    const at = clock.now();
    await app.resume(paused.runId, { [approval.id]: { approved: true, by: "ann", edit } });
    expect(ran.at(-1)).toMatchObject({ to: "cat", pin: "2222", with: { kind: "card", number: "4999" } });
    await clock.advance(1_000);
    await app.resume(paused.runId, { [question.id]: { answer: "the red one", by: "bob" } });

    const { audit, pauses, turns } = await app.inspect(paused.runId);
    expect(pauses).toEqual([]);
    expect(audit.find(({ pause }) => pause.id === approval.id)).toEqual({
      pause: approval,
      decision: {
        approved: true,
        by: "ann",
        edit: { to: "cat", pin: "***", with: { number: "***" }, secrets: "***" },
      },
      decidedAt: at,
    });
    expect(audit.find(({ pause }) => pause.id === question.id)).toEqual({
      pause: question,
      decision: { answer: "the red one", by: "bob" },
      decidedAt: at + 1_000,
    });
    // What ran is what is shown.
    expect(turns[0]!.calls[0]!.input).toEqual({
      to: "cat",
      pin: "***",
      with: { kind: "card", number: "***" },
      secrets: "***",
    });
    // Such digits may stand in an id or a digest by chance.
    expect(JSON.stringify(await app.inspect(paused.runId))).not.toMatch(
      /(?<![\da-f-])(?:1111|2222|4111|4999)(?![\da-f])|tulip/,
    );
  });

  test("an edit that takes a field out shows that; without the tool everything of it is masked", async () => {
    const store = newStore();
    const model = scriptedModel(callTool(pay, input as never), replyWith("done"));
    const app = await createApp(Clerk, { models: { default: model }, store });
    const paused = await app.run({ prompt: "go" });
    const edit = { to: "dan", pin: null };
    await app.resume(paused.runId, { [paused.pauses[0]!.id]: { approved: true, by: "ann", edit } });
    expect((await app.inspect(paused.runId)).audit[0]!.decision).toMatchObject({ edit: { to: "dan", pin: null } });
    await app.close();

    @Agent({ name: "clerk", description: "d", tools: [ask] })
    class Smaller {}
    await using next = await createApp(Smaller, { models: { default: scriptedModel() }, store });
    expect((await next.inspect(paused.runId)).audit[0]!.decision).toEqual({
      approved: true,
      by: "ann",
      edit: { to: "***", pin: null },
    });
  });

  test("a pause that nobody answered shows how it ended", async () => {
    const clock = testClock();
    const model = scriptedModel(callTool(pay, input as never), replyWith("too late"), callTool(ask, {}));
    await using app = await createAppWith(Clerk, { models: { default: model } }, { clock });
    const first = await app.run({ prompt: "go" });
    await clock.advance(3_600_000);
    await app.recover();
    expect((await app.inspect(first.runId)).audit).toMatchObject([
      { decision: { lapsed: "expired" }, decidedAt: clock.now() },
    ]);
    const second = await app.run({ prompt: "go" });
    await app.cancel(second.runId);
    expect((await app.inspect(second.runId)).audit).toMatchObject([
      { decision: { lapsed: "cancelled" }, decidedAt: clock.now() },
    ]);
  });
});
