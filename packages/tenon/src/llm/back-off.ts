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

/** Whether the same request may succeed later: the provider has too much to do, failed itself, or was not reached. */
export function mayPass({ data }: ModelError): boolean {
  const { status, network, timeoutMs } = data;
  if (typeof status === "number")
    return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  return network === true || timeoutMs !== undefined;
}
