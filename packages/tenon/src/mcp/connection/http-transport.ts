import type { JSONRPCMessage, StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import type { Clock } from "../../util/clock.js";
import { boundedBody } from "./bounded-body.js";
import type { ClientSdk } from "./load-client.js";
import { LONGEST_MESSAGE } from "./server-process.js";

/** The data of an error that no server sent: the stream of the answer ended without one. */
export const STREAM_ENDED: object = {};

/** A stream that broke off is asked for again no sooner than this, whatever the server wishes, in milliseconds. */
const SOONEST_AGAIN_MS = 500;
/** So many answers to questions of the server are on their way at a time; what it asks beyond that is left unanswered. */
const MOST_ANSWERS = 16;
/** How long the end of a session is waited for. */
const GOODBYE_MS = 1_000;

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** An HTTP transport that can end its session at the server. */
export interface HttpTransport extends Transport {
  /** Ends the session at the server where there is one, then every request. */
  end(): Promise<void>;
}

/**
 * Streamable HTTP by the SDK, with these headers on every request. Redirects to another origin are not followed, so that no header
 * goes there. Made stricter: messages are bounded, and a request whose stream ends without an answer fails at once.
 */
export function httpTransport(
  sdk: ClientSdk,
  url: URL,
  headers: Readonly<Record<string, string>>,
  clock: Clock,
): HttpTransport {
  class StrictHttpTransport extends sdk.StreamableHTTPClientTransport implements HttpTransport {
    #answering = 0;

    override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
      if (!("method" in message)) {
        if (this.#answering === MOST_ANSWERS) return;
        this.#answering++;
        return super.send(message, options).finally(() => this.#answering--);
      }
      const id = "id" in message ? message.id : undefined;
      if (id === undefined || options?.onRequestStreamEnd !== undefined) return super.send(message, options);
      const error = { code: -32_000, message: "the stream ended without an answer", data: STREAM_ENDED };
      const onRequestStreamEnd = (): void => this.onmessage?.({ jsonrpc: "2.0", id, error });
      return super.send(message, { ...options, onRequestStreamEnd });
    }

    async end(): Promise<void> {
      if (this.sessionId === undefined) return this.close();
      await new Promise<void>((resolve) => {
        const timer = clock.setTimer(resolve, GOODBYE_MS);
        const done = (): void => {
          timer.clear();
          resolve();
        };
        this.terminateSession().then(done, done);
      });
      await this.close();
    }
  }
  return new StrictHttpTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: async (to, init) => boundedBody(await fetch(to, init), LONGEST_MESSAGE),
    reconnectionOptions: {
      initialReconnectionDelay: SOONEST_AGAIN_MS,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 5,
    },
    reconnectionScheduler(again, delayMs) {
      const timer = clock.setTimer(again, Math.max(delayMs, SOONEST_AGAIN_MS));
      return () => timer.clear();
    },
  });
}
