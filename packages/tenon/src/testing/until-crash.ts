import type { CrashProcess } from "./crash-process.js";

/** A process that sets off so many timers without getting anywhere hangs. */
const MOST_TIMERS = 500;
/** How many turns of the event loop it gets before it has to wait for longer. */
const TURNS = 100;
/** What is no timer of its clock (a file, a child process) is waited for so often, and so many real milliseconds each time. */
const MOST_IDLE = 500;
/** How often an effect that takes real time is waited for before the clock moves on all the same. */
const MOST_BUSY = 100;
const IDLE_MS = 4;

/** Why a scenario cannot go on, though its process did not crash. */
export class Stuck extends Error {}

// Kept from before a test may put fake timers in their place.
const { setTimeout, setImmediate } = globalThis;

/**
 * Moves the world's time on until the work of a process is done (false) or the process has crashed (true). Rejects with what
 * the work rejects with, and with `Stuck` where it does not end.
 */
export async function untilCrash(process: CrashProcess, work: Promise<void>): Promise<boolean> {
  const race: { over: boolean } = { over: false };
  const crashed = process.crashed.then(() => true);
  const done = work.then(() => false);
  const end = Promise.race([crashed, done]);
  const over = (): void => void (race.over = true);
  end.then(over, over);
  // A dead process may still throw; nobody hears it.
  done.catch(() => {});
  for (let timers = 0, idle = 0, busy = 0; ;) {
    for (let turn = 0; turn < TURNS && !race.over; turn++) await sleep(0);
    if (!race.over) await sleep(1);
    if (race.over) return end;
    busy = process.busy ? busy + 1 : 0;
    if (busy > 0 && busy <= MOST_BUSY) await sleep(IDLE_MS);
    else if (await process.clock.toNext()) {
      idle = 0;
      if (++timers > MOST_TIMERS) throw new Stuck("it goes on for ever: only its timers come again and again");
    } else if (++idle > MOST_IDLE) throw new Stuck("it hangs: nothing goes on, and it waits for no timer");
    else await sleep(IDLE_MS);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void (ms === 0 ? setImmediate(resolve) : setTimeout(resolve, ms)));
}
