/** Whether a name or an address is this very machine, so that only it can reach what listens there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A name or an address as it stands in an address on the web: of version 6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
