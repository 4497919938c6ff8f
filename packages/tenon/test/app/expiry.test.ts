import { describe, expect, test } from "vitest";
import { createAppWith } from "../../src/app/create-app.js";
import { callTool, replyWith, scriptedModel, testClock } from "../../src/doors/testing/index.js";
import { stores } from "./stores.js";
import { resultsOf, stuckDesk } from "./stuck-desk.js";

const yes = { approved: true, by: "ann" } as const;

describe.each(stores)("on %s", (_, newStore) => {
  test.each(["recover", "work"] as const)(
    "a decision that comes late is refused, and the run goes on as expired through %s",
    async (through) => {
      const clock = testClock();
      const { save, ran, Clerk } = stuckDesk();
      const model = scriptedModel(callTool(save, {}), replyWith("too late"));
      const app = await createAppWith(Clerk, { models: { default: model }, store: newStore() }, { clock });
      const paused = await app.run({ prompt: "go" });
      const { id, openedAt, expiresAt } = paused.pauses[0]!;
      expect(expiresAt).toBe(openedAt + 3_600_000);
      await clock.advance(3_600_000);
      for (let times = 0; times < 2; times++)
        await expect(app.resume(paused.runId, { [id]: yes })).rejects.toMatchObject({
          code: "decision_refused",
          message: expect.stringContaining("expired"),
        });
      expect((await app.inspect(paused.runId)).audit).toMatchObject([{ decision: { lapsed: "expired" } }]);
      const working = through === "work" ? app.work() : undefined;
      if (through === "recover") await app.recover();
      await clock.advance(1_000);
      expect(await app.result(paused.runId)).toMatchObject({ status: "completed", text: "too late" });
      expect(await resultsOf(app, paused.runId)).toMatchObject([{ code: "expired" }]);
      expect(JSON.stringify(model.requests[1])).toContain("nobody answered in time");
      expect(ran).toEqual([]);
      await app.close();
      await working;
    },
  );

  test("without a decision a worker ends the wait; a decision in time counts", async () => {
    const clock = testClock();
    const { save, ran, Clerk } = stuckDesk();
    const model = scriptedModel(callTool(save, {}), replyWith("late"), callTool(save, {}), replyWith("in time"));
    const app = await createAppWith(Clerk, { models: { default: model }, store: newStore() }, { clock });
    const working = app.work({ pollMs: 30_000 });
    const late = await app.run({ prompt: "go" });
    await clock.advance(3_599_000);
    expect((await app.result(late.runId)).status).toBe("paused");
    await clock.advance(31_000);
    expect(await app.result(late.runId)).toMatchObject({ text: "late" });
    const soon = await app.run({ prompt: "go" });
    await clock.advance(3_599_000);
    expect(await app.resume(soon.runId, { [soon.pauses[0]!.id]: yes })).toMatchObject({ text: "in time" });
    expect(ran).toEqual(["save"]);
    await app.close();
    await working;
  });
});
