import { McpConnectionError } from "../../errors/mcp-connection-errors.js";
import { isNetworkFailure } from "../../llm/network-failure.js";
import { oneLine, textWithCause } from "./failure-text.js";
import type { HideValues } from "./hidden-values.js";
import type { LinkNotOpened } from "./link.js";
import type { ServerSpec } from "./server-spec.js";

const LONGEST_DETAIL = 1_000;

/** A failure to get a link: `start`, and nothing was sent. */
export function startFailure(
  { name, startTimeoutMs }: ServerSpec,
  failed: LinkNotOpened,
  hide: HideValues,
): McpConnectionError {
  const { cause, words, timedOut } = failed;
  const status = statusOf(cause);
  const detail = timedOut
    ? `it did not answer within ${startTimeoutMs} ms`
    : status === undefined
      ? textWithCause(cause)
      : `HTTP ${status}`;
  const said = words === "" ? detail : `${detail}; its last words: ${words}`;
  const data = { reason: "start", started: false, ...(status !== undefined && { status }) } as const;
  // What the server itself said may hold what must not be shown.
  const shownCause = status === undefined && words === "" ? cause : undefined;
  return new McpConnectionError(name, oneLine(said, hide, LONGEST_DETAIL), data, shownCause);
}

/** Whether a later attempt may succeed: not where the server says that it is for nobody, where it is silent, or where no such program is. */
export function mayPassLater({ cause, endedAlone, timedOut }: LinkNotOpened): boolean {
  if (timedOut) return false;
  const status = statusOf(cause);
  if (status !== undefined) return status >= 500 || LATER.has(status);
  return endedAlone || isNetworkFailure(cause);
}

const LATER = new Set([408, 425, 429]);

function statusOf(thrown: unknown): number | undefined {
  const { status } = Object(thrown) as { readonly status?: unknown };
  return typeof status === "number" && status > 0 ? status : undefined;
}
