import { AssemblyError, UnknownAgentToolError, type Violation } from "../errors/assembly-errors.js";
import type { Fault } from "../errors/fault.js";

/** Everything that is wrong with an app, gathered before anything is thrown. */
export class Violations {
  readonly #found: Violation[] = [];

  add(violation: Violation): void {
    this.#found.push(violation);
  }

  /** `code` is that of the faults which have none of their own. */
  addAll(at: string, faults: readonly (string | Fault)[], code: string = "assembly_error"): void {
    for (const fault of faults) {
      const { message, code: own = code, data }: Fault = typeof fault === "string" ? { message: fault } : fault;
      this.#found.push({ at, message, code: own, ...(data !== undefined && { data }) });
    }
  }

  assertNone(): void {
    if (this.#found.length > 0) throw this.error();
  }

  error(): AssemblyError {
    const onlyTools = this.#found.every((violation) => violation.code === "unknown_agent_tool");
    return onlyTools ? new UnknownAgentToolError(this.#found) : new AssemblyError(this.#found);
  }
}
