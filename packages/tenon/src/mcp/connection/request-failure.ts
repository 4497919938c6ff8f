import { McpConnectionError, type McpFailureData, McpRefusedError } from "../../errors/mcp-connection-errors.js";
import { isNetworkFailure, isUnsent } from "../../llm/network-failure.js";
import { BodyTooLong } from "./bounded-body.js";
import { oneLine, textWithCause } from "./failure-text.js";
import type { HideValues } from "./hidden-values.js";
import { STREAM_ENDED } from "./http-transport.js";
import type { Link } from "./link.js";
import { NO_MESSAGE, NotSent } from "./stdio-transport.js";

/** A request that failed. */
export interface RequestFailure {
  readonly error: McpConnectionError | McpRefusedError;
  /** The link is of no use any more. */
  readonly lost: boolean;
  /** The request surely did nothing, and another link may carry it. */
  readonly again: boolean;
}

const LONGEST_DETAIL = 500;

/** What a failure of a request on a link means. */
export function requestFailure(
  server: string,
  method: string,
  thrown: unknown,
  link: Link,
  hide: HideValues,
): RequestFailure {
  const { sdk } = link;
  // What the server itself said may hold what must not be shown: it is no cause.
  const failed = (detail: string, data: McpFailureData, cause?: unknown): RequestFailure => {
    const error = new McpConnectionError(server, oneLine(detail, hide, LONGEST_DETAIL), data, cause);
    return { error, lost: false, again: false };
  };
  if (thrown instanceof sdk.ProtocolError) {
    if (thrown.data === STREAM_ENDED) return failed(thrown.message, { reason: "lost", started: true });
    if (thrown.data === NO_MESSAGE) return failed(thrown.message, { reason: "unreadable", started: true });
    const message = oneLine(thrown.message, hide, LONGEST_DETAIL) ?? "no message";
    return { error: new McpRefusedError(server, method, thrown.code, message), lost: false, again: false };
  }
  if (thrown instanceof sdk.InsufficientScopeError)
    return failed(thrown.message, { reason: "refused", started: false, status: 403 });
  if (thrown instanceof sdk.SdkHttpError) {
    const { status } = thrown;
    const data: McpFailureData = { reason: "refused", started: status >= 500 || status === 408, status };
    // The server forgot the session, and did nothing with the request.
    const expired = status === 404 && link.sessionId() !== undefined;
    return { ...failed(`HTTP ${status}${bodyOf(thrown.message)}`, data), lost: expired, again: expired };
  }
  if (isNotSent(thrown))
    return { ...failed(textWithCause(thrown), { reason: "lost", started: false }, thrown), lost: true, again: true };
  if (thrown instanceof sdk.SdkError && thrown.code === sdk.SdkErrorCode.ConnectionClosed)
    return { ...failed(link.words(), { reason: "lost", started: true }), lost: true };
  if (thrown instanceof BodyTooLong || !isNetworkFailure(thrown))
    return failed(textWithCause(thrown), { reason: "unreadable", started: true });
  return failed(textWithCause(thrown), { reason: "lost", started: true }, thrown);
}

function isNotSent(thrown: unknown): boolean {
  if (thrown instanceof NotSent || isUnsent(thrown)) return true;
  return thrown instanceof Error && thrown.message === "Not connected";
}

/** What of the SDK's message the server said: it stands after its own words. */
function bodyOf(message: string): string {
  const body = message.replace(/^Error POSTing to endpoint: (null|undefined)?/, "").trim();
  return body === "" ? "" : `: ${body.slice(0, 10_000)}`;
}
