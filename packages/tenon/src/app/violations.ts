import { AssemblyError, UnknownAgentToolError, type Violation } from "../errors/assembly-errors.js";

/** Everything that is wrong with an app, gathered before anything is thrown. */
export class Violations {
  readonly #found: Violation[] = [];

  add(violation: Violation): void {
    this.#found.push(violation);
  }

  addAll(at: string, messages: readonly string[], code: string = "assembly_error"): void {
    for (const message of messages) this.#found.push({ at, message, code });
  }

  assertNone(): void {
    if (this.#found.length > 0) throw this.error();
  }

  error(): AssemblyError {
    const onlyTools = this.#found.every((violation) => violation.code === "unknown_agent_tool");
    return onlyTools ? new UnknownAgentToolError(this.#found) : new AssemblyError(this.#found);
  }
}
