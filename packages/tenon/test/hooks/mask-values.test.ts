import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BadInputError, DecisionRefusedError, defineTool, ToolError, type JsonObject, type RunEvent } from "tenon";
import { Json, ListOf, MapOf, Text } from "tenon/dto";
import { maskValues } from "tenon/hooks";
import { sqliteStore } from "tenon/sqlite";
import { callTool, rawCall, rawTurn, replyWith, scriptedModel } from "tenon/testing";
import { appWith } from "./desk.js";

const CARD = "4111-1111-1111-1111";
/** Its beginning, where it is not by chance in an id or a time. */
const PIECE = /(?<![\da-f-])4111(?![\da-f])/;
const cards = maskValues([/\b\d{4}(-\d{4}){3}\b/]);
const yes = { approved: true, by: "ann" } as const;

class Transfer {
  @Text() note!: string;
  @Text({ optional: true }) to?: string;
  @ListOf("text", { optional: true }) tags?: string[];
  @MapOf("text", { optional: true }) more?: Record<string, string>;
  @Json({ optional: true }) any?: unknown;
}

/** A tool that says what it got, and, unless it is told not to, waits for an approval before it does. */
function transferTool(got: unknown[], asks = true) {
  return defineTool({
    name: "transfer",
    description: "Transfers.",
    input: Transfer,
    access: "write",
    approval: ({ note }) => (asks ? `Transfer ${note}?` : false),
    run: (input, ctx) => {
      got.push(input);
      ctx.progress(`card ${CARD}`);
      return { done: input.note };
    },
  });
}

describe("what is shown is masked, and everything else has the true values", () => {
  test.each(["agent", "app"])("on the %s", async (where) => {
    const got: unknown[] = [];
    const transfer = transferTool(got);
    const broken = defineTool({
      name: "broken",
      description: "Breaks.",
      run: () => {
        throw new ToolError(`no money on ${CARD}`);
      },
    });
    const events: RunEvent[] = [];
    const model = scriptedModel(
      rawTurn({
        reasoning: `card ${CARD}`,
        text: `I take ${CARD}.`,
        calls: [callTool(transfer, { note: `from ${CARD}` }), callTool(broken)],
      }),
      replyWith(`Paid with ${CARD}.`),
    );
    const hooks = [cards];
    await using app = await appWith([transfer, broken], model, where === "agent" ? { hooks } : {}, {
      ...(where === "app" ? { hooks } : {}),
      onEvent: (event) => void events.push(event),
    });
    const prompt = `pay with ${CARD}`;
    const asked = await app.run({ prompt }, { metadata: { note: CARD } });
    expect(asked.pauses).toMatchObject([{ question: "Transfer from ***?", input: { note: "from ***" } }]);
    expect(await app.pauses()).toEqual(asked.pauses);
    const watching = watched(app.watch(asked.runId));
    const result = await app.resume(asked.runId, { [asked.pauses[0]!.id]: yes });

    expect(got).toEqual([{ note: `from ${CARD}` }]);
    expect(result.text).toBe(`Paid with ${CARD}.`);
    const request = JSON.stringify(model.requests[1]);
    for (const truth of [prompt, `from ${CARD}`, `I take ${CARD}.`, `no money on ${CARD}`])
      expect(request).toContain(truth);

    const shown = [
      events,
      await watching,
      await watched(app.watch(asked.runId)),
      await app.inspect(asked.runId),
      await app.runs(),
    ];
    for (const part of shown) {
      expect(JSON.stringify(part)).not.toMatch(PIECE);
      expect(JSON.stringify(part)).toContain("***");
    }
    const types = new Set(events.filter((event) => JSON.stringify(event).includes("***")).map(({ type }) => type));
    const wanted = [
      "run-start",
      "text-delta",
      "reasoning-delta",
      "tool-call",
      "tool-start",
      "tool-progress",
      "tool-end",
      "approval-request",
      "run-end",
    ];
    expect([...types].sort()).toEqual(wanted.sort());
    for (const event of events) expect(Object.isFrozen(event)).toBe(true);
  });

  test("also after the process ended, and for an agent that is gone where the app masks", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-masks-"));
    try {
      const store = () => sqliteStore(join(folder, "runs.db"));
      const got: unknown[] = [];
      const transfer = transferTool(got);
      const options = { hooks: [cards] };
      let runId: string;
      {
        await using app = await appWith(
          [transfer],
          scriptedModel(callTool(transfer, { note: CARD })),
          {},
          { ...options, store: store() },
        );
        runId = (await app.run({ prompt: CARD })).runId;
      }
      {
        await using app = await appWith([transfer], scriptedModel(replyWith(CARD)), {}, { ...options, store: store() });
        const events: RunEvent[] = [];
        const [pause] = await app.pauses();
        await app.resume(runId, { [pause!.id]: yes }, { onEvent: (event) => void events.push(event) });
        expect(got).toEqual([{ note: CARD }]);
        expect(JSON.stringify(events)).not.toMatch(PIECE);
      }
      await using gone = await appWith([], scriptedModel(), { name: "other" }, { ...options, store: store() });
      expect(JSON.stringify([await gone.inspect(runId), await watched(gone.watch(runId))])).not.toMatch(PIECE);
      // Only what is shown was changed.
      await using plain = await appWith([transfer], scriptedModel(), {}, { store: store() });
      expect(JSON.stringify(await plain.inspect(runId))).toContain(`"result":{"kind":"ok","value":{"done":"${CARD}"}}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("what is streamed comes whole: no match hides between two deltas", async () => {
    const transfer = transferTool([]);
    const text = `The card is ${CARD}, and its number is ${CARD}.`;
    const steps = () => [rawTurn({ text, calls: [callTool(transfer, { note: CARD })] }), replyWith("done")] as const;
    const events = async (hooks: readonly ReturnType<typeof maskValues>[]): Promise<readonly RunEvent[]> => {
      await using app = await appWith([transfer], scriptedModel(...steps()), { hooks });
      return watched(app.stream({ prompt: "go" }));
    };
    const plain = await events([]);
    const pieces = plain.flatMap((event) => (event.type === "tool-input-delta" ? event.text : []));
    expect(pieces.join("")).toContain(CARD);
    const shown = await events([cards]);
    const deltas = shown.flatMap((event) => (event.type.endsWith("-delta") ? [event] : []));
    expect(deltas).toMatchObject([{ type: "text-delta", text: "The card is ***, and its number is ***." }]);
    expect(shown.filter(({ type }) => type === "tool-call")).toMatchObject([{ arguments: '{"note":"***"}' }]);
    expect(shown.map(({ seq }) => seq)).toEqual(shown.map((_event, i) => i + 1));
  });

  test("each text is masked once, also where it is heard and where a mask finds what it wrote itself", async () => {
    const transfer = transferTool([], false);
    const hooks = [
      { maskText: (text: string) => `[${text}]` },
      {
        onAfterCall() {
          throw new Error("the hook is broken");
        },
      },
    ];
    const told: RunEvent[] = [];
    let watching: Promise<readonly RunEvent[]> | undefined;
    const model = scriptedModel(
      rawTurn({ reasoning: "I think", text: "I take it.", calls: [callTool(transfer, { note: "x" })] }),
      replyWith("done"),
    );
    await using app = await appWith(
      [transfer],
      model,
      { hooks },
      {
        onEvent(event) {
          told.push(event);
          watching ??= watched(app.watch(event.runId));
        },
      },
    );
    const { runId } = await app.run({ prompt: "go" });
    const wanted = {
      "run-start": [{ prompt: "[go]" }],
      "reasoning-delta": [{ text: "[I think]" }],
      "text-delta": [{ text: "[I take it.]" }, { text: "[done]" }],
      "tool-call": [{ name: "[transfer]" }],
      "tool-start": [{ name: "[transfer]", input: { "[note]": "[x]" } }],
      "tool-progress": [{ name: "[transfer]", value: `[card ${CARD}]` }],
      "tool-end": [{ name: "[transfer]", result: { value: { "[done]": "[x]" } } }],
      "hook-error": [{ message: "[the hook is broken]" }],
      "run-end": [{ text: "[done]" }],
    } as const;
    // A watch that comes late has it from the journal alone, which has no starts, no progress and no faults of hooks.
    const journal = ["run-start", "reasoning-delta", "text-delta", "tool-call", "tool-end", "run-end"];
    const late = await watched(app.watch(runId));
    for (const [type, events] of Object.entries(wanted)) {
      const of = (list: readonly RunEvent[]): readonly RunEvent[] => list.filter((event) => event.type === type);
      expect(of(told), type).toMatchObject(events);
      expect(of(await watching!), type).toMatchObject(events);
      expect(of(late), type).toMatchObject(journal.includes(type) ? events : []);
    }
  });

  test("what JSON writes in another way is found, and so are numbers and names", async () => {
    const model = scriptedModel(
      rawCall({
        id: "1",
        name: "transfer",
        arguments:
          '{"note":"\\u0073esame \\"open\\"","any":{"sesame \\"open\\"":[41111111, 7],"sesame \\"open\\"!":1}}',
      }),
      rawCall({ id: "2", name: "transfer", arguments: '{"note":"sesame 41111111' }),
      rawCall({ id: "3", name: "transfer", arguments: "41111111222222222222222" }),
      replyWith("done"),
    );
    const events: RunEvent[] = [];
    const hooks = [maskValues(['sesame "open"', "sesame", /41+/])];
    await using app = await appWith(
      [transferTool([])],
      model,
      { hooks },
      { onEvent: (event) => void events.push(event) },
    );
    const { runId, pauses } = await app.run({ prompt: "go" });
    expect(pauses[0]!.input).toEqual({ note: "***", any: { "***": ["***", 7], "***!": 1 } });
    await app.resume(runId, { [pauses[0]!.id]: yes });
    // The resumed run tells its turn again.
    expect(events.filter(({ type }) => type === "tool-call").slice(1)).toMatchObject([
      { arguments: '{"note":"***","any":{"***":["***",7],"***!":1}}' },
      { arguments: '{"note":"*** ***' },
      { arguments: "***222222222222222" },
    ]);
  });

  test("who decided, and ids, stay; what they said is masked", async () => {
    const transfer = transferTool([]);
    await using app = await appWith([transfer], scriptedModel(callTool(transfer, { note: "x" }), replyWith("done")), {
      hooks: [maskValues(["ann", /call_\S+/])],
    });
    const { runId, pauses } = await app.run({ prompt: "go" });
    await app.resume(runId, { [pauses[0]!.id]: { ...yes, edit: { note: "ann says so" } } });
    const details = await app.inspect(runId);
    expect(details.audit).toMatchObject([
      { pause: { callId: `call_${runId}_1_1` }, decision: { by: "ann", edit: { note: "*** says so" } } },
    ]);
    expect(details.turns[0]!.calls[0]).toMatchObject({ callId: `call_${runId}_1_1`, input: { note: "*** says so" } });
  });
});

describe("a mask that is sent back is no value", () => {
  const note = `from ${CARD} to ***`;
  const input = { note, to: "bob ***", tags: ["a", CARD], more: { [CARD]: "x" }, any: { deep: CARD } };
  async function waiting(hooks: readonly ReturnType<typeof maskValues>[] = [cards]) {
    const got: unknown[] = [];
    const transfer = transferTool(got);
    const model = scriptedModel(callTool(transfer, input as never), replyWith("done"));
    const app = await appWith([transfer], model, { hooks });
    const { runId, pauses } = await app.run({ prompt: "go" });
    return {
      app,
      got,
      model,
      pause: pauses[0]!,
      decide: (edit: JsonObject) => app.resume(runId, { [pauses[0]!.id]: { ...yes, edit } }),
    };
  }

  test.each<[string, JsonObject]>([
    ["the whole of what was shown", { note: "from *** to ***" }],
    ["a changed text around it", { note: "please from *** to ***" }],
    ["in another field", { to: "***" }],
    ["in a list", { tags: ["a", "***"] }],
    ["in a list of another order", { tags: ["***"] }],
    ["in a list as JSON text", { tags: '["***"]' }],
    ["as a name", { more: { "***": "y" } }],
    ["deep down", { any: { deep: "***" } }],
    ["in a new field", { any: { other: "x *** y" } }],
  ])("%s", async (_name, edit) => {
    const { app, got, decide, pause } = await waiting();
    await expect(decide(edit)).rejects.toThrow(DecisionRefusedError);
    await expect(decide(edit)).rejects.toThrow('"***" stands for a value that is not shown');
    expect(await app.pauses()).toEqual([pause]);
    expect(got).toEqual([]);
    // What is left out keeps its value; what had stars of its own keeps them.
    await decide({ to: "bob ***", tags: ["b"] });
    expect(got).toEqual([{ ...input, tags: ["b"] }]);
    await app.close();
  });

  test("the decision is bound to the true input", async () => {
    const { app, got, pause } = await waiting();
    const other = await waiting([]);
    expect(pause.digest).toHaveLength(64);
    expect(other.pause.input).toEqual(input);
    await app.resume(pause.runId, { [pause.id]: { ...yes, digest: pause.digest } });
    expect(got).toEqual([input]);
  });

  test("where nothing is masked, three stars are a text", async () => {
    const { got, decide } = await waiting([maskValues(["nowhere"])]);
    await decide({ note: "three ***" });
    expect(got).toMatchObject([{ note: "three ***" }]);
  });

  test("what an older process masked stays refused where nothing masks any more", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-masks-"));
    try {
      const got: unknown[] = [];
      const transfer = transferTool(got);
      const store = () => sqliteStore(join(folder, "runs.db"));
      {
        await using before = await appWith(
          [transfer],
          scriptedModel(callTool(transfer, { note: CARD })),
          { hooks: [cards] },
          { store: store() },
        );
        await before.run({ prompt: "go" });
      }
      await using app = await appWith([transfer], scriptedModel(replyWith("done")), {}, { store: store() });
      const [pause] = await app.pauses();
      expect(pause).toMatchObject({ input: { note: "***" } });
      const decide = (edit: JsonObject) => app.resume(pause!.runId, { [pause!.id]: { ...yes, edit } });
      await expect(decide({ note: "***" })).rejects.toThrow("is not shown");
      await decide({ to: "bob" });
      expect(got).toEqual([{ note: CARD, to: "bob" }]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("patterns", () => {
  const masked = (text: string, ...patterns: (RegExp | string)[]): string => maskValues(patterns).maskText(text);

  test.each<[string, string, (RegExp | string)[]]>([
    ["a.c abc a.c", "*** abc ***", ["a.c"]],
    ["aaaa", "***", ["aa"]],
    ["one two three", "*** three", ["one t", " two"]],
    ["one two three", "*** two ***", [/one/g, /THREE/i]],
    ["ab", "***", ["a", "b"]],
    ["key=abc123 rest", "*** rest", [/key=\S*/]],
    ["(ab)abab c", "(***)*** c", [/(?:ab)+/]],
    ["aab aaab", "*** ***", [/(?:a|aa)+b/]],
    ["<b> and <i>", "*** and ***", [/<.+?>/]],
    ["<b> and <i>", "***", [/<.+>/]],
    ["one\ntwo", "***\n***", [/^\w+$/m]],
    ["a1 b22", "*** b22", [/\b[a-z]\d\b/]],
    ["x😀😀y", "x***y", [/[😀-😃]{2}/u]],
    ["nothing", "nothing", ["else", /\d/]],
    ["😀 sesame 😀", "😀 *** 😀", [/sesame/u]],
  ])("%j is shown as %j", (text, shown, patterns) => {
    expect(masked(text, ...patterns)).toBe(shown);
    // An expression of the caller's is not moved, and one that is used twice finds the same.
    expect(masked(text, ...patterns)).toBe(shown);
  });

  test("a match is found wherever it stands in a long text", () => {
    const key = `BEGIN${"k".repeat(40_000)}END`;
    for (const before of [0, 4_000, 4_095, 4_096, 8_190, 12_287, 50_001]) {
      const shown = masked(`${"x".repeat(before)}${key}${"y".repeat(9_000)}`, /BEGINk+END/);
      expect(shown).toBe(`${"x".repeat(before)}***${"y".repeat(9_000)}`);
    }
    expect(
      masked(`${"x".repeat(20_000)} ${CARD} ${"x".repeat(20_000)} ${CARD}`, /\d{4}(-\d{4}){3}/, CARD).match(/\*\*\*/g),
    ).toHaveLength(2);
  });

  test("a text that is too long to be looked at is masked whole", () => {
    expect(masked("x".repeat(1_000_000), "y")).toHaveLength(1_000_000);
    expect(masked("x".repeat(1_000_001), "y")).toBe("***");
  });

  test.each<[string, unknown]>([
    ["no list", /a/],
    ["no patterns", []],
    ["an empty text", [""]],
    ["something else", [5]],
    ["nothing", [undefined]],
    ["an expression that finds nothing as something", [/a*/]],
    ["a sticky one", [/a/y]],
    ["one that looks ahead", [/a(?=b)/]],
    ["one that looks behind", [/(?<!a)b/]],
    ["a reference", [/(a)\1/]],
    ["a reference by name", [/(?<one>a)\k<one>/]],
    ["a repeated option", [/(?:a?){20}(?:a?){20}x/]],
    ["a repeated choice of nothing", [/(?:a|)+x/]],
    ["a string in a class", [new RegExp("[\\q{a|aa}]+x", "v")]],
    ["one with nested classes", [new RegExp("([[a-z]--[b]]+)*c", "v")]],
    ["one with too many steps", [/(?:[a-z]{1,40}-){1,40}x/]],
  ])("%s: thrown when the hook is made", (_name, patterns) => {
    expect(() => maskValues(patterns as never)).toThrow(BadInputError);
  });

  test("an expression that is not taken says what to write", () => {
    expect(() => maskValues([/(a)\1/])).toThrow(/refers to what it found before.*\(a\)\\1.*Or give texts/s);
  });

  // Each takes for ever where the ways through it are tried one after the other.
  test.each([
    /(?:a|a){20}(?:a|a){20}x/,
    /(?:\w|\w{2}|\w{3}){4,20}X/,
    /(?:a|a|a|a){12}x/,
    /(?:a+)+x/,
    /(?:a|aa)*x/,
    /a*a*a*a*a*a*x/,
  ])("%s takes no longer for what it does not find", (pattern) => {
    const text = "a".repeat(5_000);
    expect(masked(text, pattern)).toBe(text);
    expect(masked(`${text}xX`, pattern)).toContain("***");
  });

  test("a text that would take too many steps is masked whole", () => {
    const wide = /(?:[a-z]{1,20}-){1,20}x/;
    expect(masked("1".repeat(20_000), wide)).toHaveLength(20_000);
    expect(masked("1".repeat(90_000), wide)).toBe("***");
    expect(masked("1".repeat(90_000), /x/)).toHaveLength(90_000);
  });

  test.each([
    /\b\d{4}(?:[ -]?\d{4}){3}\b/,
    /[\w.+-]+@[\w.-]+\.[a-z]{2,}/i,
    /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/,
    /-----BEGIN [A-Z ]+-----[\s\S]+?-----END [A-Z ]+-----/,
    /sk-(live|test)_[a-zA-Z0-9]{16,}/,
    /(?:ab)+c/,
    /\(\d+\)+/,
    /[(|]+\|/,
    /a{b/,
  ])("%s is taken", (pattern) => {
    expect(maskValues([pattern]).maskText("hello")).toBe("hello");
  });
});

test("a mask that cuts a character in two leaves a whole text", async () => {
  const transfer = transferTool([]);
  const hooks = [maskValues([/\ud83d/])];
  await using app = await appWith([transfer], scriptedModel(callTool(transfer, { note: "a 😀" })), { hooks });
  const { pauses } = await app.run({ prompt: "go" });
  expect(pauses[0]!.input).toEqual({ note: "a ***\ufffd" });
});

test("a mask of one's own: what it throws, and what is no text, masks the whole text", async () => {
  const events: RunEvent[] = [];
  let n = 0;
  const maskText = (): string => {
    if (n++ % 2 === 0) throw new Error("boom");
    return undefined as never;
  };
  const model = scriptedModel(replyWith("secret"));
  await using app = await appWith(
    [],
    model,
    {},
    { hooks: [{ maskText }], onEvent: (event) => void events.push(event) },
  );
  const result = await app.run({ prompt: "secret" });
  expect(result).toMatchObject({ status: "completed", text: "secret" });
  expect(JSON.stringify(events)).not.toContain("secret");
});

test("on a tool, or as a class, it is an assembly error that says where it belongs", async () => {
  const tool = defineTool({ name: "t", description: "d", hooks: [cards as never], run: () => 1 });
  await expect(appWith([tool], scriptedModel())).rejects.toThrow(
    "hooks[0] masks what is shown: put it in the hooks of the agent or the app",
  );
  class Masks {
    maskText(text: string): string {
      return text;
    }
    onBeforeCall(): void {}
  }
  await expect(appWith([], scriptedModel(), { hooks: [Masks] })).rejects.toThrow("hooks[0] is a class with maskText");
  await expect(appWith([], scriptedModel(), { hooks: [{ maskText: 5 } as never] })).rejects.toThrow(
    "maskText that is no function",
  );
});

async function watched(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
