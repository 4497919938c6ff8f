import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createApp, defineTool, memoryStore, type RunEvent, type ToolContext } from "../../src/doors/tenon/index.js";
import { Text } from "../../src/doors/dto/index.js";
import { callAll, rawCall, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { thenable } from "./models.js";
import { agentOf, appOf, assertValid, play, resultsIn, ways } from "./wire.js";

const done = replyWith("done");
const call = (name: string, id = name) => rawCall({ id, name, arguments: "{}" });

/** A tool that gets 50 ms. */
function slow(run: (ctx: ToolContext) => unknown, access: "read" | "write" = "read") {
  return defineTool({
    name: "slow",
    description: "Is slow.",
    access,
    timeoutMs: 50,
    inDoubt: "rerun",
    run: (_input, ctx) => run(ctx),
  });
}

const never = (): Promise<never> => new Promise(() => {});

describe.each(ways)("%s", (way) => {
  test.each(["read", "write"] as const)(
    "[B61] a %s that never settles: an error result, the signal is aborted, the run goes on",
    async (access) => {
      let signal: AbortSignal | undefined;
      const tool = slow((ctx) => {
        signal = ctx.signal;
        return never();
      }, access);
      const { result, requests, stored } = await play([tool], [call("slow"), done], way);
      expect(result).toMatchObject({ status: "completed", text: "done" });
      expect(signal?.aborted).toBe(true);
      expect((signal!.reason as Error).name).toBe("TimeoutError");
      expect(stored).toMatchObject([
        { result: { kind: "error", code: access === "read" ? "timeout" : "unknown_outcome" } },
      ]);
      const [only] = resultsIn(requests[1]);
      expect(only).toMatchObject({ isError: true, text: expect.stringContaining("50 ms") });
      if (access === "write") expect(only!.text).toContain("may have completed");
    },
  );

  const handlers: readonly [string, (ctx: ToolContext) => unknown][] = [
    ["a promise that nobody settles", never],
    ["a thenable that never calls back", () => thenable(() => {})],
    ["a handler that never looks at its signal", () => new Promise((resolve) => setTimeout(resolve, 100_000).unref())],
    [
      "one that rejects when it is aborted",
      ({ signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    ],
    [
      "one that resolves when it is aborted",
      ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("in time"))),
    ],
    [
      "one that waits on a promise that it rejects later",
      async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await Promise.resolve();
        throw new Error("after the end");
      },
    ],
  ];

  test.each(handlers)("[B61] %s", async (_kind, run) => {
    const { result, stored, requests } = await play([slow(run)], [call("slow"), call("slow", "again"), done], way);
    expect(result).toMatchObject({ status: "completed", text: "done" });
    expect(stored).toMatchObject([{ result: { code: "timeout" } }, { result: { code: "timeout" } }]);
    expect(resultsIn(requests[2]).every(({ isError }) => isError)).toBe(true);
  });

  test("[B61] siblings of a hung call have their results, and nine hung calls make room for one another", async () => {
    const quick = defineTool({ name: "quick", description: "Is quick.", run: () => "quick" });
    const turn = callAll(...Array.from({ length: 9 }, (_, i) => call("slow", `s${i}`)), call("quick"));
    const { result, requests } = await play([slow(never), quick], [turn, done], way);
    expect(result.status).toBe("completed");
    expect(resultsIn(requests[1]).map(({ isError }) => isError)).toEqual([
      ...Array.from({ length: 9 }, () => true),
      false,
    ]);
  });

  test("[B65] results go back in the order of the calls, whatever ends first", async () => {
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const ended: string[] = [];
    const tool = (name: string, run: () => unknown) =>
      defineTool({
        name,
        description: `Does ${name}.`,
        async run() {
          try {
            return await run();
          } finally {
            ended.push(name);
          }
        },
      });
    const tools = [
      tool("a", async () => {
        await wait(80);
        return "result a";
      }),
      tool("b", async () => {
        await wait(10);
        return "result b";
      }),
      tool("c", () => {
        throw new Error("c fails");
      }),
    ];
    const sent: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { requests } = await play(tools, [callAll(call("a"), call("b"), call("c"), call("d")), done], way);
      expect(resultsIn(requests[1])).toMatchObject([
        { id: "a", text: "result a", isError: false },
        { id: "b", text: "result b", isError: false },
        { id: "c", text: "Tool error: c fails", isError: true },
        { id: "d", isError: true },
      ]);
      sent.push(JSON.stringify(requests));
    }
    expect(ended).toEqual(["c", "b", "a", "c", "b", "a"]);
    expect(sent[0]).toBe(sent[1]);
  });

  class Many {
    @Text() n!: string;
  }

  test("[B65] the same with more calls than run at once, in reverse order of their ends", async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const tool = defineTool({
      name: "many",
      description: "Many.",
      input: Many,
      async run({ n }) {
        most = Math.max(most, ++open);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (open === 8 || Number(n) >= 16)
            setTimeout(() =>
              waiting
                .splice(0)
                .reverse()
                .forEach((go) => go()),
            );
        });
        open--;
        return n;
      },
    });
    const turn = callAll(
      ...Array.from({ length: 20 }, (_, i) => rawCall({ id: `c${i}`, name: "many", arguments: `{"n":"${i}"}` })),
    );
    const { requests, stored } = await play([tool], [turn, done], way);
    expect(most).toBe(8);
    expect(stored).toHaveLength(20);
    expect(resultsIn(requests[1]).map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  });

  const failures: readonly [string, () => unknown][] = [
    [
      "throws at once",
      () => {
        throw new Error("lookup failed");
      },
    ],
    ["rejects", () => Promise.reject(new Error("lookup failed"))],
    [
      "throws later",
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error("lookup failed");
      },
    ],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["never settles", never],
    [
      "overflows the stack",
      () => {
        const deeper = (): number => deeper() + 1;
        return deeper();
      },
    ],
  ];

  test.each(failures)(
    "[B67] one call that %s: what its siblings did is stored and sent, and not done again",
    async (_kind, run) => {
      const ledger: string[] = [];
      const charge = defineTool({
        name: "charge",
        description: "Charges.",
        access: "write",
        async run(_input, ctx) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          ledger.push(ctx.callId);
          ctx.reportCost(0.01);
          return "charged";
        },
      });
      const lookup = defineTool({ name: "lookup", description: "Looks up.", timeoutMs: 50, run });
      const { result, requests, stored } = await play(
        [charge, lookup],
        [callAll(call("charge"), call("lookup"), call("charge", "second")), done],
        way,
      );
      expect(result).toMatchObject({ status: "completed", text: "done", usage: { toolCalls: 3, toolCostUsd: 0.02 } });
      expect([...ledger].sort()).toEqual([`call_${result.runId}_1_1`, `call_${result.runId}_1_3`]);
      expect(resultsIn(requests[1])).toMatchObject([
        { id: "charge", text: "charged", isError: false },
        { id: "lookup", isError: true },
        { id: "second", text: "charged", isError: false },
      ]);
      expect(
        stored
          .filter(({ result: { kind } }) => kind === "ok")
          .map(({ callId }) => callId)
          .sort(),
      ).toEqual([...ledger].sort());
      expect(stored).toHaveLength(3);
    },
  );
});

test.each(["resolves", "rejects"] as const)(
  "[B61] a handler that %s after its call has ended is an event, and changes nothing",
  async (late) => {
    const settle: (() => void)[] = [];
    const tool = slow(
      () =>
        new Promise((resolve, reject) => {
          settle.push(() => (late === "resolves" ? resolve("too late") : reject(new Error("too late"))));
        }),
      "write",
    );
    const model = scriptedModel(call("slow"), call("slow", "again"), done);
    const store = memoryStore();
    await using app = await appOf([tool], model, { store });
    const events: RunEvent[] = [];
    const running = app.run({ prompt: "go" }, { onEvent: (event) => void events.push(event), runId: "run-00001" });
    await expect.poll(() => settle.length, { interval: 1 }).toBe(2);
    settle[0]!();
    expect(await running).toMatchObject({ status: "completed", text: "done" });
    const lateEnd = {
      callId: "call_run-00001_1_1",
      late: true,
      result: late === "resolves" ? { kind: "ok", value: "too late" } : { kind: "error", message: "too late" },
    };
    const ends = events.filter(({ type }) => type === "tool-end");
    expect(ends.filter((end) => "late" in end && end.late)).toMatchObject([lateEnd]);
    expect(ends.filter((end) => !("late" in end))).toMatchObject([
      { callId: "call_run-00001_1_1", result: { code: "unknown_outcome" } },
      { callId: "call_run-00001_2_1", result: { code: "unknown_outcome" } },
    ]);
    // One that settles after its whole run has ended.
    settle[1]!();
    await new Promise((resolve) => setTimeout(resolve));
    for (const request of model.requests) assertValid(request);
    expect(JSON.stringify(model.requests)).not.toContain("too late");
    expect(JSON.stringify(store.records("run-00001"))).not.toContain("too late");
    expect(await app.run({ prompt: "go" }, { runId: "run-00001" })).toEqual(await running);
  },
);

test("[B61] there is a timeout where nobody set one, and the workflow's own holds for all its tools", async () => {
  await using app = await createApp(agentOf([defineTool({ name: "plain", description: "Plain.", run: never })]), {
    models: { default: scriptedModel() },
    env: {},
  });
  expect(app.describe().agents[0]!.tools[0]).toMatchObject({ name: "plain", timeoutMs: 60_000 });
});

test("[B61] a process with hung calls, late ones and long timeouts ends by itself", () => {
  const child = fileURLToPath(new URL("./hung-child.mjs", import.meta.url));
  const { status, stdout, stderr, signal } = spawnSync(process.execPath, [child], {
    encoding: "utf8",
    timeout: 15_000,
  });
  expect({ signal, stderr }).toEqual({ signal: null, stderr: "" });
  expect(stdout.trim().split("\n")).toEqual([
    "hung completed aborted",
    "ignored completed",
    "quick completed",
    "all runs ended",
  ]);
  expect(status).toBe(0);
});
