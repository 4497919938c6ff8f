import { DecisionRefusedError, RunNotFoundError } from "../errors/run-errors.js";
import type { EmbeddedEngine } from "../journal/embedded-engine.js";
import type { Signal, SignalResult } from "../journal/store.js";
import type { JsonValue } from "../protocol/json.js";
import type { Decision, Lapsed } from "../protocol/pause.js";
import type { Toolset } from "../tools/toolset.js";
import type { Clock } from "../util/clock.js";
import type { Deadlines } from "../util/deadlines.js";
import { checkDecision } from "./check-decision.js";

/** Takes decisions about pauses, all or nothing: checked, then compared with what was decided before in one transaction. */
export class RunDecisions {
  readonly #engine: EmbeddedEngine;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;

  constructor(engine: EmbeddedEngine, clock: Clock, deadlines: Deadlines) {
    this.#engine = engine;
    this.#clock = clock;
    this.#deadlines = deadlines;
  }

  /** Throws `DecisionRefusedError`, having taken none, where one of them does not count. */
  async take(runId: string, decisions: ReadonlyMap<string, Decision>, tools: () => Promise<Toolset>): Promise<void> {
    if (decisions.size === 0) return;
    const { store } = this.#engine;
    const audit = new Map((await store.audit(runId)).map((entry) => [entry.pause.id, entry]));
    const signals: Signal[] = [];
    let parts: Parameters<typeof checkDecision>[2] | undefined;
    for (const [pauseId, decision] of decisions) {
      const entry = audit.get(pauseId);
      if (entry === undefined) throw unknownPause(pauseId);
      parts ??= { records: await store.records(runId), tools: await tools(), deadlines: this.#deadlines };
      const value = await checkDecision(entry.pause, decision, parts);
      signals.push({ id: pauseId, name: pauseId, value: value as unknown as JsonValue, at: this.#clock.now() });
    }
    refuse(runId, await this.#engine.signal(runId, signals));
  }
}

/** Throws for decisions that the store did not take. */
function refuse(runId: string, result: SignalResult): void {
  switch (result.kind) {
    case "recorded":
      return;
    case "absent":
      throw new RunNotFoundError(runId);
    case "refused":
      if (result.why === "unknown") throw unknownPause(result.name);
      throw decidedOtherwise(result.name, result.known);
  }
}

function unknownPause(pauseId: string): DecisionRefusedError {
  return new DecisionRefusedError(
    "The run has no such pause",
    pauseId,
    "Look at the run's open pauses; nothing was taken.",
  );
}

function decidedOtherwise(pauseId: string, known: JsonValue): DecisionRefusedError {
  const lapsed = (known as unknown as Partial<Lapsed>).lapsed;
  switch (lapsed) {
    case "expired":
      return new DecisionRefusedError(
        "The pause has expired",
        pauseId,
        "It counts as not approved; nothing was taken. The run goes on with `app.recover()` or `app.work()`.",
      );
    case "cancelled":
    case "superseded":
      return new DecisionRefusedError("The run has ended", pauseId, "Nothing waits for a decision any more.");
    default:
      return new DecisionRefusedError(
        "The pause was answered otherwise",
        pauseId,
        "The first decision counts; nothing was taken.",
      );
  }
}
