import { MissingVariableError, ModelError } from "../errors/environment-errors.js";
import { ScriptError } from "../errors/testing-errors.js";
import { textOf } from "../errors/tenon-error.js";
import { isUnreadableAnswer } from "./broken-answer.js";
import { errorInBody } from "./error-in-body.js";
import { isNetworkFailure, isUnsent } from "./network-failure.js";
import { namedStatus } from "./named-status.js";
import { retryAfterOf } from "./retry-after.js";

const MAX_MESSAGE = 500;
const SECRET = /\b(?:bearer\s+[^\s"',]+|(?:sk|pk|rk|key|api|token)[-_][A-Za-z0-9_-]{12,})/gi;

/**
 * Whatever a provider threw or sent as an error, as a `ModelError`: its HTTP status where there is one, how long it asks to wait,
 * whether the connection failed, or never was, or what came cannot be read, and a message of at most 500 characters. Headers and bodies are not taken over (but for the message of an
 * error that came with a status of success), and what looks like a key is masked; an error that carries
 * the request is not kept as `cause`. A scripted model's own `ScriptError` and a `MissingVariableError` stay as they are. Never throws.
 */
export function toModelError(
  model: string,
  thrown: unknown,
  hint: (status: number | undefined) => string | undefined = noHint,
): ModelError | MissingVariableError | ScriptError {
  try {
    if (thrown instanceof ModelError || ScriptError.is(thrown) || MissingVariableError.is(thrown)) return thrown;
    const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as { [key: string]: unknown };
    const inBody = errorInBody(error);
    if (inBody !== undefined) return toModelError(model, inBody, hint);
    const sent = !(thrown instanceof Error);
    const status =
      statusOf(error["statusCode"]) ??
      statusOf(error["status"]) ??
      statusOf(error["code"]) ??
      (sent ? (namedStatus(error["code"]) ?? namedStatus(error["type"])) : undefined);
    const said =
      typeof error["message"] === "string" && error["message"] !== ""
        ? error["message"]
        : thrown instanceof Error
          ? textOf(thrown)
          : typeof thrown === "string"
            ? thrown
            : "the provider gave no message";
    const code = sent && typeof error["code"] === "string" ? error["code"].slice(0, 60) : undefined;
    const head = status !== undefined ? `status ${status}, ` : code === undefined ? "" : `${code}: `;
    const advice = hint(status);
    const text = bounded(
      `${head}${advice === undefined ? "" : `${advice}; the server said: `}${said}`.replace(SECRET, "[masked]"),
    );
    return new ModelError(
      model,
      text,
      {
        status,
        ...connectionOf(thrown, status),
        ...wishOf(error["responseHeaders"]),
      },
      carriesRequest(error) || !(thrown instanceof Error) ? undefined : thrown,
    );
  } catch {
    return new ModelError(model, "an error that cannot be shown", {});
  }
}

/** How long the provider asks to wait. */
function wishOf(headers: unknown): { readonly retryAfterMs?: number | undefined } {
  const retryAfterMs = retryAfterOf(headers);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

const noHint = (): undefined => undefined;

function statusOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 100 && value < 600 ? value : undefined;
}

function carriesRequest(error: object): boolean {
  return (
    "requestBodyValues" in error ||
    "responseHeaders" in error ||
    "prompt" in error ||
    "request" in error ||
    "config" in error ||
    "headers" in error
  );
}

function bounded(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  return `${text.slice(0, MAX_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** What is known of the connection, where no status says that the provider refused. */
function connectionOf(thrown: unknown, status: number | undefined): { readonly network?: true; readonly sent?: false } {
  const refused = status !== undefined && status >= 400;
  return {
    ...(!refused && (isNetworkFailure(thrown) || isUnreadableAnswer(thrown)) ? { network: true } : {}),
    ...(status === undefined && isUnsent(thrown) ? { sent: false } : {}),
  };
}
