import type { Readable, Writable } from "node:stream";
import { ownStdout } from "./own-stdout.js";
import { loadStdioSdk } from "./serve-sdk.js";
import type { ServedApp } from "./served-app.js";

/** An app served on standard input and output. */
export interface StdioServing {
  /** Resolves when the client has left. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client on two streams; without an `output` of its own it takes the process's standard output. */
export async function serveOverStdio(
  served: ServedApp,
  { input, output }: { readonly input?: Readable | undefined; readonly output?: Writable | undefined },
  onFault: (thrown: unknown) => void,
): Promise<StdioServing> {
  const { serveStdio, StdioServerTransport } = await loadStdioSdk();
  const own = output === undefined ? await ownStdout() : undefined;
  const stdin = input ?? process.stdin;
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  // It closes itself when its input ends, when nobody reads its output any more, and when a message is too long.
  class ToldTransport extends StdioServerTransport {
    override async close(): Promise<void> {
      await super.close();
      leave();
    }
  }
  const out = output ?? own!.output;
  // Every message that waits for a slow reader listens: that is no leak.
  out.setMaxListeners(0);
  const transport = new ToldTransport(stdin, out);
  const handle = serveStdio(served.server, { transport, onerror: onFault });
  return {
    left,
    async close() {
      await handle.close();
      own?.release();
    },
  };
}
