import { isIP } from "node:net";
import { ServiceError } from "../http/service-error.js";
import { allowedHost, bareHost } from "./allowed-host.js";
import { isPublicAddress } from "./public-address.js";
import type { WebFetchSettings } from "./web-fetch-settings.js";

/** A URL that may be asked, as it was checked. */
export interface FetchTarget {
  readonly url: URL;
  /** The name or the address of the host, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** The app allows this host: it is not held to public addresses. */
  readonly allowed: boolean;
}

const PORTS: readonly number[] = [80, 443];

/** Names that lead to this machine or this network. Any other leads where its addresses say. */
const insideNames = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa)$/;

/**
 * Reads a URL that a model or a redirect gave, and checks all that can be checked without asking anybody. A WHATWG URL has one
 * spelling of an address: `0x7f.1` and `2130706433` are `127.0.0.1` from here on. Throws `ServiceError` for what may not be asked.
 */
export function readTarget(text: string, settings: WebFetchSettings, base?: URL): FetchTarget {
  // A redirect has words of its site; what the model gave has not.
  const source = base === undefined ? "trusted" : undefined;
  const refused = (what: string, next: string): ServiceError =>
    new ServiceError(
      `${base === undefined ? "The URL" : `The redirect of ${base.host}`} ${what}, so it was not fetched. ${next}`,
      { source },
    );
  const url = URL.parse(text, base?.href);
  if (url === null) throw refused("is no absolute URL", "Give one that begins with https:// or http://");
  const secure = url.protocol === "https:";
  if (!secure && url.protocol !== "http:")
    throw refused(`has the scheme ${url.protocol}`, "Only http: and https: are fetched");
  if (url.username !== "" || url.password !== "")
    throw refused("holds a user name or a password", "Give it without them");
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  const host = bareHost(url);
  const { byName, byPort } = allowance(host, port, settings.allowHosts ?? []);
  const ports = settings.ports ?? PORTS;
  if (!byPort && !ports.includes(port))
    throw refused(`asks for port ${port}`, `Only these ports are asked: ${ports.join(", ")}`);
  const allowed = byName || byPort;
  // No name ends in several dots, or has two side by side: what a resolver makes of it is not known.
  if (!allowed && (host.includes("..") || !isOutside(host))) throw notPublic(url.host, source);
  url.hash = "";
  return { url, host, port, secure, allowed };
}

/** Nothing was asked of it, and nothing will be. */
export function notPublic(host: string, source?: "trusted"): ServiceError {
  return new ServiceError(`${host} is not a public address, so it was not asked. Use a page of the public internet`, {
    source,
  });
}

function isOutside(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.$/, "");
  return name.includes(".") && !insideNames.test(name);
}

/** Whether the app allows a host: on the usual ports, or on this one. */
function allowance(host: string, port: number, allowHosts: readonly string[]): { byName: boolean; byPort: boolean } {
  const entries = allowHosts.flatMap((entry) => allowedHost(entry) ?? []);
  return {
    byName: entries.some((entry) => entry.host === host && entry.port === undefined),
    byPort: entries.some((entry) => entry.host === host && entry.port === port),
  };
}
