/** What Node and its `fetch` call a connection that failed or broke. */
const CODES =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|HOSTUNREACH|NETUNREACH|NETDOWN|TIMEDOUT|AI_AGAIN|NOTFOUND)|UND_ERR_.+)$/;

/** Whether an error, or what caused it, is a connection that failed or broke. */
export function isNetworkFailure(thrown: unknown): boolean {
  let error: unknown = thrown;
  for (let depth = 0; depth < 5 && typeof error === "object" && error !== null; depth++) {
    const { code, name, message, cause } = error as { readonly [key: string]: unknown };
    if (typeof code === "string" && CODES.test(code)) return true;
    if (name === "TypeError" && (message === "fetch failed" || message === "terminated")) return true;
    error = cause;
  }
  return false;
}
