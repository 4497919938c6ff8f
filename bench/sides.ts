import { Agent, createApp, type Store } from "tenon";
import { answerOf, floorProgram, runByHand } from "./floor-loop.ts";
import { scriptedModel, type History, type ScriptedCall } from "./script.ts";
import type { Side } from "./side.ts";
import type { Toolkit } from "./toolkit.ts";
import type { V4Message } from "./v4.ts";

const prompt = "What does it cost?";

/** How many earlier runs of the same thread each run sees; each has as many messages as the script makes. */
export interface Thread {
  readonly runs: number;
}

/** The hand-written loop over a script. */
export async function floorSide(
  turns: readonly (readonly ScriptedCall[])[],
  kit: Toolkit,
  thread?: Thread,
): Promise<Side> {
  const { tools, count } = kit.floor();
  const history: History | undefined = thread === undefined ? undefined : { messages: 0 };
  const program = floorProgram(scriptedModel(turns, history), tools, kit.system);
  const before: V4Message[] = [];
  const run = async (): Promise<void> => {
    const messages = await runByHand(program, before, prompt);
    if (answerOf(messages) !== "done") throw new Error("the run did not end");
    if (thread === undefined || history === undefined) return;
    before.push(...messages);
    if (before.length > thread.runs * messages.length) before.splice(0, messages.length);
    history.messages = before.length;
  };
  return filled({ run, count, perRun: turns.flat().length }, thread);
}

/** Tenon over the same script, through its public doors. */
export async function tenonSide(
  turns: readonly (readonly ScriptedCall[])[],
  kit: Toolkit,
  store: Store,
  thread?: Thread,
): Promise<Side> {
  const { tools, count } = kit.tenon();
  const history: History | undefined = thread === undefined ? undefined : { messages: 0 };
  class Clerk {}
  Agent({
    name: "clerk",
    description: "Knows prices.",
    prompt: kit.system,
    tools,
    maxToolCalls: 40,
    ...(thread === undefined ? {} : { history: { turns: thread.runs } }),
  })(Clerk);
  const app = await createApp(Clerk, { store, models: { default: scriptedModel(turns, history) } });
  const perRun = 2 * turns.length + 2;
  const options = thread === undefined ? {} : { threadId: "thread" };
  const run = async (): Promise<void> => {
    const { status, text, error } = await app.run({ prompt }, options);
    if (status !== "completed" || text !== "done") throw new Error(`the run ended as ${status}: ${error?.message}`);
    if (thread !== undefined && history !== undefined)
      history.messages = Math.min(history.messages + perRun, thread.runs * perRun);
  };
  return filled({ run, count, perRun: turns.flat().length, close: () => app.close() }, thread);
}

/** The side with its thread filled, and these runs not counted. */
async function filled(side: Side, thread: Thread | undefined): Promise<Side> {
  for (let i = 0; i < (thread?.runs ?? 0); i++) await side.run();
  const before = side.count();
  return { ...side, count: () => side.count() - before };
}
