import { TenonError } from "./tenon-error.js";

/**
 * How an MCP server failed to answer. `start`: it could not be started or reached. `lost`: the connection broke off. `refused`: it
 * answered with an HTTP status that is none of success. `unreadable`: what it answered cannot be read. `idle`: it was silent for
 * too long. `aborted`: the caller's signal said so. `busy`: too many callers have sessions. `closed`: this side was closed.
 */
export type McpFailure = "start" | "lost" | "refused" | "unreadable" | "idle" | "aborted" | "busy" | "closed";

/** What is known of a failure. */
export interface McpFailureData {
  readonly reason: McpFailure;
  /** Whether the request may have reached the server, so that what it asks for may have happened. */
  readonly started: boolean;
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
}

const FAILED: { readonly [reason in McpFailure]: string } = {
  start: "cannot be reached",
  lost: "went away",
  refused: "refused the request",
  unreadable: "gave an answer that cannot be read",
  idle: "was silent for too long",
  aborted: "was not waited for",
  busy: "has too many callers at once",
  closed: "is not used any more",
};

/**
 * An MCP server could not be reached, or did not answer. `data` has `server`, `reason`, `status` and `started`: whether the request
 * may have reached it. It holds no value of the server's environment and of a caller's headers.
 */
export class McpConnectionError extends TenonError<"mcp_connection"> {
  static readonly code = "mcp_connection";

  constructor(server: string, detail: string | undefined, data: McpFailureData, cause?: unknown) {
    const { reason, started } = data;
    const next = started
      ? "The request may have reached it: look at what happened before you repeat it."
      : reason === "start"
        ? "Look at its command or address and at its environment (a program gets PATH and the variables that `env` names, and no others); the request was not sent."
        : "The request did nothing: it may be repeated.";
    super(
      "mcp_connection",
      { what: `The MCP server "${server}" ${FAILED[reason]}`, value: detail, next },
      { server, ...data },
      cause,
    );
  }
}

/** An MCP server answered a request with an error of its protocol: it did not do it. `data` has `server`, `method` and the server's `error` number. */
export class McpRefusedError extends TenonError<"mcp_refused"> {
  static readonly code = "mcp_refused";

  constructor(server: string, method: string, error: number, message: string, cause?: unknown) {
    super(
      "mcp_refused",
      {
        what: `The MCP server "${server}" answered ${method} with an error`,
        value: `${message} (${error})`,
        next: "Look at the arguments, and whether the server still offers this.",
      },
      { server, method, error },
      cause,
    );
  }
}
