import type { Lapsed, Pause } from "../protocol/pause.js";
import type { WaitOp } from "./engine.js";

interface OpenWait {
  readonly op: WaitOp;
  readonly resolve: (value: unknown) => void;
}

/** The waits of an activation that nobody has answered yet. */
export class OpenWaits {
  readonly #bySignal: Map<string, OpenWait> = new Map();

  get size(): number {
    return this.#bySignal.size;
  }

  /** The signals that are waited for. */
  get names(): readonly string[] {
    return [...this.#bySignal.keys()];
  }

  /** What people are asked. */
  get pauses(): readonly Pause[] {
    return [...this.#bySignal.values()].map(({ op }) => op.about);
  }

  /** Opens a wait: a promise of its answer, or of what it is given up with. */
  open(op: WaitOp): Promise<unknown> {
    return new Promise((resolve) => this.#bySignal.set(op.signal, { op, resolve }));
  }

  /** Answers the wait for a signal, and gives it; `undefined` where there is none. */
  answer(signal: string, value: unknown): WaitOp | undefined {
    const wait = this.#bySignal.get(signal);
    if (wait === undefined) return undefined;
    this.#bySignal.delete(signal);
    wait.resolve(value);
    return wait.op;
  }

  /** Gives all of them up. */
  giveUp(answer: Lapsed | undefined): void {
    for (const signal of this.names) this.answer(signal, answer);
  }
}
