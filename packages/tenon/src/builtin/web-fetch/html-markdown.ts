import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { MissingPeerError } from "tenon";
import { ServiceError } from "../http/service-error.js";
import type { PageText, PageToRead } from "./page-worker.js";

const PEER = "@mdream/js";
/** What a page may take of a processor, in milliseconds, and of memory. An ordinary one of 0.9 MB takes less than a second. */
const LIMIT_MS = 10_000;
const MEMORY_MB = 512;

/** What bounds the reading of one page. */
export interface ReadingBounds {
  /** It is given up, and its thread ended, as soon as this aborts. */
  readonly signal: AbortSignal;
  /** How long it may take at most, in milliseconds. Default 10,000. */
  readonly limitMs?: number | undefined;
  /** How much memory its thread may hold at most, in megabytes. Default 512. */
  readonly memoryMb?: number | undefined;
  /** Flags of Node for the thread. */
  readonly execArgv?: string[] | undefined;
}

/**
 * The Markdown of a page: without scripts, styles, comments and what is hidden from a reader; links and pictures with whole
 * URLs, and only those of http, https and mailto. A thread of its own makes it, which is ended with the signal, after the limit,
 * or when it asks for too much memory: no page holds up the process. Rejects with the signal's reason, with `ServiceError` for
 * a page that is too much, and with `MissingPeerError` where `@mdream/js` is not installed.
 */
export async function htmlMarkdown(html: string, url: URL, bounds: ReadingBounds): Promise<PageText> {
  const { signal, limitMs = LIMIT_MS, memoryMb = MEMORY_MB, execArgv } = bounds;
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(limitMs);
  const thread = new Worker(programUrl(), {
    workerData: { html, url: url.href } satisfies PageToRead,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    ...(execArgv === undefined ? {} : { execArgv }),
  });
  try {
    const [text] = (await once(thread, "message", { signal: AbortSignal.any([signal, limit]) })) as [PageText];
    return text;
  } catch (thrown) {
    signal.throwIfAborted();
    throw limit.aborted ? tooMuch(url, "takes too long to read") : failure(url, thrown);
  } finally {
    // What the thread still says, nobody hears.
    thread.on("error", () => {});
    await thread.terminate();
  }
}

/** Node reads the source of a program as it is: it stands beside this file, in either form. */
function programUrl(): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL("./page-worker.ts", import.meta.url)
    : new URL("./page-worker.js", import.meta.url);
}

function failure(url: URL, thrown: unknown): unknown {
  const { code, message } = thrown as { readonly code?: unknown; readonly message: string };
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return tooMuch(url, "takes too much memory to read");
  if (!message.includes(PEER) || !/^Cannot find (package|module)/.test(message)) return thrown;
  return new MissingPeerError(PEER, "^1.7.2", "To read a page of HTML, web_fetch", thrown);
}

function tooMuch({ host }: URL, what: string): ServiceError {
  return new ServiceError(`${host} sent a page of HTML that ${what}. Look for another page`);
}
