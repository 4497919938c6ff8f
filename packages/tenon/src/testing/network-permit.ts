import { shownValue } from "../config/options.js";
import { hostInUrl, isLoopback } from "../util/host-name.js";

/** Stands for every address of this machine's own. */
const LOOPBACK = "loopback";

/** Whether one of these allows the host: its name or address, `host:port`, `loopback`, or `*` for any. */
export function isPermitted(host: string, port: number | undefined, hosts: readonly string[]): boolean {
  const name = host.toLowerCase();
  const withPort = `${hostInUrl(name)}:${port}`;
  return hosts.some((permitted) => {
    const wanted = permitted.toLowerCase();
    if (wanted === LOOPBACK) return isLoopback(name);
    // A name that is looked up has no port yet.
    const byPort = port === undefined ? wanted.startsWith(`${name}:`) : wanted === withPort;
    return wanted === "*" || wanted === name || byPort;
  });
}

/** What is wrong with a list of hosts, as a whole clause, or `undefined`. */
export function hostsFault(hosts: unknown): string | undefined {
  if (!Array.isArray(hosts)) return `the hosts must be a list, not ${shownValue(hosts)}`;
  const wrong: unknown = hosts.find((host) => typeof host !== "string" || !/^[^\s/]+$/.test(host));
  if (wrong === undefined && hosts.every((host) => host !== undefined)) return undefined;
  return `a host is its name or its address, with a port if you like, not ${shownValue(wrong)}`;
}
