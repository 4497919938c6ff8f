import type { ModelError } from "../errors/environment-errors.js";
import { backOffMs, mayPass } from "../llm/back-off.js";
import type { Model } from "../llm/model.js";
import type { RunPorts } from "./run-state.js";

/** Which model a turn asks, how often, and until when. */
export class ModelAttempts {
  /** The one that is asked now. */
  model: Model;
  readonly #ports: RunPorts;
  readonly #until: number;
  /** The fallback that is next. */
  #next = 0;
  /** How often the model was asked again. */
  #retries = 0;

  constructor(ports: RunPorts) {
    const { deadlineMs } = ports.agent.modelCall;
    this.#ports = ports;
    this.model = ports.model;
    this.#until = deadlineMs === undefined ? Infinity : ports.clock.elapsedMs() + deadlineMs;
  }

  /** Milliseconds until the call must have ended; for ever where nobody set a time. */
  leftMs(): number {
    return this.#until === Infinity ? Infinity : this.#until - this.#ports.clock.elapsedMs();
  }

  /** How long to wait for the next attempt, which may be a fallback's; `undefined` where there is none. */
  waitMs(error: ModelError): number | undefined {
    const left = this.leftMs();
    if (this.#retries < this.#ports.agent.modelCall.retries && mayPass(error)) {
      const { retryAfterMs } = error.data;
      const waitMs = backOffMs(this.#retries, typeof retryAfterMs === "number" ? retryAfterMs : undefined);
      if (waitMs !== undefined && waitMs < left) {
        this.#retries++;
        return waitMs;
      }
    }
    const fallback = this.#ports.model.fallbacks?.[this.#next];
    if (fallback === undefined || left <= 0) return undefined;
    this.#next++;
    this.#retries = 0;
    this.model = fallback;
    return 0;
  }
}
