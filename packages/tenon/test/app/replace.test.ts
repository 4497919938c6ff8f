import { describe, expect, test } from "vitest";
import { Agent, createApp } from "../../src/doors/tenon/index.js";
import { callTool, callTools, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { stores } from "./stores.js";
import { resultsOf, stuckDesk } from "./stuck-desk.js";

const yes = { approved: true, by: "ann" } as const;

describe.each(stores)("on %s", (_, newStore) => {
  describe("onBusy: replace", () => {
    test("a running holder is canceled, and the newer run goes on in a valid thread", async () => {
      const { look, running, app: appOf } = stuckDesk();
      const model = scriptedModel(callTool(look, {}), replyWith("newer"));
      @Agent({ name: "clerk", description: "d", tools: [look] })
      class Clerk {}
      void appOf;
      await using app = await createApp(Clerk, { models: { default: model } });
      const older = app.run({ prompt: "older" }, { threadId: "t" });
      await running;
      const newer = await app.run({ prompt: "newer" }, { threadId: "t", onBusy: "replace" });
      expect(newer).toMatchObject({ status: "completed", text: "newer" });
      expect(await older).toMatchObject({ status: "cancelled", stopReason: "cancel", pauses: [] });
      expect(JSON.stringify(model.requests[1])).toMatch(/older.*look.*stopped before it gave a result.*newer/s);
    });

    test("a paused holder is canceled: its pause ends as denied, superseded, and takes no decision any more", async () => {
      const { save, ran, app: appOf } = stuckDesk();
      await using app = await appOf(newStore(), callTool(save, {}), replyWith("newer"));
      const older = await app.run({ prompt: "older" }, { threadId: "t" });
      const newer = await app.run({ prompt: "newer" }, { threadId: "t", onBusy: "replace" });
      expect(newer.text).toBe("newer");
      expect(await app.result(older.runId)).toMatchObject({ status: "cancelled" });
      expect(await app.pauses()).toEqual([]);
      expect((await app.inspect(older.runId)).audit).toMatchObject([{ decision: { lapsed: "superseded" } }]);
      expect(await resultsOf(app, older.runId)).toMatchObject([
        { code: "denied", message: expect.stringContaining("superseded") },
      ]);
      await expect(app.resume(older.runId, { [older.pauses[0]!.id]: yes })).rejects.toMatchObject({
        code: "decision_refused",
      });
      expect(ran).toEqual([]);
    });

    test("a paused holder of another process is canceled too", async () => {
      const { save, ran, app: appOf } = stuckDesk();
      const store = newStore();
      const there = await appOf(store, callTool(save, {}));
      const older = await there.run({ prompt: "older" }, { threadId: "t" });
      await using here = await appOf(store, replyWith("newer"));
      expect((await here.run({ prompt: "newer" }, { threadId: "t", onBusy: "replace" })).text).toBe("newer");
      expect((await there.result(older.runId)).status).toBe("cancelled");
      expect(ran).toEqual([]);
      await there.close();
    });

    test("a holder with a write in flight: the question stays in the inbox, and its answer goes to the audit alone", async () => {
      const { pay, running, ran, app: appOf } = stuckDesk();
      const store = newStore();
      await using app = await appOf(store, callTool(pay, {}), replyWith("newer"), replyWith("next"));
      const older = app.run({ prompt: "older" }, { threadId: "t" });
      await running;
      const newer = await app.run({ prompt: "newer" }, { threadId: "t", onBusy: "replace" });
      expect(newer.text).toBe("newer");
      const { runId, status } = await older;
      expect(status).toBe("cancelled");
      expect(await resultsOf(app, runId)).toMatchObject([{ code: "unknown_outcome" }]);
      const [question, ...others] = await app.pauses();
      expect(others).toEqual([]);
      expect(question).toMatchObject({ runId, kind: "in-doubt", tool: "pay", interruption: "cancel" });

      const before = await store.records(runId);
      const found = { action: "done", result: "paid", by: "ann" } as const;
      expect(await app.resume(runId, { [question!.id]: found })).toMatchObject({ status: "cancelled" });
      expect(await app.pauses()).toEqual([]);
      expect((await app.inspect(runId)).audit).toMatchObject([
        { pause: { id: question!.id }, decision: found, decidedAt: expect.any(Number) },
      ]);
      // The history stays as the model was told.
      expect(await store.records(runId)).toEqual(before);
      expect(await resultsOf(app, runId)).toMatchObject([{ code: "unknown_outcome" }]);
      await app.resume(runId, { [question!.id]: found });
      for (const other of [
        { action: "rerun", by: "bob" },
        { action: "give-up", by: "bob" },
      ] as const)
        await expect(app.resume(runId, { [question!.id]: other })).rejects.toMatchObject({ code: "decision_refused" });
      expect(ran).toEqual(["pay"]);
      expect((await app.run({ prompt: "next" }, { threadId: "t" })).text).toBe("next");
    });

    test("a write that is its own to repeat leaves no question", async () => {
      const { pay, running, app: appOf } = stuckDesk("rerun");
      await using app = await appOf(newStore(), callTool(pay, {}), replyWith("newer"));
      const older = app.run({ prompt: "older" }, { threadId: "t" });
      await running;
      await app.run({ prompt: "newer" }, { threadId: "t", onBusy: "replace" });
      expect(await resultsOf(app, (await older).runId)).toMatchObject([{ code: "unknown_outcome" }]);
      expect(await app.pauses()).toEqual([]);
    });

    test("two that replace at once: both run, one after the other", async () => {
      const { save, app: appOf } = stuckDesk();
      await using app = await appOf(newStore(), callTool(save, {}), replyWith("a"), replyWith("b"));
      await app.run({ prompt: "older" }, { threadId: "t" });
      const both = await Promise.all(
        ["x", "y"].map((prompt) => app.run({ prompt }, { threadId: "t", onBusy: "replace" })),
      );
      for (const { status } of both) expect(["completed", "cancelled"]).toContain(status);
      expect((await app.runs({ threadId: "t", status: ["running", "paused"] })).length).toBe(0);
    });
  });

  describe("cancel", () => {
    test("of a run whose call waits in doubt: it ends at once, the question stays, and the model reads that it is not known", async () => {
      const store = newStore();
      const { pay, running, ran, app: appOf } = stuckDesk();
      const first = await appOf(store, callTool(pay, {}));
      const run = first.run({ prompt: "go" }, { runId: "run-00001", threadId: "t" }).catch(() => {});
      await running;
      await first.close({ graceMs: 0 });
      await run;
      const model = scriptedModel(replyWith("next"));
      const { Clerk } = stuckDesk();
      await using app = await createApp(Clerk, { models: { default: model }, store });
      expect(await app.recover()).toMatchObject({
        continued: [{ status: "paused", pauses: [{ kind: "in-doubt", interruption: "crash" }] }],
      });
      const [question] = await app.pauses();
      expect((await app.cancel("run-00001")).status).toBe("cancelled");
      expect(await app.pauses()).toMatchObject([{ id: question!.id }]);
      expect(await resultsOf(app, "run-00001")).toMatchObject([{ code: "unknown_outcome" }]);
      await app.decide("run-00001", { [question!.id]: { action: "give-up", by: "ann", reason: "no trace" } });
      expect(await app.pauses()).toEqual([]);
      await app.run({ prompt: "next" }, { threadId: "t" });
      expect(JSON.stringify(model.requests[0])).toContain("It may have completed");
      expect(ran).toEqual(["pay"]);
    });

    test("of a run with an approval and a write in flight: one lapses, the other is asked about", async () => {
      const { pay, save, running, ran, app: appOf } = stuckDesk();
      await using app = await appOf(
        newStore(),
        callTools([
          [save, {}],
          [pay, {}],
        ]),
      );
      const run = app.run({ prompt: "go" }, { runId: "run-00001" });
      await running;
      await expect.poll(async () => (await app.pauses()).length).toBe(1);
      await app.cancel("run-00001");
      expect((await run).status).toBe("cancelled");
      expect(await app.pauses()).toMatchObject([{ kind: "in-doubt", tool: "pay" }]);
      expect(await resultsOf(app, "run-00001")).toMatchObject([{ code: "cancelled" }, { code: "unknown_outcome" }]);
      expect(ran).toEqual(["pay"]);
    });
  });
});
