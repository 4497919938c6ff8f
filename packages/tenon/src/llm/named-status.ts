const named: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["api_error", 500],
  ["server_error", 500],
  ["internal_error", 500],
  ["internal_server_error", 500],
  ["engine_overloaded", 503],
  ["service_unavailable", 503],
  ["service_unavailable_error", 503],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** The HTTP status that an error of a provider's would have had, by its name or its digits; `undefined` for any other value. */
export function namedStatus(code: unknown): number | undefined {
  if (typeof code !== "string") return undefined;
  return /^[1-5]\d\d$/.test(code) ? Number(code) : named.get(code);
}
