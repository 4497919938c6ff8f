import type { OnEnd, RunOp, Scope, Steps } from "../journal/engine.js";
import type { Outcome } from "../protocol/outcome.js";
import { AgentProgram } from "./agent-program.js";
import { lookAtRemotes } from "./remote-tools.js";
import { askedCall, runTool } from "./run-tool.js";

/** A run of one call, as an engine serves it: its own sequence over the tasks of an agent's run. */
export class ToolProgram extends AgentProgram {
  protected override sequence(scope: Scope): Steps<Outcome> {
    return runTool(scope, this.state, this.fresh);
  }

  override task(op: RunOp, end: OnEnd<unknown>): void {
    if (op.task !== "asked") return super.task(op, end);
    const asked = (): void => end.done(askedCall(this.state));
    // Before a model is told of tools that live elsewhere they are looked at; so they are before one is called.
    if (this.state.ports.tools.remotes === undefined) asked();
    else lookAtRemotes(this.state, end, asked);
  }
}
