import type { App, Decisions, Pause, RunResult, RunStream } from "tenon";
import { isTenonError } from "./print-error.js";
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
    const result = await shown(stream, view);
    if (result.status !== "paused") return result;
    const decisions = await follower.decide(result.pauses);
    if (decisions === undefined) {
      view.end(result);
      return result;
    }
    stream = await resumed(app, result.runId, decisions, signal, view);
  }
}

async function shown(stream: RunStream, view: RunView): Promise<RunResult> {
  for await (const event of stream) view.show(event);
  const result = await stream.result;
  if (result.status !== "paused") view.end(result);
  return result;
}

/** Somebody else may have answered first: theirs counts, and the run is looked at again. */
async function resumed(
  app: App,
  runId: string,
  decisions: Decisions,
  signal: AbortSignal,
  view: RunView,
): Promise<RunStream> {
  const open = new Set((await app.pauses({ runId })).map(({ id }) => id));
  const current = Object.fromEntries(Object.entries(decisions).filter(([id]) => open.has(id)));
  if (open.size < Object.keys(decisions).length)
    view.note("some of it was answered by somebody else meanwhile; their answer counts");
  return app.resumeStream(runId, current, { signal });
}

/** The code of an error of Tenon, from any copy of the package. */
export function codeOf(thrown: unknown): string | undefined {
  return isTenonError(thrown) ? thrown.code : undefined;
}
