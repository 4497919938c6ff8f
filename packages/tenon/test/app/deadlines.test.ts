import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../src/util/clock.js";
import { Deadlines } from "../../src/util/deadlines.js";

/** The system's clock, and how often it was read. */
function countedClock() {
  const counted = {
    ...systemClock,
    reads: 0,
    elapsedMs: () => {
      counted.reads++;
      return systemClock.elapsedMs();
    },
  };
  return counted;
}

test("a deadline that is over within its tick reads no clock", async () => {
  const clock = countedClock();
  const deadlines = new Deadlines(clock);
  for (let i = 0; i < 100; i++) {
    const deadline = deadlines.add(1_000, () => expect.unreachable());
    await undefined;
    deadlines.remove(deadline);
  }
  expect(clock.reads).toBe(0);
  await nextTurn();
  expect(clock.reads).toBe(0);
});

test("deadlines of one tick end in their order, those of a later tick after them, and none that was removed", async () => {
  const deadlines = new Deadlines(systemClock);
  const ended: string[] = [];
  await new Promise<void>((resolve) => {
    deadlines.add(-5, () => ended.push("over before"));
    const removed = deadlines.add(20, () => ended.push("removed"));
    deadlines.add(30, () => {
      ended.push("30");
      deadlines.add(40, resolve);
    });
    deadlines.add(40, () => ended.push("40"));
    setImmediate(() => deadlines.remove(removed));
  });
  expect(ended).toEqual(["over before", "30", "40"]);
});
