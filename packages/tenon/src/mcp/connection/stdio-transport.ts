import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Clock } from "../../util/clock.js";
import { ServerProcess } from "./server-process.js";
import type { ServerSpec } from "./server-spec.js";

/** What a message meets that cannot be sent any more: surely nothing of it left. */
export class NotSent extends Error {}

/** The data of an error that no server sent: an answer came, and is no message of the protocol. */
export const NO_MESSAGE: object = {};

const UNREADABLE_MESSAGE = { code: -32_000, message: "the answer is no message of the protocol", data: NO_MESSAGE };

/**
 * A started program as a transport of the SDK. Not the SDK's own, which gives the program variables that nobody named, starts it
 * twice to find out its revision, and leaves what it started behind.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T) => void) | undefined;
  /** The SDK knows a transport to a program by having this and `pid`. The text itself is in `words`. */
  readonly stderr: null = null;
  /** Only HTTP has sessions. */
  readonly sessionId?: undefined;
  readonly #spec: ServerSpec;
  readonly #clock: Clock;
  readonly #parse: (line: string) => JSONRPCMessage;
  readonly #graceMs: number;
  #process: ServerProcess | undefined;
  #starting: Promise<ServerProcess> | undefined;
  #closed = false;
  #ended = false;

  /** `graceMs` is how long the program has at each step of being closed. */
  constructor(spec: ServerSpec, clock: Clock, graceMs: number, parse: (line: string) => JSONRPCMessage) {
    this.#spec = spec;
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#parse = parse;
  }

  /** Only the SDK looks at it. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** The program has ended, by itself or by `close`. */
  get ended(): boolean {
    return this.#ended;
  }

  async start(): Promise<void> {
    if (this.#closed) throw new NotSent("closed");
    this.#starting = ServerProcess.start(
      this.#spec,
      { onLine: (line) => this.#read(line), onEnd: () => this.#end() },
      this.#clock,
    );
    this.#process = await this.#starting;
    // `close` came first, and waits for this program's end.
    if (this.#closed) throw new NotSent("closed");
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#process === undefined || this.#process.exited || this.#closed) throw new NotSent("not running");
    this.#process.write(`${JSON.stringify(message)}\n`);
  }

  /** Settles when the program and all that it started are gone. A second call waits for the first. */
  async close(): Promise<void> {
    this.#closed = true;
    const started = await this.#starting?.catch(() => undefined);
    await started?.end(this.#graceMs);
    this.#end();
  }

  /** Whether the program keeps this process alive. */
  hold(held: boolean): void {
    if (!this.#ended) this.#process?.hold(held);
  }

  /** The end of what the program wrote beside its messages. */
  words(hide: (text: string) => string): string {
    return this.#process?.fault ?? this.#process?.words.shown(hide) ?? "";
  }

  #read(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = this.#parse(line);
    } catch {
      const id = answeredBy(line);
      if (id !== undefined) this.onmessage?.({ jsonrpc: "2.0", id, error: UNREADABLE_MESSAGE });
      // Words of a program that does not keep its output clean. They are of use where it fails.
      else this.#process?.words.add(`\n${line.slice(0, 1_000)}`);
      return;
    }
    this.onmessage?.(message);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onclose?.();
  }
}

/** The request that a line answers which is no message: who waits for it need not wait any longer. */
function answeredBy(line: string): string | number | undefined {
  try {
    const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: unknown };
    return method === undefined && (typeof id === "string" || typeof id === "number") ? id : undefined;
  } catch {
    return undefined;
  }
}
