import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, defineTool, type App, type Decision, type ToolContext } from "../../src/doors/tenon/index.js";
import { sqliteStore } from "../../src/doors/sqlite/index.js";
import { Text } from "../../src/doors/dto/index.js";
import { callAll, rawCall, replyWith, scriptedModel, type ModelStep } from "../../src/doors/testing/index.js";
import { mortal, type Mortal } from "../recovery/mortal-store.js";
import { someUsage, writtenModel } from "./models.js";
import { agentOf, assertValid, callsIn, promptsIn, resultsIn, type Sent } from "./wire.js";

/**
 * What must hold for ids, histories and threads, where the process dies between any two steps and another one goes on from the
 * file: the requests are those that a process makes which lives.
 */

class Named {
  @Text() q!: string;
}

const LEASE_MS = 300;
const look = defineTool({ name: "look", description: "Looks.", input: Named, run: ({ q }) => `saw ${q}` });
const lookAt = (q: string, id: string | null = "x") => rawCall({ id, name: "look", arguments: JSON.stringify({ q }) });
const done = replyWith("done");

let folder: string;
let apps: App[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-restart-"));
  apps = [];
});
afterEach(async () => {
  for (const app of apps) await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function process(tools: readonly [ReturnType<typeof defineTool>, ...any[]], model: any, dies?: number) {
  const mortalStore = mortal(sqliteStore(join(folder, "tenon.db")));
  if (dies !== undefined) mortalStore.dieAt("append", dies, "after");
  const app = await createApp(agentOf(tools as never), {
    store: mortalStore.store,
    models: { default: model },
    env: {},
    leaseMs: LEASE_MS,
  });
  if (dies === undefined) apps.push(app);
  return { app, process: mortalStore };
}

async function untilDead({ dead }: { readonly dead: () => boolean }): Promise<void> {
  await expect.poll(dead, { interval: 2 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, LEASE_MS + 30));
}

const over = (one: Mortal) => untilDead({ dead: () => one.dead });

/** The requests of a run that a process makes which lives. */
async function undisturbed(prompts: readonly string[], steps: readonly ModelStep[]): Promise<readonly Sent[]> {
  const model = scriptedModel(...steps);
  const app = await createApp(agentOf([look]), { models: { default: model }, env: {} });
  for (const [i, prompt] of prompts.entries()) await app.run({ prompt }, { threadId: "t", runId: `run-0000${i}` });
  await app.close();
  return model.requests;
}

const bodyOf = ({ messages }: Sent): unknown => messages;

describe("ids and histories, with a process that dies after each of its records", () => {
  const steps = [callAll(lookAt("a"), lookAt("b")), callAll(lookAt("c"), lookAt("d", ""), lookAt("e", null)), done];

  test.each([1, 2, 3, 4])(
    "[B22] [B24] [B30] repeated and missing ids come back as they were (record %i)",
    async (dies) => {
      const whole = await undisturbed(["go"], steps);
      const before = scriptedModel(...steps);
      const first = await process([look], before, dies);
      void first.app.run({ prompt: "go" }, { threadId: "t", runId: "run-00000" }).catch(() => {});
      await over(first.process);
      // A model call whose record was written is not made again.
      const after = scriptedModel(...steps.slice(before.requests.length));
      const { app } = await process([look], after);
      expect((await app.recover()).continued).toMatchObject([{ status: "completed" }]);
      for (const request of after.requests) {
        assertValid(request);
        expect(whole.map(bodyOf)).toContainEqual(bodyOf(request));
      }
      const calls = (await app.inspect("run-00000")).turns.flatMap((turn) => turn.calls.map(({ callId }) => callId));
      expect(calls).toEqual(
        [1, 2].map((n) => `call_run-00000_1_${n}`).concat([1, 2, 3].map((n) => `call_run-00000_2_${n}`)),
      );
    },
  );

  test("[B25] a process that dies while a tool runs leaves a call without result; the next run has one for it", async () => {
    let started = false;
    const hang = defineTool({
      name: "hang",
      description: "Hangs.",
      access: "write",
      run: () => {
        started = true;
        return new Promise<never>(() => {});
      },
    });
    const first = await process([hang], scriptedModel(rawCall({ id: "h", name: "hang", arguments: "{}" })));
    apps.pop();
    void first.app.run({ prompt: "one" }, { threadId: "t", runId: "run-00000" }).catch(() => {});
    await expect.poll(() => started).toBe(true);
    first.process.die();
    await over(first.process);
    const model = scriptedModel(done);
    const { app } = await process([hang], model);
    expect((await app.cancel("run-00000")).status).toBe("cancelled");
    expect(await app.run({ prompt: "two" }, { threadId: "t" })).toMatchObject({ text: "done" });
    assertValid(model.requests[0]);
    expect(promptsIn(model.requests[0])).toEqual(["one", "two"]);
    expect(resultsIn(model.requests[0])).toMatchObject([{ id: "h", isError: true }]);
    expect(await app.pauses()).toMatchObject([{ kind: "in-doubt", interruption: "crash" }]);
  });

  test("[B27] the window of a thread that other processes wrote is whole runs", async () => {
    for (let run = 0; run < 7; run++) {
      const { app } = await process([look], scriptedModel(callAll(lookAt(`a${run}`), lookAt(`b${run}`)), done));
      await app.run({ prompt: `run ${run}` }, { threadId: "t" });
    }
    const model = scriptedModel(done);
    const { app } = await process([look], model);
    await app.run({ prompt: "now" }, { threadId: "t" });
    assertValid(model.requests[0]);
    expect(promptsIn(model.requests[0])).toEqual(["run 2", "run 3", "run 4", "run 5", "run 6", "now"]);
    expect(callsIn(model.requests[0])).toHaveLength(10);
  });

  test("[B32] a run that waited, and whose next process died too, is stored once", async () => {
    let ran = 0;
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      access: "write",
      approval: true,
      inDoubt: "rerun",
      run: () => `paid ${++ran}`,
    });
    const call = rawCall({ id: "p", name: "pay", arguments: "{}" });
    const first = await process([pay], scriptedModel(call));
    const paused = await first.app.run({ prompt: "go" }, { threadId: "t", runId: "run-00000" });
    const second = await process([pay], scriptedModel(), 2);
    const yes: Decision = { approved: true, by: "ann" };
    void second.app.resume(paused.runId, { [paused.pauses[0]!.id]: yes }).catch(() => {});
    await over(second.process);
    const model = scriptedModel(done, done);
    const { app } = await process([pay], model);
    expect((await app.recover()).continued).toMatchObject([{ status: "completed" }]);
    expect(ran).toBe(1);
    await app.run({ prompt: "more" }, { threadId: "t" });
    const { messages } = model.requests[1]!;
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
  });
});

describe("runs at once, and a process that dies among them", () => {
  test("[B107] two runs of one thread: the second sees the first whole, whoever ends it", async () => {
    const first = await process([look], scriptedModel(callAll(lookAt("a")), done), 2);
    void first.app.run({ prompt: "one" }, { threadId: "t", runId: "run-00000" }).catch(() => {});
    await expect.poll(() => first.process.dead).toBe(true);
    const model = scriptedModel(done, done);
    const { app } = await process([look], model);
    // It waits for the thread, and brings the run that was left in its way to its end.
    const second = await app.run({ prompt: "two" }, { threadId: "t" });
    expect(second).toMatchObject({ status: "completed" });
    const request = model.requests.at(-1);
    assertValid(request);
    expect(promptsIn(request)).toEqual(["one", "two"]);
    expect(resultsIn(request)).toMatchObject([{ text: "saw a" }]);
    expect((await app.inspect("run-00000")).status).toBe("completed");
  });

  test("[B109] 20 runs of one agent: each ends as it would alone, with its own usage and answer", async () => {
    const answerOf = (messages: Sent["messages"]): object => {
      const prompt = promptsIn({ messages }).at(-1)!;
      const tokens = Number(prompt.split(" ")[1]);
      const asked = messages.at(-1)!.role === "tool";
      return {
        content: asked
          ? [{ type: "text", text: `${prompt}: ${resultsIn({ messages })[0]!.text}` }]
          : [{ type: "tool-call", toolCallId: "same", toolName: "look", input: JSON.stringify({ q: prompt }) }],
        finishReason: { unified: asked ? "stop" : "tool-calls" },
        usage: { ...someUsage, inputTokens: { total: tokens } },
      };
    };
    const modelOf = () => {
      const model = writtenModel(async () => answerOf(model.requests.at(-1)!.messages));
      return model;
    };
    const slow = defineTool({
      name: "look",
      description: "Looks.",
      input: Named,
      run: async ({ q }: Named, _ctx: ToolContext) => {
        await new Promise((resolve) => setTimeout(resolve, Number(q.split(" ")[1]) % 5));
        return `saw ${q}`;
      },
    });
    const first = await process([slow], modelOf(), 23);
    for (let i = 1; i <= 20; i++)
      void first.app.run({ prompt: `run ${i}` }, { runId: `run-${String(i).padStart(5, "0")}` }).catch(() => {});
    await over(first.process);
    const { app } = await process([slow], modelOf());
    await app.recover();
    for (let i = 1; i <= 20; i++) {
      const { text, usage, status } = await app.inspect(`run-${String(i).padStart(5, "0")}`);
      expect({ status, text, tokens: usage.inputTokens, calls: usage.toolCalls }).toEqual({
        status: "completed",
        text: `run ${i}: saw run ${i}`,
        tokens: 2 * i,
        calls: 1,
      } satisfies Record<string, unknown>);
    }
  });
});
