import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApp, defineAgent, defineTool, type App, type RunResult } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { partsStream, someUsage, writtenModel, type WrittenModel } from "./models.js";

const look = defineTool({ name: "look", description: "Looks.", run: () => "seen" });
const save = defineTool({ name: "save", description: "Saves.", access: "write", approval: true, run: () => "saved" });
const agent = defineAgent({ name: "one", description: "d", tools: [look, save] });

const signature = "s+/=Zm9v\u2028é\ud83d\ude00";
const data = "cmVkYWN0ZWQ+/==";
const odd = { z: 1, a: [null, true, { "": -1.5e-7 }], nested: { b: "2", a: "1" }, ключ: "\u0000\t" };

const content = (tool: string) => [
  { type: "reasoning", text: "First I think…\n\n ", providerMetadata: { written: { signature } } },
  { type: "reasoning", text: "", providerMetadata: { written: { redactedData: data } } },
  { type: "text", text: "I will look.", providerMetadata: { written: odd } },
  {
    type: "tool-call",
    toolCallId: "toolu_1",
    toolName: tool,
    input: "{}",
    providerMetadata: { written: { thoughtSignature: signature }, second: { kept: [1, "2"] } },
  },
  { type: "custom", kind: "written.compaction", providerMetadata: { written: { blob: data } } },
];

/** What the next request must hold for that answer, in place. */
const goesBack = (tool: string) => [
  { type: "reasoning", text: "First I think…\n\n ", providerOptions: { written: { signature } } },
  { type: "reasoning", text: "", providerOptions: { written: { redactedData: data } } },
  { type: "text", text: "I will look.", providerOptions: { written: odd } },
  {
    type: "tool-call",
    toolCallId: "toolu_1",
    toolName: tool,
    input: {},
    providerOptions: { written: { thoughtSignature: signature }, second: { kept: [1, "2"] } },
  },
  { type: "custom", kind: "written.compaction", providerOptions: { written: { blob: data } } },
];

const calls = { finishReason: { unified: "tool-calls", raw: "tool_use" }, usage: someUsage };
const stops = { finishReason: { unified: "stop", raw: "end_turn" }, usage: someUsage };
const done = [{ type: "text", text: "done" }];

/** The same answer in pieces: a signature comes after the text that it signs, in a piece without text. */
function inPieces(tool: string): readonly object[] {
  const written = (metadata: object) => ({ providerMetadata: { written: metadata } });
  return [
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "First I " },
    { type: "reasoning-delta", id: "0", delta: "think…\n\n " },
    { type: "reasoning-delta", id: "0", delta: "", ...written({ signature }) },
    { type: "reasoning-end", id: "0" },
    { type: "reasoning-start", id: "1", ...written({ redactedData: data }) },
    { type: "reasoning-end", id: "1" },
    { type: "text-start", id: "2", ...written(odd) },
    { type: "text-delta", id: "2", delta: "I will " },
    { type: "text-delta", id: "2", delta: "look." },
    { type: "text-end", id: "2" },
    { type: "tool-input-start", id: "toolu_1", toolName: tool },
    { type: "tool-input-delta", id: "toolu_1", delta: "{}" },
    { type: "tool-input-end", id: "toolu_1" },
    ...content(tool).slice(3),
    { type: "finish", ...calls },
  ];
}

function thinkingModel(tool: string): WrittenModel {
  return writtenModel(
    (request) => (request === 1 ? { content: content(tool), ...calls } : { content: done, ...stops }),
    (request) =>
      partsStream(
        request === 1
          ? inPieces(tool)
          : [
              { type: "text-start", id: "0" },
              { type: "text-delta", id: "0", delta: "done" },
              { type: "text-end", id: "0" },
              { type: "finish", ...stops },
            ],
      ),
  );
}

/** The answer with the reasoning, as a request has it: as text, so that every byte counts. */
function thoughtIn(model: WrittenModel, request: number): string {
  const message = model.requests[request]!.messages.find(({ role }) => role === "assistant");
  return JSON.stringify(message!.content);
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-reasoning-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (model: WrittenModel): Promise<App> =>
  createApp(agent, { models: { default: model }, store: sqliteStore(join(folder, "tenon.db")) });

describe.each(["whole", "in pieces"])("an answer that comes %s", (way) => {
  const options = way === "whole" ? {} : { onEvent: () => {} };
  const run = (app: App, prompt: string): Promise<RunResult> => app.run({ prompt }, { threadId: "t", ...options });

  test("[B46] reasoning, signatures and opaque parts go back in place, byte for byte", async () => {
    const model = thinkingModel("look");
    await using app = await open(model);
    expect((await run(app, "look")).text).toBe("done");
    expect(thoughtIn(model, 1)).toBe(JSON.stringify(goesBack("look")));
  });

  test("[B46] also in a later run, after closing and opening the store", async () => {
    const model = thinkingModel("look");
    {
      await using app = await open(model);
      await run(app, "look");
    }
    await using app = await open(model);
    await run(app, "and again");
    expect(model.requests).toHaveLength(3);
    expect(thoughtIn(model, 2)).toBe(JSON.stringify(goesBack("look")));
  });

  test("[B46] also after an approval in another process's place", async () => {
    const model = thinkingModel("save");
    let paused: RunResult;
    {
      await using app = await open(model);
      paused = await run(app, "save");
      expect(paused.status).toBe("paused");
    }
    await using app = await open(model);
    const [pause] = paused.pauses;
    const result = await app.resume(paused.runId, { [pause!.id]: { approved: true, by: "me" } }, options);
    expect(result.text).toBe("done");
    expect(thoughtIn(model, 1)).toBe(JSON.stringify(goesBack("save")));
  });
});
