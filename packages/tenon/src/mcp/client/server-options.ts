import type { Class, Maybe } from "../../util/class.js";
import type { McpServerClient } from "./mcp-server-client.js";

/** An MCP server that an app uses: how to reach it, and which of its tools. */
export interface McpServerOptions {
  /** Matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`; its pins in `tenon.lock.json` stand under it. Each server of an app has its own. */
  readonly name: string;
  /** The program to start, which speaks on its standard input and output. Either this or `url`. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** The folder that it starts in. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** The address of a server that speaks streamable HTTP. Without user and password in it. */
  readonly url?: string | undefined;
  /**
   * Names of the environment variables that it needs. The started program gets these, from the app's `env`, and what any program
   * needs to start (`PATH`); no other. One that is not set is an error of the assembly.
   */
  readonly env?: readonly string[] | undefined;
  /**
   * Headers for a server with an address: made for each caller from the execution context of its run, and the values of `env`.
   * Callers with different headers share nothing at the server. Without a run (`tenon mcp check`) the context is `undefined`.
   */
  readonly headers?:
    | ((context: any, env: Readonly<Record<string, string>>) => Maybe<Readonly<Record<string, string>>>)
    | undefined;
  /** The server's names of the tools that the app uses. No other can be called or is ever offered. */
  readonly tools: readonly string[];
  /** How long the server may be silent during a call, in milliseconds; its words of progress count. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How long it may take to start, and then to list its tools, in milliseconds. Default 30,000. */
  readonly startTimeoutMs?: number | undefined;
  /** The lock file, from the folder of the declaring file. Default: the nearest `tenon.lock.json` upwards. */
  readonly lockFile?: string | URL | undefined;
}

/** A class decorated with `@McpServer`. */
export type McpServerClass = Class<McpServerClient>;

/** Where `@McpServer` keeps its options on the class; shared by all copies of the package. */
export const MCP_SERVER: unique symbol = Symbol.for("tenon.mcp.server") as never;

export interface McpServerDeclaration {
  readonly options: McpServerOptions;
  /** The file it stands in, as a URL, where the stack told. */
  readonly declaredIn: string | undefined;
}

/** What `@McpServer` said of a class, or of the class that it extends; `undefined` for anything else. */
export function serverDeclarationOf(target: unknown): McpServerDeclaration | undefined {
  return typeof target === "function"
    ? (target as unknown as { readonly [MCP_SERVER]?: McpServerDeclaration })[MCP_SERVER]
    : undefined;
}

/** How long a server may be silent during a call where nothing else is said, in milliseconds. */
export const SERVER_SILENT_MS = 60_000;
/** How long a server may take to start where nothing else is said, in milliseconds. */
export const SERVER_START_MS = 30_000;
/** How long a call of a server's tool may take where nothing else is said, in milliseconds: it may tell of progress for long. */
export const SERVER_TOOL_MS = 600_000;
