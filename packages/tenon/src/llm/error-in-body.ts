const MAX_BODY = 100_000;

/** The error that a provider sent in a response of success, as it sent it; `undefined` where there is none. */
export function errorInBody(thrown: { readonly [key: string]: unknown }): object | undefined {
  const { statusCode, responseBody, data } = thrown;
  if (typeof statusCode !== "number" || statusCode < 200 || statusCode > 299) return undefined;
  // OpenRouter's package has read the body, and keeps the error alone.
  if (typeof data === "object" && data !== null && "message" in data && "code" in data) return data;
  if (typeof responseBody !== "string" || responseBody.length > MAX_BODY) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(responseBody);
  } catch {
    return undefined;
  }
  const error = typeof body === "object" && body !== null ? (body as { readonly error?: unknown }).error : undefined;
  if (typeof error === "string" && error !== "") return { message: error };
  return typeof error === "object" && error !== null && "message" in error ? error : undefined;
}
