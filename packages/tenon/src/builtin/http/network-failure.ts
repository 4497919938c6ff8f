/** What was thrown and what it names as its cause, and so on. */
export function causesOf(thrown: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let at = thrown; at instanceof Error && causes.length < 4; at = at.cause) causes.push(at);
  return causes;
}

/** The code of a network failure: `fetch` hides it in a cause. */
export function codeOf(causes: readonly Error[]): string | undefined {
  for (const { code } of causes as readonly Failure[])
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]*$/.test(code)) return code;
  return undefined;
}

/**
 * Whether a failure says that there was no connection, so nothing was sent. The same codes also come from a connection that
 * was made and broke (`EHOSTUNREACH` of a `read`): what the system was asked to do decides, not the code.
 */
export function neverConnected(causes: readonly Error[]): boolean {
  const failures = causes as readonly Failure[];
  return failures.some((cause) => {
    if (Array.isArray(cause.errors) && cause.errors.length > 0) return cause.errors.every(isUnsent);
    return isUnsent(cause);
  });
}

interface Failure {
  readonly code?: unknown;
  readonly syscall?: unknown;
  /** Of several addresses, one each. */
  readonly errors?: unknown;
}

function isUnsent(cause: unknown): boolean {
  const { code, syscall } = (cause ?? {}) as Failure;
  return (
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    syscall === "connect" ||
    syscall === "getaddrinfo" ||
    // The system's resolver says so also without a call.
    code === "ENOTFOUND" ||
    code === "EAI_AGAIN"
  );
}
