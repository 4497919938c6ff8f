import type { App } from "tenon";
import type * as Mcp from "tenon/mcp";
import type { ExitCode } from "./exit-codes.js";
import { CLIENT_PEERS } from "./load-early.js";
import { openProject } from "./open-project.js";
import { ownDoor } from "./own-doors.js";

/**
 * Loads the project around the current folder and the door `tenon/mcp` of its own `tenon`. The app is made by what gets
 * `createApp`: tools that are not pinned yet do not keep it from that.
 */
export async function withServers(
  work: (mcp: typeof Mcp, createApp: () => Promise<App>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { root, createApp } = await openProject(CLIENT_PEERS);
  return work(await ownDoor("tenon/mcp", root), createApp);
}
