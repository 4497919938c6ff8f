import type { IncomingMessage } from "node:http";
import { TenonError } from "tenon";
import { MAX_BYTES, realClock, userAgentOf, type HttpSettings } from "../http/http-settings.js";
import { causesOf, codeOf } from "../http/network-failure.js";
import { retryAfterMs, tryAgain } from "../http/retry-wait.js";
import { quoted, ServiceError } from "../http/service-error.js";
import { decodePage } from "./decode-page.js";
import { readTarget, type FetchTarget } from "./fetch-target.js";
import { readPageType, type PageType } from "./page-type.js";
import { pinnedAddresses } from "./pinned-addresses.js";
import { readPage } from "./read-page.js";
import { sendGet } from "./send-get.js";
import type { WebFetchSettings } from "./web-fetch-settings.js";

const MAX_REDIRECTS = 5;

/** What one call has to fetch with. */
export interface FetchPageOptions {
  readonly settings: WebFetchSettings;
  readonly http: HttpSettings;
  readonly signal: AbortSignal;
  /** How long the call may take, in milliseconds. No wait goes beyond it. */
  readonly timeoutMs: number;
}

/** A page as it came. */
export interface FetchedPage {
  /** Where it came from, after redirects. */
  readonly url: URL;
  readonly type: PageType;
  readonly body: string;
}

/**
 * Fetches a page. The URL, and that of each redirect, is checked, looked up and pinned by itself. Throws `ServiceError` for all
 * that is no page to read.
 */
export async function fetchPage(text: string, options: FetchPageOptions): Promise<FetchedPage> {
  const { settings, http, signal } = options;
  const maxRedirects = settings.maxRedirects ?? MAX_REDIRECTS;
  const endsAt = (http.clock ?? realClock).elapsedMs() + options.timeoutMs;
  let target = readTarget(text, settings);
  for (let redirects = 0; ; redirects++) {
    try {
      const response = await answer(target, options, endsAt);
      const location = redirectOf(response);
      if (location === undefined) return await page(target, response, http);
      response.destroy();
      if (redirects >= maxRedirects)
        throw new ServiceError(
          `${target.host} redirects once more after ${redirects} redirects: they are not followed further`,
        );
      target = readTarget(location, settings, target.url);
    } catch (thrown) {
      signal.throwIfAborted();
      throw failure(target, thrown);
    }
  }
}

/** The answer of one URL; one that refuses for now is asked again while there is time. */
function answer(target: FetchTarget, options: FetchPageOptions, endsAt: number): Promise<IncomingMessage> {
  const { settings, http, signal } = options;
  const clock = http.clock ?? realClock;
  return tryAgain(
    async () => {
      const addresses = await pinnedAddresses(target, settings, signal);
      const got = await sendGet(target, addresses, {
        userAgent: userAgentOf(http),
        connect: settings.connect,
        signal,
      });
      const status = got.statusCode ?? 0;
      return { got, again: status === 429 || status >= 500, askedMs: askedMs(got, clock.now()) };
    },
    { clock, signal, leftMs: () => endsAt - clock.elapsedMs() },
    (refused) => refused.destroy(),
  );
}

function askedMs({ headers }: IncomingMessage, now: number): number | undefined {
  const { date = "", "retry-after": after = "" } = headers;
  return retryAfterMs(new Headers({ date, "retry-after": after }), now);
}

/** Where an answer sends on to. Headers come as Latin-1, and mean UTF-8. */
function redirectOf({ statusCode, headers: { location } }: IncomingMessage): string | undefined {
  const redirects = statusCode !== undefined && [301, 302, 303, 307, 308].includes(statusCode);
  return redirects && location !== undefined ? Buffer.from(location, "latin1").toString() : undefined;
}

async function page({ url, host }: FetchTarget, response: IncomingMessage, http: HttpSettings): Promise<FetchedPage> {
  try {
    const status = response.statusCode ?? 0;
    if (status !== 200 && status !== 203)
      throw new ServiceError(`${host} answered with status ${status}${advice(status)}`, { status });
    const type = readPageType(response.headers["content-type"]);
    if (type.kind === undefined)
      throw new ServiceError(
        `${host} sent ${type.mediaType === "" ? "no content type" : quoted(type.mediaType, undefined)}, which is not read as text. Only HTML, text, Markdown, JSON and XML are`,
      );
    const bytes = await readPage(response, http.maxBytes ?? MAX_BYTES, host);
    return { url, type, body: decodePage(bytes, type.charset, type.kind === "html") };
  } finally {
    response.destroy();
  }
}

function advice(status: number): string {
  if (status === 404 || status === 410) return ": there is no such page";
  if (status === 401 || status === 403) return ": it does not show this page to everybody";
  return status === 429 || status >= 500 ? ". Try later, or do without" : "";
}

function failure({ host }: FetchTarget, thrown: unknown): unknown {
  if (TenonError.is(thrown)) return thrown;
  const code = codeOf(causesOf(thrown));
  return new ServiceError(
    `${host} could not be reached, or broke off its answer${code === undefined ? "" : ` (${code})`}`,
  );
}
