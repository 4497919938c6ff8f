import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import {
  createApp,
  defineTool,
  memoryStore,
  type App,
  type CallHook,
  type Decision,
  type Reconciled,
  type RunResult,
  type ToolContext,
} from "../../src/doors/tenon/index.js";
import { failWith, rawCall, replyWith, scriptedModel, type ModelStep } from "../../src/doors/testing/index.js";
import { agentOf } from "../known-failures/wire.js";
import { mortal, type Mortal } from "./mortal-store.js";

/** The arrows that the page shows, a diagram each. */
function arrowsOf(diagram: number): readonly string[] {
  const page = readFileSync(new URL("../../../../docs/reference/states.md", import.meta.url), "utf8");
  const text = page.split("stateDiagram-v2")[diagram]!.split("```")[0]!;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.includes("-->"));
}

const LEASE_MS = 300;
const apps: App[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close({ graceMs: 0 });
});

interface World {
  readonly inner: ReturnType<typeof memoryStore>;
  readonly started: string[];
  /** What a call does: set before it is made. */
  handler: (ctx: ToolContext, attempt: number) => unknown;
  reconciled: Reconciled;
}

interface Kind {
  readonly access?: "read" | "write";
  readonly approval?: boolean;
  readonly inDoubt?: "rerun" | "ask";
  readonly hooks?: readonly CallHook[];
}

/** A world of one store, and apps on it that come and go like processes. */
function world(kind: Kind = {}) {
  const state: World = {
    inner: memoryStore(),
    started: [],
    handler: () => "done it",
    reconciled: { outcome: "unknown" },
  };
  const tool = defineTool({
    name: "act",
    description: "Acts.",
    access: kind.access ?? "write",
    ...(kind.approval === undefined ? {} : { approval: kind.approval }),
    ...(kind.inDoubt === undefined ? {} : { inDoubt: kind.inDoubt }),
    ...(kind.hooks === undefined ? {} : { hooks: kind.hooks }),
    timeoutMs: 40,
    run: (_input, ctx): unknown => {
      state.started.push(ctx.callId);
      return state.handler(ctx, state.started.length);
    },
    reconcile: () => state.reconciled,
  });
  const call = rawCall({ id: "a", name: "act", arguments: "{}" });
  const open = async (steps: readonly ModelStep[], process: Mortal = mortal(state.inner)) => {
    const model = scriptedModel(...steps);
    const app = await createApp(agentOf([tool]), {
      store: process.store,
      models: { default: model },
      env: {},
      leaseMs: LEASE_MS,
    });
    apps.push(app);
    return app;
  };
  return { state, open, call };
}

const RUN_ID = "run-state-1";
const done = replyWith("done");
const yes: Decision = { approved: true, by: "ann" };

/** Waits until the lease of a dead process is over. */
const leaseOver = () => new Promise((resolve) => setTimeout(resolve, LEASE_MS + 50));

/** A run that stands at a pause, from a process that is gone. */
async function pausedRun(kind: Kind, prepare?: (state: World) => void) {
  const made = world(kind);
  prepare?.(made.state);
  const first = await made.open([made.call]);
  const paused = await first.run({ prompt: "go" }, { runId: RUN_ID, threadId: "t" });
  expect(paused.status).toBe("paused");
  const decide = async (decision: Decision, steps: readonly ModelStep[] = [done]): Promise<RunResult> =>
    (await made.open(steps)).resume(RUN_ID, { [paused.pauses[0]!.id]: decision });
  return { ...made, paused, decide, pauseId: paused.pauses[0]!.id };
}

/** A run whose process died while the handler was running. */
async function crashedRun(kind: Kind, prepare?: (state: World) => void) {
  const made = world(kind);
  const process = mortal(made.state.inner);
  made.state.handler = (_ctx, attempt) => {
    if (attempt > 1) return "done it";
    process.die();
    return new Promise(() => {});
  };
  prepare?.(made.state);
  const app = await made.open([made.call], process);
  void app.run({ prompt: "go" }, { runId: RUN_ID, threadId: "t" }).catch(() => {});
  await expect.poll(() => process.dead).toBe(true);
  // Its store answers no more, so it could not be closed.
  apps.splice(apps.indexOf(app), 1);
  await leaseOver();
  return made;
}

async function resultOf(app: App): Promise<unknown> {
  return (await app.inspect(RUN_ID)).turns[0]!.calls[0]!.result;
}

const ok = { kind: "ok", value: "done it" };
const error = (code: string) => expect.objectContaining({ kind: "error", code });

const runWalks: Readonly<Record<string, () => Promise<void>>> = {
  async "[*] --> running: started"() {
    const { open, state, call } = world({ access: "read" });
    const app = await open([call, done]);
    let status: unknown;
    state.handler = async () => {
      status = (await app.inspect(RUN_ID)).status;
    };
    await app.run({ prompt: "go" }, { runId: RUN_ID });
    expect(status).toBe("running");
  },
  async "running --> paused: every open operation waits"() {
    const { state } = await pausedRun({ approval: true });
    expect((await state.inner.run(RUN_ID))?.status).toBe("paused");
  },
  async "paused --> woken: decided, expired or canceled"() {
    const { open, pauseId, state } = await pausedRun({ approval: true });
    const runnable = () => state.inner.runs({ runnableAt: Date.now() }).length;
    expect(runnable()).toBe(0);
    await (await open([])).decide(RUN_ID, { [pauseId]: yes });
    expect(runnable()).toBe(1);
    expect(state.inner.run(RUN_ID)?.status).toBe("paused");
  },
  async "woken --> running: picked up"() {
    const { open, pauseId } = await pausedRun({ approval: true });
    const app = await open([done]);
    await app.decide(RUN_ID, { [pauseId]: yes });
    expect((await app.recover()).continued).toMatchObject([{ runId: RUN_ID, status: "completed" }]);
  },
  async "running --> left: the process died, closed or lost its lease"() {
    const { state } = await crashedRun({ access: "read" });
    expect(state.inner.runs({ runnableAt: Date.now() })).toMatchObject([{ id: RUN_ID, status: "running" }]);
  },
  async "left --> running: picked up"() {
    const { open } = await crashedRun({ access: "read" });
    expect((await (await open([done])).recover()).continued).toMatchObject([{ status: "completed" }]);
  },
  async "running --> completed: answered"() {
    const { open } = world();
    expect((await (await open([done])).run({ prompt: "go" })).status).toBe("completed");
  },
  async "running --> failed: limit, budget, repeat, error"() {
    const { open } = world();
    expect((await (await open([failWith(new Error("no"))])).run({ prompt: "go" })).status).toBe("failed");
  },
  async "running --> cancelled: canceled"() {
    const { open, call, state } = world({ access: "read" });
    const app = await open([call]);
    state.handler = () => app.cancel(RUN_ID);
    expect((await app.run({ prompt: "go" }, { runId: RUN_ID })).status).toBe("cancelled");
  },
};

const asks = (ctx: ToolContext): Promise<unknown> => ctx.pause("Well?");

const callWalks: Readonly<Record<string, () => Promise<void>>> = {
  async "[*] --> settled: refused at admission"() {
    const { open, state } = world();
    const app = await open([rawCall({ id: "a", name: "act", arguments: "no json" }), done]);
    await app.run({ prompt: "go" }, { runId: RUN_ID });
    expect(await resultOf(app)).toEqual(error("invalid_input"));
    expect(state.started).toEqual([]);
  },
  async "[*] --> asked: admitted, and a person is asked"() {
    const { paused, state } = await pausedRun({ approval: true });
    expect(paused.pauses).toMatchObject([{ kind: "approval" }]);
    expect(state.started).toEqual([]);
  },
  async "[*] --> started: admitted"() {
    const { open, state, call } = world();
    const app = await open([call, done]);
    await app.run({ prompt: "go" }, { runId: RUN_ID });
    expect(state.started).toHaveLength(1);
  },
  async "asked --> started: approved"() {
    const { decide, state } = await pausedRun({ approval: true });
    expect((await decide(yes)).status).toBe("completed");
    expect(state.started).toHaveLength(1);
  },
  async "asked --> settled: denied, expired or canceled"() {
    const { decide, state } = await pausedRun({ approval: true });
    await decide({ approved: false, reason: "no", by: "ann" });
    expect(await resultOf(apps.at(-1)!)).toEqual(error("denied"));
    expect(state.started).toEqual([]);
  },
  async "asked --> settled: approved with an edit that a hook denies"() {
    let asked = 0;
    const hook: CallHook = {
      onBeforeCall: () => (++asked === 1 ? { action: "allow" } : { action: "deny", reason: "not so" }),
    };
    const { decide, state } = await pausedRun({ approval: true, hooks: [hook] });
    await decide({ approved: true, by: "ann", edit: {} });
    expect(await resultOf(apps.at(-1)!)).toEqual(error("denied"));
    expect(state.started).toEqual([]);
  },
  async "started --> settled: a value or an error"() {
    const { open, call } = world();
    const app = await open([call, done]);
    await app.run({ prompt: "go" }, { runId: RUN_ID });
    expect(await resultOf(app)).toEqual(ok);
  },
  async "started --> settled: interrupted, the tool reruns, and may not be repeated here"() {
    const { open, state, call } = world({ inDoubt: "rerun" });
    state.handler = () => new Promise(() => {});
    const app = await open([call, done]);
    await app.run({ prompt: "go" }, { runId: RUN_ID });
    expect(await resultOf(app)).toEqual(error("unknown_outcome"));
    expect(state.started).toHaveLength(1);
  },
  async "started --> started: a crash, and the tool reruns"() {
    const { open, state } = await crashedRun({ inDoubt: "rerun" });
    const app = await open([done]);
    await app.recover();
    expect(await resultOf(app)).toEqual(ok);
    expect(state.started).toEqual([state.started[0], state.started[0]]);
  },
  async "started --> suspended: the handler asks"() {
    const { paused } = await pausedRun({}, (state) => (state.handler = asks));
    expect(paused.pauses).toMatchObject([{ kind: "question", question: "Well?" }]);
  },
  async "suspended --> started: answered"() {
    const { decide } = await pausedRun({}, (state) => (state.handler = asks));
    await decide({ answer: "done it", by: "ann" });
    expect(await resultOf(apps.at(-1)!)).toEqual(ok);
  },
  async "suspended --> settled: denied, expired or canceled"() {
    const { decide, state } = await pausedRun({}, (given) => (given.handler = asks));
    await decide({ approved: false, reason: "no", by: "ann" });
    expect(await resultOf(apps.at(-1)!)).toEqual(error("denied"));
    expect(state.started).toHaveLength(1);
  },
  async "suspended --> doubt: canceled, and what it did before it asked may matter"() {
    const { open } = await pausedRun({}, (given) => (given.handler = asks));
    const app = await open([]);
    expect((await app.cancel(RUN_ID)).status).toBe("cancelled");
    expect(await resultOf(app)).toEqual(error("unknown_outcome"));
    expect(await app.pauses()).toMatchObject([{ kind: "in-doubt", interruption: "cancel" }]);
    const read = await pausedRun({ access: "read" }, (given) => (given.handler = asks));
    const reader = await read.open([]);
    await reader.cancel(RUN_ID);
    expect(await resultOf(reader)).toEqual(error("cancelled"));
    expect(await reader.pauses()).toEqual([]);
  },
  async "started --> doubt: a crash, a timeout or a cancel of a call that asks"() {
    const { open, state } = await crashedRun({});
    const app = await open([]);
    expect((await app.recover()).continued).toMatchObject([
      { status: "paused", pauses: [{ kind: "in-doubt", interruption: "crash" }] },
    ]);
    expect(state.started).toHaveLength(1);
    const slow = await pausedRun({}, (given) => (given.handler = () => new Promise(() => {})));
    expect(slow.paused.pauses).toMatchObject([{ kind: "in-doubt", interruption: "timeout" }]);
    const stopped = world();
    const stoppedApp = await stopped.open([stopped.call]);
    stopped.state.handler = () => {
      void stoppedApp.cancel(RUN_ID);
      return new Promise(() => {});
    };
    expect((await stoppedApp.run({ prompt: "go" }, { runId: RUN_ID })).status).toBe("cancelled");
    expect(await stoppedApp.pauses()).toMatchObject([{ kind: "in-doubt", interruption: "cancel" }]);
  },
  async "doubt --> started: it did not happen, or is to run again"() {
    const { open, state } = await crashedRun({}, (given) => (given.reconciled = { outcome: "not-done" }));
    const app = await open([done]);
    await app.recover();
    expect(await resultOf(app)).toEqual(ok);
    expect(state.started).toHaveLength(2);
    const second = await crashedRun({});
    await (await second.open([])).recover();
    const [pause] = await apps.at(-1)!.pauses();
    await (await second.open([done])).resume(RUN_ID, { [pause!.id]: { action: "rerun", by: "ann" } });
    expect(await resultOf(apps.at(-1)!)).toEqual(ok);
    expect(second.state.started).toHaveLength(2);
  },
  async "doubt --> settled: it happened"() {
    const { open, state } = await crashedRun({}, (given) => (given.reconciled = { outcome: "done", value: "done it" }));
    const app = await open([done]);
    await app.recover();
    expect(await resultOf(app)).toEqual(ok);
    expect(state.started).toHaveLength(1);
    const second = await crashedRun({});
    await (await second.open([])).recover();
    const [pause] = await apps.at(-1)!.pauses();
    const decision: Decision = { action: "done", result: "done it", by: "ann" };
    await (await second.open([done])).resume(RUN_ID, { [pause!.id]: decision });
    expect(await resultOf(apps.at(-1)!)).toEqual(ok);
    expect(second.state.started).toHaveLength(1);
  },
  async "doubt --> settled: nobody can tell, or the run was ended"() {
    const first = await crashedRun({});
    await (await first.open([])).recover();
    const [pause] = await apps.at(-1)!.pauses();
    await (await first.open([done])).resume(RUN_ID, { [pause!.id]: { action: "give-up", by: "ann" } });
    expect(await resultOf(apps.at(-1)!)).toEqual(error("unknown_outcome"));
    const second = await crashedRun({});
    const app = await second.open([]);
    await app.recover();
    expect((await app.cancel(RUN_ID)).status).toBe("cancelled");
    expect(await resultOf(app)).toEqual(error("unknown_outcome"));
    expect(second.state.started).toHaveLength(1);
  },
};

describe.each([
  ["a run", 1, runWalks],
  ["a call", 2, callWalks],
] as const)("%s", (_what, diagram, walks) => {
  test("each arrow of the diagram is walked, and no other", () => {
    expect(Object.keys(walks).toSorted()).toEqual(arrowsOf(diagram).toSorted());
  });

  test.each(Object.entries(walks))("%s", async (_arrow, walk) => walk());
});
