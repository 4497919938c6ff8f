import { callsOf, modelKey, type CallRecord, type TurnRecord } from "../agents/turn-record.js";
import { toolOfRun, toolRunName } from "../agents/tool-run.js";
import { recordedCall, resultPart } from "../agents/transcript.js";
import { DecisionRefusedError } from "../errors/run-errors.js";
import type { Store } from "../journal/store.js";
import type { CallWatch, McpCaller, ServedCall, ToolPort } from "../mcp/serve/tool-port.js";
import type { JsonObject } from "../protocol/json.js";
import { isObject } from "../util/is-object.js";
import type { RunEvent } from "../protocol/event.js";
import type { Decision } from "../protocol/pause.js";
import { untilAborted } from "../util/abort.js";
import type { Clock } from "../util/clock.js";
import { SharedStops } from "../util/shared-stops.js";
import type { Assembly } from "./assembly.js";
import type { RunControl } from "./run-control.js";
import type { RunResult } from "./run-result.js";

/** Starts runs of one call, and goes on with them. */
export class ToolRuns {
  readonly assembly: Assembly;
  readonly #control: RunControl;
  readonly #store: Store;
  readonly #stops: SharedStops = new SharedStops();
  readonly clock: Clock;

  constructor(assembly: Assembly, control: RunControl, store: Store, clock: Clock) {
    this.assembly = assembly;
    this.#control = control;
    this.#store = store;
    this.clock = clock;
  }

  /** One call as a run of its own, in a thread of its own, until it has a result or waits. */
  async call(name: string, args: JsonObject, caller: McpCaller, watch: CallWatch): Promise<ServedCall> {
    const { runId, signal, metadata } = watch;
    const { owner, executionContext } = caller;
    const run = (stop: AbortSignal): Promise<RunResult<unknown>> =>
      this.#control.run(
        this.assembly.toolAgents.of(toolRunName(name))!,
        { prompt: JSON.stringify(args) },
        { runId, owner, executionContext, metadata, signal: stop, onEvent: progressOf(watch) },
      );
    // Who sends a named call again may still have the first one open: that one's end is not the run's.
    const result = await (runId === undefined
      ? run(signal)
      : this.#stops.during(JSON.stringify([owner, runId]), signal, run));
    return this.#served(name, result);
  }

  /** Goes on with a run of that owner; `undefined` where the owner has no such run of one call. */
  async goOn(
    runId: string,
    decisions: Readonly<Record<string, Decision>>,
    caller: McpCaller,
    watch: Parameters<ToolPort["goOn"]>[3],
  ): Promise<ServedCall | undefined> {
    const run = await this.#store.run(runId);
    const name = run === undefined ? undefined : toolOfRun(run.agent);
    if (run === undefined || name === undefined || run.owner !== caller.owner) return undefined;
    if (watch.goesOn?.(name) === false) return undefined;
    await this.#store.expire(this.clock.now());
    const options = { executionContext: caller.executionContext, onEvent: progressOf(watch) };
    if (Object.keys(decisions).length > 0) {
      try {
        return this.#served(name, await this.#control.resume(runId, decisions, { ...options, signal: watch.signal }));
      } catch (thrown) {
        // Somebody else was first, or the time is over: what counts is how the run goes on.
        if (!DecisionRefusedError.is(thrown)) throw thrown;
      }
    }
    const going = this.#control.resume(runId, {}, options);
    if (!(await untilAborted(going, watch.signal))) throw watch.signal.reason;
    return this.#served(name, await going);
  }

  async #served(tool: string, result: RunResult<unknown>): Promise<ServedCall> {
    const { runId, status } = result;
    if (status === "paused") return { kind: "waits", runId, tool, pauses: result.pauses };
    const records = new Map((await this.#store.records(runId)).map((record) => [record.key, record]));
    const asked = records.get(modelKey(1))?.value as (TurnRecord & { kind: "answer" }) | undefined;
    const call = asked === undefined ? undefined : callsOf(asked.parts)[0];
    const record = call === undefined ? undefined : recordedCall(records, 1, call);
    if (result.error !== undefined) {
      const { code, message } = result.error;
      return { kind: "ended", runId, tool, code, message };
    }
    if (record === undefined)
      return { kind: "ended", runId, tool, code: "cancelled", message: `${tool} was not started: the run was stopped` };
    const { content, files = [] } = resultPart(call!, bareText(record));
    return { kind: "result", runId, tool, result: record.result, content, files };
  }
}

/**
 * A record whose value is that of a tool with the output `PlainText`, as if its tool had given the text: clients that read only text
 * read no JSON around it, and the tool's cap is one of the text.
 */
function bareText(record: CallRecord): CallRecord {
  const { result } = record;
  if (result.kind !== "ok" || !isObject(result.value)) return record;
  const { text } = result.value;
  // An empty one is told from a result without anything by its JSON.
  if (typeof text !== "string" || text === "" || Object.keys(result.value).length !== 1) return record;
  return { ...record, result: { ...result, value: text } };
}

function progressOf({ onProgress }: CallWatch): ((event: RunEvent) => void) | undefined {
  if (onProgress === undefined) return undefined;
  return (event) => {
    if (event.type === "tool-progress") onProgress(event.value);
  };
}

/** By app. */
const known: WeakMap<object, ToolRuns> = new WeakMap();

/** Called once by each app that is made. */
export function keepToolRuns(app: object, ...parts: ConstructorParameters<typeof ToolRuns>): void {
  known.set(app, new ToolRuns(...parts));
}

/** How an app runs single calls; `undefined` for what is no app, or one of another copy of the package. */
export function toolRunsOf(app: unknown): ToolRuns | undefined {
  return typeof app === "object" && app !== null ? known.get(app) : undefined;
}
