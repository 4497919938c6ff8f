import type { ModelError } from "../errors/environment-errors.js";

/** The longest that a provider's own wish is waited for, in milliseconds. */
const LONGEST_WISH = 60_000;
const FIRST = 500;
const LONGEST = 8_000;

/**
 * How long to wait before a model is asked again, in milliseconds, after it was asked again `retries` times already: half a second,
 * doubled each time up to eight, of which the second half is by chance; what the provider asks for, and up to a tenth more.
 * `undefined` where that is more than a minute: it is no use to wait.
 */
export function backOffMs(
  retries: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WISH) return undefined;
  const own = Math.min(LONGEST, FIRST * 2 ** retries);
  const waited = own / 2 + (own / 2) * random();
  return Math.round(retryAfterMs === undefined ? waited : retryAfterMs + (retryAfterMs / 10 + 100) * random());
}

/** The statuses below 500 that say "not now". */
const LATER = new Set([408, 409, 425, 429]);

/**
 * Whether the same request may succeed later: the provider has too much to do, failed itself, was not reached, took too long, or sent
 * an answer that cannot be read.
 */
export function mayPass({ data }: ModelError): boolean {
  const { status, network, timeoutMs } = data;
  if (network === true || timeoutMs !== undefined) return true;
  return typeof status === "number" && (status >= 500 || status < 300 || LATER.has(status));
}
