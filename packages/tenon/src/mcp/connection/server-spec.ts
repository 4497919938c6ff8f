import type { Maybe } from "../../util/class.js";

/** Everything that is needed to reach one MCP server: either a command or an address. */
export interface ServerSpec {
  /** What errors call it. */
  readonly name: string;
  /** The program to start, found on the `PATH`. It speaks on its standard input and output. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** The folder that it starts in. Default: this process's. */
  readonly cwd?: string | undefined;
  /** The address of a server that speaks streamable HTTP. */
  readonly url?: string | undefined;
  /** The environment of the started program: these, and of this process's only what a program needs to start (`childEnvironment`). */
  readonly env: Readonly<Record<string, string>>;
  /** Headers for a server with an address, made for each caller from the execution context. Callers with different headers share nothing. */
  readonly headers?: ((context: unknown) => Maybe<Readonly<Record<string, string>>>) | undefined;
  /** How long the server may take to start and to agree on a revision, and then to list what it has, in milliseconds. */
  readonly startTimeoutMs: number;
  /**
   * How long the server may be silent in a call, in milliseconds. Each word of progress begins it anew; the whole time is the matter
   * of the call's signal.
   */
  readonly idleTimeoutMs: number;
}
