import { abortError, type AbortReason } from "../util/abort.js";
import type { ModelAnswer, ModelEnd, ModelRequest } from "./model.js";

/** What reads a provider's stream. */
export interface StreamSource {
  cancel(reason: unknown): Promise<void>;
}

/** How a model reads what its provider gave. */
export interface ProviderEnd<T> {
  readonly toAnswer: (given: T, request: ModelRequest) => ModelAnswer;
  /** Never throws. */
  readonly toFailure: (thrown: unknown) => unknown;
}

/**
 * A call of a provider. It ends once: with what the provider gives, or with the signal's reason as soon as the signal aborts,
 * whatever the provider does. A provider that answers within the tick costs no abort listener.
 */
export class ProviderCall<T> {
  /** It has not ended. */
  open = true;
  /** What is left alone once the signal aborts. */
  source: StreamSource | undefined;
  readonly request: ModelRequest;
  readonly #reads: ProviderEnd<T>;
  readonly #end: ModelEnd;
  #listens = false;

  constructor(request: ModelRequest, reads: ProviderEnd<T>, end: ModelEnd) {
    this.request = request;
    this.#reads = reads;
    this.#end = end;
  }

  /** Waits for what the provider gives. */
  follow(pending: Promise<T>): void {
    pending.then(
      (given) => this.#gave(given),
      (thrown: unknown) => this.fail(thrown),
    );
    const { calls } = this.request;
    if (calls !== undefined && !isStopped(this.request)) return calls.add(this);
    unheard.push(this);
    void nextTick.then(listenNext);
  }

  /** The call failed, or was stopped: then that counts. */
  fail(thrown: unknown): void {
    if (!this.open) return;
    this.#close();
    const { signal } = this.request;
    this.#end.failed(signal.aborted ? signal.reason : this.#reads.toFailure(thrown));
  }

  listen(): void {
    if (!this.open) return;
    const { signal } = this.request;
    if (signal.aborted) return this.handleEvent();
    this.#listens = true;
    signal.addEventListener("abort", this);
  }

  /** The signal aborts. */
  handleEvent(): void {
    this.#stop(this.request.signal.reason);
  }

  /** The run is stopped, and the signal with it. */
  abort(reason: AbortReason): void {
    this.#stop(abortError(reason));
  }

  #stop(reason: unknown): void {
    if (!this.open) return;
    this.#close();
    this.#end.failed(reason);
    cancelSource(this.source, reason);
  }

  #gave(given: T): void {
    if (!this.open) return;
    this.#close();
    // Stopped while the provider was being asked, when there was nothing yet to be told of it.
    if (isStopped(this.request)) return this.#end.failed(this.request.signal.reason);
    let answer: ModelAnswer;
    try {
      answer = this.#reads.toAnswer(given, this.request);
    } catch (thrown) {
      return this.#end.failed(this.#reads.toFailure(thrown));
    }
    this.#end.answered(answer);
  }

  #close(): void {
    this.open = false;
    this.request.calls?.delete(this);
    if (this.#listens) this.request.signal.removeEventListener("abort", this);
  }
}

/** Whether a request is not to be made, or not waited for, any more. Asks the run where it can: the getter of a signal takes far longer. */
export function isStopped({ calls, signal }: ModelRequest): boolean {
  return calls === undefined ? signal.aborted : calls.stopped;
}

const nextTick = Promise.resolve();

/** Calls that were made in this tick, first come first served. */
const unheard: ProviderCall<any>[] = [];

function listenNext(): void {
  unheard.shift()!.listen();
}

/** Leaves a stream alone, whatever its `cancel` does. */
export function cancelSource(source: StreamSource | undefined, reason: unknown): void {
  try {
    source?.cancel(reason)?.then(undefined, ignore);
  } catch {
    // A stream that cannot be canceled is left alone: nobody reads it any more.
  }
}

function ignore(): void {}
