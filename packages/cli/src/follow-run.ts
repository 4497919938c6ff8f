import type { App, Decision, Decisions, JsonValue, Pause, RunResult, RunStream } from "tenon";
import { isTenonError, toErrorData } from "./print-error.js";
import type { RunView } from "./print-run.js";

/** What `followRun` needs of the command that calls it. */
export interface RunFollower {
  readonly app: App;
  readonly view: RunView;
  /** Aborted by Ctrl-C: the run is canceled. */
  readonly signal: AbortSignal;
  /** Asks a person; `undefined` where there is nobody or they left: the run stays paused. */
  decide(pauses: readonly Pause[]): Promise<Decisions | undefined>;
}

/** Shows a run until it ends, or waits for a decision that nobody here takes. A resumed run goes on in the same way. */
export async function followRun(follower: RunFollower, start: () => RunStream): Promise<RunResult> {
  const { app, view, signal } = follower;
  for (let stream = start(); ;) {
    const result = await shown(stream, follower);
    if (result.status !== "paused") return result;
    if (!(await decided(follower, result))) {
      view.end(result);
      return result;
    }
    stream = app.resumeStream(result.runId, {}, { signal });
  }
}

async function shown(stream: RunStream, { app, view }: RunFollower): Promise<RunResult> {
  for await (const event of stream) {
    const wanted = event.type === "tool-end" && view.wantsInput(event);
    view.show(event, wanted ? await inputOf(app, event.runId, event.callId) : undefined);
  }
  const result = await stream.result;
  if (result.status !== "paused") view.end(result);
  return result;
}

/** The input of a call as the journal may show it: the text that the model sent has what is sensitive in it. */
async function inputOf(app: App, runId: string, callId: string): Promise<JsonValue | undefined> {
  try {
    const { turns } = await app.inspect(runId);
    return turns.flatMap(({ calls }) => calls).find((call) => call.callId === callId)?.input;
  } catch {
    // The app is being closed, or its store has a fault, which the run tells itself.
    return undefined;
  }
}

/**
 * Asks about all that is open and has the decisions taken, all or none. What is refused (an edit or an answer that does not fit) is
 * told, and asked again. Where somebody else answers first, theirs counts. Gives `false` where nobody decides here.
 */
async function decided(follower: RunFollower, { runId, pauses }: RunResult): Promise<boolean> {
  const { app, view } = follower;
  const decisions = new Map<string, Decision>();
  for (let asked: readonly Pause[] = pauses; ;) {
    const answers = await follower.decide(asked);
    if (answers === undefined) return false;
    for (const [id, decision] of Object.entries(answers)) decisions.set(id, decision);
    const open = new Set((await app.pauses({ runId })).map(({ id }) => id));
    const current = [...decisions].filter(([id]) => open.has(id));
    if (current.length < decisions.size)
      view.note("some of it was answered by somebody else meanwhile; their answer counts");
    try {
      await app.decide(runId, Object.fromEntries(current));
      return true;
    } catch (thrown) {
      const { code, message, data } = toErrorData(thrown);
      const refused = pauses.filter(({ id }) => id === data["pauseId"]);
      if (code !== "decision_refused" || refused.length === 0) throw thrown;
      view.note(message);
      // One that is not open any more was answered between: it is left out, and nobody is asked about it again.
      const left = new Set((await app.pauses({ runId })).map(({ id }) => id));
      asked = refused.filter(({ id }) => left.has(id));
    }
  }
}

/** The code of an error of Tenon, from any copy of the package. */
export function codeOf(thrown: unknown): string | undefined {
  return isTenonError(thrown) ? thrown.code : undefined;
}
