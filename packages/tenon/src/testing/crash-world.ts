import type { App } from "../app/app.js";
import { textOf } from "../errors/tenon-error.js";
import { memoryStore } from "../journal/memory-store.js";
import type { Store } from "../journal/store.js";
import type { Decision, Pause } from "../protocol/pause.js";
import { endOf, faultOf } from "./crash-end.js";
import { CrashOutside } from "./crash-outside.js";
import type { CrashPoints } from "./crash-points.js";
import { CrashProcess } from "./crash-process.js";
import type { CrashEnd, CrashScenario, CrashStep, CrashWorld } from "./crash-scenario.js";
import { Stuck, untilCrash } from "./until-crash.js";

/** So many answers bring any scenario to its end. */
const MOST_ROUNDS = 1_000;
/** How one world came to its end. */
export interface WorldEnd {
  readonly outside: CrashOutside;
  readonly end: CrashEnd;
  /** What must never happen and did, in words. */
  readonly fault: string | undefined;
}

/** Runs a scenario from beginning to end, crashing where `points` says so, with a new process after each crash. */
export async function runWorld(
  scenario: CrashScenario,
  name: string,
  points: CrashPoints,
  undisturbed: CrashOutside | undefined,
): Promise<WorldEnd> {
  const outside = new CrashOutside();
  const open = scenario.store ?? alwaysThis(memoryStore());
  const steps = stepsOf(scenario);
  let recovering = false;
  for (let at = 0, number = 1; ; number++) {
    const process = new CrashProcess(number, await open(name), outside, points);
    try {
      const state: { app: App | undefined } = { app: undefined };
      const work = async (): Promise<void> => {
        const app = (state.app = await scenario.app(process));
        if (recovering) await recover(app);
        await steps[at]!(app, process);
        if (at === steps.length - 1) await answerAll(app, process, scenario);
        // What goes wrong from here on is not lost: `close` has points too.
        await app.close({ graceMs: 0 });
      };
      const crashed = await untilCrash(process, work());
      recovering = crashed;
      if (crashed) {
        await process.store.idle();
        continue;
      }
      if (++at < steps.length) continue;
      const fault = await faultOf(state.app!, process.inner, outside, undisturbed);
      return { outside, end: await endOf(process.inner, outside), fault };
    } catch (thrown) {
      if (undisturbed === undefined && points.done && !(thrown instanceof Stuck)) throw thrown;
      const fault = outside.faults[0] ?? textOf(thrown);
      return { outside, end: await endOf(process.inner, outside), fault };
    } finally {
      process.end();
      await process.inner.close();
    }
  }
}

function alwaysThis(store: Store): () => Store {
  return () => store;
}

function stepsOf({ drive }: CrashScenario): readonly CrashStep[] {
  if (typeof drive === "function") return [drive];
  if (drive !== undefined && drive.length > 0) return drive;
  return [(app) => app.run({ prompt: "go" }, { runId: "run-crash-1", threadId: "thread-crash-1" })];
}

async function recover(app: App): Promise<void> {
  const { skipped } = await app.recover();
  const [first] = skipped;
  if (first !== undefined) throw new Stuck(`the run ${first.runId} could not be recovered: ${first.error.message}`);
}

/** Continues all runs and answers their pauses, the oldest first, until nothing is open. */
async function answerAll(app: App, process: CrashProcess, scenario: CrashScenario): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await recover(app);
    const [pause] = await app.pauses();
    if (pause === undefined) return;
    const decision = scenario.decide?.(pause, process) ?? standardDecision(pause, process);
    if (decision === undefined)
      throw new Stuck(`nobody answers the question ${JSON.stringify(pause.question)} (${pause.id}): give \`decide\``);
    await app.resume(pause.runId, { [pause.id]: decision });
  }
  throw new Stuck("there was always one more pause to answer");
}

function standardDecision(pause: Pause, world: CrashWorld): Decision | undefined {
  const by = "crashEverywhere";
  switch (pause.kind) {
    case "approval":
      return { approved: true, by };
    case "in-doubt": {
      const effect = world.happened(pause.callId);
      return effect === undefined
        ? { action: "rerun", by }
        : { action: "done", result: (effect.value ?? null) as never, by };
    }
    case "question":
      return undefined;
  }
}
