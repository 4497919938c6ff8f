/** What Node and its `fetch` call a connection that failed or broke. */
const CODES =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|HOSTUNREACH|NETUNREACH|NETDOWN|TIMEDOUT|AI_AGAIN|NOTFOUND)|UND_ERR_.+)$/;

/** What they are called where no connection came about. */
const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|network_blocked)$/;

/** What the AI SDK's packages throw before they send anything. */
const UNSENT = /^AI_(LoadAPIKey|LoadSetting|UnsupportedFunctionality|InvalidPrompt|InvalidArgument)Error$/;

type Fields = { readonly [key: string]: unknown };

/** Whether an error, or what caused it, is a connection that failed or broke. */
export function isNetworkFailure(thrown: unknown): boolean {
  return isOrCause(
    thrown,
    ({ code, name, message }) =>
      (typeof code === "string" && CODES.test(code)) ||
      (name === "TypeError" && (message === "fetch failed" || message === "terminated")),
  );
}

/** Whether an error, or what caused it, says that the request never left: there was no connection, or no request. */
export function isUnsent(thrown: unknown): boolean {
  return isOrCause(
    thrown,
    ({ code, name, syscall }) =>
      syscall === "connect" ||
      (typeof code === "string" && UNCONNECTED.test(code)) ||
      (typeof name === "string" && UNSENT.test(name)),
  );
}

function isOrCause(thrown: unknown, is: (error: Fields) => boolean): boolean {
  let error: unknown = thrown;
  for (let depth = 0; depth < 5 && typeof error === "object" && error !== null; depth++) {
    if (is(error as Fields)) return true;
    error = (error as Fields)["cause"];
  }
  return false;
}
