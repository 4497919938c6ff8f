import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createApp,
  defineTool,
  memoryStore,
  Tool,
  type RunEvent,
  type RunResult,
  type Store,
  type ToolContext,
} from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { Text } from "../../src/doors/dto/index.js";
import { someUsage, writtenModel } from "./models.js";
import { agentOf, assertValid, callsIn, promptsIn, resultsIn } from "./wire.js";

class Named {
  @Text() q!: string;
}

@Tool({ name: "look", description: "Looks.", input: Named })
class Look {
  async run({ q }: Named, ctx: ToolContext<{ readonly who: string } | undefined>): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, Number(/\d+/.exec(q)?.[0] ?? 0) % 3));
    ctx.reportCost(0.01);
    return `saw ${q} for ${ctx.executionContext?.who}`;
  }
}

const text = (said: string) => ({
  content: [{ type: "text", text: said }],
  finishReason: { unified: "stop" },
  usage: someUsage,
});
const call = (q: string, tokens: number) => ({
  content: [{ type: "tool-call", toolCallId: "same", toolName: "look", input: JSON.stringify({ q }) }],
  finishReason: { unified: "tool-calls" },
  usage: { inputTokens: { total: tokens }, outputTokens: { total: 1 }, raw: { cost: tokens / 1_000 } },
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-parallel-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stores: readonly [string, () => Store][] = [
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore(join(folder, "tenon.db"))],
];

describe.each(stores)("%s", (_kind, open) => {
  test("[B107] two runs of one thread at once: one whole, then the other; another thread is not held up", async () => {
    let release: (() => void) | undefined;
    const first = new Promise<void>((resolve) => (release = resolve));
    const model = writtenModel(async () => {
      const request = model.requests.at(-1)!;
      const prompt = promptsIn(request).at(-1)!;
      if (prompt === "one" && callsIn(request).length === 0) return call("x", 1);
      if (prompt === "one") await first;
      return text(`answer to ${prompt}`);
    });
    const store = open();
    await using app = await createApp(agentOf([Look]), { models: { default: model }, store, env: {} });
    const both = Promise.all([
      app.run({ prompt: "one" }, { threadId: "t" }),
      app.run({ prompt: "two" }, { threadId: "t" }),
    ]);
    // The first one hangs in its second request, with the second one behind it.
    await expect.poll(() => model.requests.length).toBe(2);
    expect(await app.run({ prompt: "other" }, { threadId: "elsewhere" })).toMatchObject({ status: "completed" });
    expect(model.requests.some((request) => promptsIn(request).includes("two"))).toBe(false);
    release!();
    expect((await both).map((result) => result.text)).toEqual(["answer to one", "answer to two"]);

    const last = model.requests.at(-1);
    assertValid(last);
    expect(last!.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(promptsIn(last)).toEqual(["one", "two"]);
    const runs = await store.runs({ threadId: "t" });
    expect(runs.map(({ n, prompt }) => `${n} ${prompt}`).sort()).toEqual(["1 one", "2 two"]);
  });

  test("[B107] many runs of a few threads at once, some stopped, some failed: each sees every turn before it", async () => {
    const model = writtenModel(async () => {
      const request = model.requests.at(-1)!;
      const prompt = promptsIn(request).at(-1)!;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      if (prompt.endsWith("3")) throw new Error("overloaded");
      return text(`answer to ${prompt}`);
    });
    await using app = await createApp(agentOf([Look], { history: { turns: 20 } }), {
      models: { default: model },
      store: open(),
      env: {},
    });
    const started = Array.from({ length: 24 }, (_, i) =>
      app.run(
        { prompt: `prompt ${i}` },
        { threadId: `t${i % 3}`, ...(i === 10 ? { signal: AbortSignal.timeout(0) } : {}) },
      ),
    );
    const results = await Promise.all(started);
    expect(results.map(({ status }) => status).filter((status) => status === "failed")).toHaveLength(3);
    for (const thread of [0, 1, 2]) {
      const asked = model.requests.filter(
        (request) => Number(/\d+/.exec(promptsIn(request).at(-1)!)![0]) % 3 === thread,
      );
      for (const [at, request] of asked.entries()) {
        assertValid(request);
        // What was asked before is all there, in its order; a run that was stopped before it began has left nothing.
        expect(promptsIn(request)).toEqual(asked.slice(0, at + 1).map((one) => promptsIn(one).at(-1)));
      }
    }
  });
});

describe("one agent, many runs at once", () => {
  /** A run that calls `look` as often as its number says, each time with tokens of its own. */
  function model() {
    return writtenModel(() => {
      const request = written.requests.at(-1)!;
      return answerTo(request);
    });
  }
  const answerTo = (request: Parameters<typeof promptsIn>[0] & object) => {
    const n = Number(promptsIn(request).at(-1));
    const done = callsIn(request).length;
    return done < n % 4
      ? call(`${n}-${done}`, 10 * n + done)
      : {
          ...text(
            `${n} saw ${resultsIn(request)
              .map((result) => result.text)
              .join(", ")}`,
          ),
          usage: { inputTokens: { total: n }, outputTokens: { total: 2 }, raw: { cost: n / 1_000 } },
        };
  };
  let written: ReturnType<typeof writtenModel>;

  const comparable = ({ runId: _runId, threadId: _threadId, ...rest }: RunResult) => rest;

  test.each(["run", "stream"] as const)("[B109] 20 results and usages are those of 20 runs alone (%s)", async (way) => {
    written = model();
    const answering = {
      ...written,
      doGenerate: async ({ prompt }: { readonly prompt: never }) => slowly(answerTo({ messages: prompt })),
      doStream: async ({ prompt }: { readonly prompt: never }) => slowly(streamed(answerTo({ messages: prompt }))),
    };
    await using app = await createApp(agentOf([Look]), { models: { default: answering }, env: {} });
    const one = async (n: number): Promise<unknown> => {
      const options = { executionContext: { who: `user ${n}` }, owner: `user ${n}` };
      if (way === "run") return comparable(await app.run({ prompt: String(n) }, options));
      const stream = app.stream({ prompt: String(n) }, options);
      const events: RunEvent[] = [];
      for await (const event of stream) events.push(event);
      const result = await stream.result;
      expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set([result.runId]));
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, i) => i + 1));
      return { ...comparable(result), types: events.map(({ type }) => type) };
    };
    const alone: unknown[] = [];
    for (let n = 1; n <= 20; n++) alone.push(await one(n));
    const together = await Promise.all(Array.from({ length: 20 }, (_, i) => one(i + 1)));
    expect(together).toEqual(alone);
    expect(together[6]).toMatchObject({
      status: "completed",
      text: "7 saw saw 7-0 for user 7, saw 7-1 for user 7, saw 7-2 for user 7",
      usage: { inputTokens: 70 + 71 + 72 + 7, modelCalls: 4, toolCalls: 3, toolCostUsd: 0.03 },
    });
  });

  async function slowly<T>(answer: T): Promise<T> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    return answer;
  }

  function streamed({ content, finishReason, usage }: ReturnType<typeof answerTo>): {
    readonly stream: ReadableStream<object>;
  } {
    const parts = content.flatMap((part): object[] =>
      "text" in part
        ? [
            { type: "text-start", id: "0" },
            { type: "text-delta", id: "0", delta: part.text },
            { type: "text-end", id: "0" },
          ]
        : [part],
    );
    return {
      stream: new ReadableStream({
        start(controller) {
          for (const part of [...parts, { type: "finish", finishReason, usage }]) controller.enqueue(part);
          controller.close();
        },
      }),
    };
  }

  test("[B109] an object that a handler, a hook or a caller changes is nobody else's", async () => {
    const inputs: unknown[] = [];
    class Bag {
      @Text({ default: "fresh" }) q!: string;
    }
    const change = defineTool({
      name: "look",
      description: "Looks.",
      input: Bag,
      run(input) {
        inputs.push(structuredClone(input));
        Object.assign(input, { q: "changed" });
        return input;
      },
    });
    written = writtenModel((request) =>
      request % 2 === 1
        ? { ...text(""), content: [{ type: "tool-call", toolCallId: "a", toolName: "look", input: "" }] }
        : text("done"),
    );
    await using app = await createApp(agentOf([change]), { models: { default: written }, env: {} });
    for (let i = 0; i < 2; i++) {
      const { usage } = await app.run({ prompt: "go" }, { runId: `run-0000${i}` });
      try {
        (usage as { inputTokens: number }).inputTokens = 1e9;
        (usage.calls as unknown[]).push("x");
      } catch {
        // Frozen is as good.
      }
    }
    expect(inputs).toEqual([{ q: "fresh" }, { q: "fresh" }]);
    expect((await app.run({ prompt: "go" })).usage).toMatchObject({ inputTokens: 2, modelCalls: 2 });
    expect((await app.run({ prompt: "go" }, { runId: "run-00001" })).usage).toMatchObject({
      inputTokens: 2,
      calls: [{ inputTokens: 1 }, { inputTokens: 1 }],
    });
  });
});
