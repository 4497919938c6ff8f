import { McpConnectionError, type McpFailureData, McpRefusedError } from "../../errors/mcp-connection-errors.js";
import { isNetworkFailure, isUnsent } from "../../llm/network-failure.js";
import { BodyTooLong } from "./bounded-body.js";
import type { HideValues } from "./hidden-values.js";
import { STREAM_ENDED } from "./http-transport.js";
import type { Link } from "./link.js";
import { UnreadableList } from "./list-pages.js";
import { UnreadableAnswer } from "./raw-result.js";
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
  const failed = (detail: string, data: McpFailureData, kind: { lost?: true; again?: true } = {}): RequestFailure => {
    const text = hide(detail).replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_DETAIL).toWellFormed();
    const error = new McpConnectionError(server, text === "" ? undefined : text, data, thrown);
    return { error, lost: kind.lost === true, again: kind.again === true };
  };
  if (thrown instanceof sdk.ProtocolError) {
    if (thrown.data === STREAM_ENDED) return failed(thrown.message, { reason: "lost", started: true });
    if (thrown.data === NO_MESSAGE) return failed(thrown.message, { reason: "unreadable", started: true });
    const message = hide(thrown.message).slice(0, LONGEST_DETAIL).toWellFormed();
    return { error: new McpRefusedError(server, method, thrown.code, message, thrown), lost: false, again: false };
  }
  if (thrown instanceof sdk.SdkHttpError) {
    const { status } = thrown;
    // The server forgot the session, and did nothing with the request.
    const expired = status === 404 && link.sessionId() !== undefined;
    const data: McpFailureData = { reason: "refused", started: status >= 500, status };
    return failed(`HTTP ${status}${bodyOf(thrown.message)}`, data, expired ? { lost: true, again: true } : {});
  }
  if (isNotSent(thrown)) return failed(textOf(thrown), { reason: "lost", started: false }, { lost: true, again: true });
  if (thrown instanceof sdk.SdkError && thrown.code === sdk.SdkErrorCode.ConnectionClosed)
    return failed(link.words(), { reason: "lost", started: true }, { lost: true });
  if (thrown instanceof BodyTooLong || !isNetworkFailure(thrown))
    return failed(textOf(thrown), { reason: "unreadable", started: true });
  return failed(textOf(thrown), { reason: "lost", started: true });
}

/** A failure to get a link at all: `start`, and nothing was sent. */
export function startFailure(
  server: string,
  thrown: unknown,
  words: string,
  hide: HideValues,
  timedOut: boolean,
): McpConnectionError {
  const status = statusOf(thrown);
  const detail = timedOut ? "it did not answer in time" : status === undefined ? textOf(thrown) : `HTTP ${status}`;
  const said = words === "" ? detail : `${detail}; its last words: ${words}`;
  const text = hide(said)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 2 * LONGEST_DETAIL)
    .toWellFormed();
  return new McpConnectionError(
    server,
    text,
    { reason: "start", started: false, ...(status !== undefined && { status }) },
    thrown,
  );
}

/** Whether a later attempt to connect may succeed: not where the server says that it is for nobody, or where no such program is. */
export function mayPassLater(thrown: unknown, endedAlone: boolean): boolean {
  const status = statusOf(thrown);
  if (status !== undefined) return status >= 500 || status === 408 || status === 425 || status === 429;
  return endedAlone || isNetworkFailure(thrown);
}

function statusOf(thrown: unknown): number | undefined {
  const { status } = thrown as { readonly status?: unknown };
  return typeof status === "number" && status > 0 ? status : undefined;
}

function isNotSent(thrown: unknown): boolean {
  if (thrown instanceof NotSent || isUnsent(thrown)) return true;
  return thrown instanceof Error && /^Not connected$/.test(thrown.message);
}

/** What of the SDK's message the server said: it stands after its own words. */
function bodyOf(message: string): string {
  const body = message.replace(/^Error POSTing to endpoint: (null|undefined)?/, "").trim();
  return body === "" ? "" : `: ${body.slice(0, 200)}`;
}

function textOf(thrown: unknown): string {
  if (thrown instanceof UnreadableList || thrown instanceof UnreadableAnswer) return thrown.message;
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  return cause instanceof Error ? `${thrown.message}: ${cause.message}` : thrown.message;
}
