import type { ChildOp, Program, RunOp, Scope } from "../journal/engine.js";
import { JournalError } from "../errors/run-errors.js";
import { toErrorData } from "../errors/tenon-error.js";
import type { Outcome } from "../protocol/outcome.js";
import type { Pause } from "../protocol/pause.js";
import type { AbortReason } from "../util/abort.js";
import type { Maybe } from "../util/class.js";
import { CallSequence } from "./call-sequence.js";
import { admitCall, executeCall, reconcile, reviewCall, runPlainCall } from "./call-steps.js";
import { runLoop } from "./loop.js";
import { callModel } from "./model-turn.js";
import { RunState, type RunPorts } from "./run-state.js";
import { failed } from "./stop-rules.js";

/** A run of one agent, as an engine serves it: the loop, and the tasks that it names. */
export class AgentProgram implements Program {
  readonly state: RunState;
  readonly #fresh: boolean;

  constructor(ports: RunPorts, fresh: boolean) {
    this.state = new RunState(ports);
    this.#fresh = fresh;
  }

  main(scope: Scope): Promise<Outcome> {
    return runLoop(scope, this.state, this.#fresh);
  }

  task(op: RunOp): unknown {
    switch (op.task) {
      case "model":
        return callModel(this.state, (op.input as { readonly turn: number }).turn);
      case "call":
        return runPlainCall(this.state, op.input as never);
      case "admit":
        return admitCall(this.state, op.input as never);
      case "review":
        return reviewCall(this.state, op.input as never);
      case "reconcile":
        return reconcile(this.state, op.input as never);
      case "execute":
        return executeCall(this.state, op.input as never);
      default:
        throw new JournalError("There is no such task", op.task, "Run it with the code that started it.");
    }
  }

  child(op: ChildOp, scope: Scope): Maybe<unknown> {
    return new CallSequence(this.state, scope, op).run();
  }

  waiting(about: Pause): void {
    this.state.emit?.({ type: about.kind === "approval" ? "approval-request" : "pause", pause: about });
  }

  failed(thrown: unknown): Outcome {
    return failed(this.state, "error", toErrorData(thrown));
  }

  abort(reason: Exclude<AbortReason, "timeout">): void {
    this.state.abort(reason);
  }
}
