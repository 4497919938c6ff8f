import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ServiceError } from "../http/service-error.js";
import { notPublic, type FetchTarget } from "./fetch-target.js";
import { isPublicAddress } from "./public-address.js";
import type { WebFetchSettings } from "./web-fetch-settings.js";

/**
 * The addresses that one request may be connected to: the name is looked up once, here, and the connection takes what was
 * found and checked, so a resolver that answers otherwise the next time changes nothing. One address that is not public among
 * them, and none is used. Throws `ServiceError`.
 */
export async function pinnedAddresses(
  { host, allowed }: FetchTarget,
  { resolve = systemLookup }: WebFetchSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  let found: readonly string[];
  try {
    found = await beforeAbort(resolve(host), signal);
  } catch {
    signal.throwIfAborted();
    found = [];
  }
  if (found.length === 0)
    throw new ServiceError(`${host} has no address: there is no such host, or it cannot be looked up now`);
  for (const address of found) {
    if (allowed ? isIP(address) === 0 : !isPublicAddress(address)) throw notPublic(host);
  }
  return found;
}

async function systemLookup(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** A look-up hears no signal, so it is left behind. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
