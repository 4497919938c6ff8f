import { beforeEach, describe, expect, test } from "vitest";
import { serveMcp } from "../../../src/doors/mcp/index.js";
import type { JsonObject } from "../../../src/doors/tenon/index.js";
import { seen, servesClerks } from "./clerk-app.js";
import { httpClient, metaOf, textOf, type Asked } from "./mcp-client.js";

const at = seen();
const clerks = servesClerks(at);
let saves: number;
beforeEach(() => {
  saves = at.effects.length;
});

const runOf = (answer: object): string => metaOf(answer)["tenon/runId"]!;

async function call(
  era: "modern" | "legacy",
  asked: Asked | undefined,
  name: string,
  args: JsonObject = {},
  url = clerks.serving.url!,
) {
  const client = await httpClient(url, { era, asked });
  try {
    return await client.callTool({ name, arguments: args });
  } finally {
    await client.close();
  }
}

describe.each(["modern", "legacy"] as const)("a client of the %s revisions that can be asked", (era) => {
  test("approves: the call runs, once", async () => {
    const questions: unknown[] = [];
    const answer = await call(
      era,
      (params) => {
        questions.push(params);
        return { action: "accept", content: { approve: true } };
      },
      "save_note",
      { text: "milk", pin: "1234" },
    );
    expect(answer.structuredContent).toEqual({ saved: "milk", length: 4 });
    expect(at.effects.slice(saves)).toEqual([`save milk call_${runOf(answer)}_1_1`]);
    expect(questions).toMatchObject([
      {
        message: 'Save "milk"?\n\nsave_note {"text":"milk","pin":"***"}',
        requestedSchema: { type: "object", required: ["approve"] },
      },
    ]);
    expect((await clerks.app.inspect(runOf(answer))).audit).toMatchObject([
      { decision: { approved: true, by: "mcp" } },
    ]);
  });

  test.each([
    ["says no, with a reason", { action: "accept", content: { approve: false, reason: "not today" } }, "not today"],
    ["declines", { action: "decline" }, "declined"],
  ])("%s: a denial, and nothing runs", async (_how, said, reason) => {
    const answer = await call(era, () => said, "save_note", { text: "milk" });
    expect(answer).toMatchObject({ isError: true, _meta: { "tenon/code": "denied" } });
    expect(textOf(answer)).toContain(reason);
    expect(at.effects.slice(saves)).toEqual([]);
    expect(await clerks.app.pauses({ runId: runOf(answer) })).toEqual([]);
  });

  test.each([
    ["goes away without an answer", { action: "cancel" }],
    ["accepts, and says nothing", { action: "accept" }],
    ["accepts with an empty form", { action: "accept", content: {} }],
    ["accepts with a text for yes", { action: "accept", content: { approve: "true" } }],
    ["accepts with a number for yes", { action: "accept", content: { approve: 1 } }],
    ["cancels with a yes", { action: "cancel", content: { approve: true } }],
  ])("%s: it keeps waiting, and can be decided elsewhere", async (_how, said) => {
    const answer = await call(era, () => said, "save_note", { text: "milk" });
    expect(answer).toMatchObject({ isError: true, _meta: { "tenon/code": "approval_required" } });
    const [pause] = await clerks.app.pauses({ runId: runOf(answer) });
    expect(textOf(answer)).toContain(`tenon approve ${pause!.id}`);
    expect(at.effects.slice(saves)).toEqual([]);
    await clerks.app.cancel(runOf(answer));
  });

  test("answers the question of a tool, in a form that has its schema; one that does not fit is asked again", async () => {
    const answers = ["green", "blue"];
    const forms: unknown[] = [];
    const answer = await call(
      era,
      ({ requestedSchema }) => {
        forms.push(requestedSchema);
        return { action: "accept", content: { answer: answers.shift() } };
      },
      "ask_color",
    );
    expect(textOf(answer)).toBe('it is "blue"');
    expect(forms[0]).toEqual({
      type: "object",
      properties: { answer: { type: "string", enum: ["red", "blue"] } },
      required: ["answer"],
    });
    expect(forms).toHaveLength(2);
  });

  test.each(["ask_pin", "ask_nested"])("is not asked for what is sensitive, or more than a form: %s", async (name) => {
    const asked: unknown[] = [];
    const answer = await call(era, (params) => (asked.push(params), { action: "accept", content: {} }), name);
    expect(textOf(answer)).toMatch(
      /waits for an answer: .* It is answered with `tenon approve pause_\S+ --answer <json>`/,
    );
    expect(asked).toEqual([]);
  });

  test("where somebody else decides meanwhile, the first one counts", async () => {
    const answer = await call(
      era,
      async () => {
        const pause = (await clerks.app.pauses()).findLast(({ tool }) => tool === "save_note");
        await clerks.app.decide(pause!.runId, { [pause!.id]: { approved: false, reason: "no", by: "ann" } });
        return { action: "accept", content: { approve: true } };
      },
      "save_note",
      { text: "milk" },
    );
    expect(answer).toMatchObject({ isError: true, _meta: { "tenon/code": "denied" } });
    expect(at.effects.slice(saves)).toEqual([]);
  });
});

test("a client that cannot be asked reads how to approve, and gets the result later, once", async () => {
  const client = await httpClient(clerks.serving.url!);
  const answer = await client.callTool({ name: "save_note", arguments: { text: "milk" } });
  const runId = runOf(answer);
  const [pause] = await clerks.app.pauses({ runId });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toBe(
    [
      `save_note waits for approval and has not run: Save "milk"? It is approved with \`tenon approve ${pause!.id}\`, and refused with \`tenon deny ${pause!.id} --reason <text>\`.`,
      `Do not call it again: when that is decided, tenon_result with {"runId":"${runId}"} gives the result.`,
    ].join("\n"),
  );
  const later = () => client.callTool({ name: "tenon_result", arguments: { runId } });
  expect(textOf(await later())).toBe(textOf(answer));
  await clerks.app.decide(runId, { [pause!.id]: { approved: true, by: "ann" } });
  expect(textOf(await later())).toBe('{"saved":"milk","length":4}');
  expect(textOf(await later())).toBe('{"saved":"milk","length":4}');
  expect(at.effects.slice(saves)).toHaveLength(1);
  const unknown = await client.callTool({ name: "tenon_result", arguments: { runId: "nothing-is-here" } });
  expect(unknown).toMatchObject({ isError: true, _meta: { "tenon/code": "run_not_found" } });
  expect(await client.callTool({ name: "tenon_result" })).toMatchObject({ isError: true });
  await client.close();
});

test("an answer with the state of another call changes nothing", async () => {
  const client = await httpClient(clerks.serving.url!, {
    asked: () => ({ action: "accept", content: { approve: true } }),
  });
  const waiting = await call("modern", undefined, "save_note", { text: "milk" });
  const [pause] = await clerks.app.pauses({ runId: runOf(waiting) });
  const answer = await client.request({
    method: "tools/call",
    params: {
      name: "ask_color",
      arguments: {},
      requestState: runOf(waiting),
      inputResponses: { [pause!.id]: { action: "accept", content: { approve: true } } },
    },
  } as never);
  expect(answer).toMatchObject({ isError: true, _meta: { "tenon/code": "run_not_found" } });
  expect(await clerks.app.pauses({ runId: runOf(waiting) })).toHaveLength(1);
  expect(at.effects.slice(saves)).toEqual([]);
  await client.close();
});

test("what is not offered does not go on", async () => {
  const waiting = await call("modern", undefined, "save_note", { text: "milk" });
  const [pause] = await clerks.app.pauses({ runId: runOf(waiting) });
  await clerks.app.decide(runOf(waiting), { [pause!.id]: { approved: true, by: "ann" } });
  await using other = await serveMcp(clerks.app, { tools: ["draw"] });
  const client = await httpClient(other.url!);
  const answer = await client.callTool({ name: "tenon_result", arguments: { runId: runOf(waiting) } });
  expect(answer).toMatchObject({ isError: true, _meta: { "tenon/code": "run_not_found" } });
  expect(at.effects.slice(saves)).toEqual([]);
  await client.close();
});

test("with `elicit: false` no client is asked", async () => {
  await using strict = await serveMcp(clerks.app, { elicit: false });
  const asked: unknown[] = [];
  const yes: Asked = (params) => {
    asked.push(params);
    return { action: "accept", content: { approve: true } };
  };
  for (const era of ["modern", "legacy"] as const) {
    const answer = await call(era, yes, "save_note", { text: "milk" }, strict.url);
    expect(answer).toMatchObject({ _meta: { "tenon/code": "approval_required" } });
  }
  expect(asked).toEqual([]);
  expect(at.effects.slice(saves)).toEqual([]);
});
