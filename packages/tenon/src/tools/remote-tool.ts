import type { Maybe } from "../util/class.js";

/** A server outside of this process that tools live on. `context`: the execution context of the run, which a server may tell its callers by. */
export interface RemoteServer {
  /** Its name, for people. */
  readonly name: string;
  /**
   * Looks before a model call at the tools that a run has of it, and gives those that are not there now, or not as they were taken
   * for. `first`: the first time for a run in this process; throws, or rejects with, what fails the run: the server is not to be
   * reached, or a tool is not what it was taken for.
   */
  look(tools: readonly string[], first: boolean, context: unknown): Maybe<readonly string[]>;
  /** Throws, or rejects with, what keeps a tool from being called now: `ToolGone`, or why the server is not to be reached. */
  usable(tool: string, context: unknown): Maybe<void>;
}

/** Where a tool lives that does not run in this process. */
export interface RemoteTool {
  readonly server: RemoteServer;
  /** Its name there. */
  readonly tool: string;
}

/** The tools of a toolset that live on one server, by their names there. */
export interface RemoteGroup {
  readonly server: RemoteServer;
  readonly tools: readonly string[];
}

/** A tool is not there any more, or no longer what it was taken for. Its call ends with `tool_gone`. */
export class ToolGone extends Error {}

/** The tools that live elsewhere, by their servers; `undefined` where there are none. */
export function remoteGroups(
  tools: readonly { readonly remote: RemoteTool | undefined }[],
): readonly RemoteGroup[] | undefined {
  const groups = new Map<RemoteServer, string[]>();
  for (const { remote } of tools) {
    if (remote === undefined) continue;
    const known = groups.get(remote.server);
    if (known === undefined) groups.set(remote.server, [remote.tool]);
    else known.push(remote.tool);
  }
  return groups.size === 0 ? undefined : [...groups].map(([server, names]) => ({ server, tools: names }));
}
