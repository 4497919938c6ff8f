import { isIP } from "node:net";

/** An entry of `allowHosts`, as it was read. */
export interface AllowedHost {
  /** A name or an address, as it stands in a URL, without brackets. */
  readonly host: string;
  readonly port: number | undefined;
}

/** Reads an entry of `allowHosts`; `undefined` for what is no host. */
export function allowedHost(entry: unknown): AllowedHost | undefined {
  if (typeof entry !== "string" || entry.includes("*")) return undefined;
  const bare = isIP(entry) === 6;
  const url = URL.parse(`http://${bare ? `[${entry}]` : entry}/`);
  if (url === null || url.href !== `http://${url.host}/`) return undefined;
  const port = bare ? undefined : /:(\d+)$/.exec(entry)?.[1];
  return { host: bareHost(url), port: port === undefined ? undefined : Number(port) };
}

/** The host of a URL without brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
