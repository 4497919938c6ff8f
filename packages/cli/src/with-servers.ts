import type { App } from "tenon";
import type * as Mcp from "tenon/mcp";
import { CommandError } from "./command-error.js";
import { exitCodes, type ExitCode } from "./exit-codes.js";
import { CLIENT_PEERS } from "./load-early.js";
import { loadProject, type Project } from "./load-project.js";
import { ownDoor } from "./own-doors.js";

/**
 * Loads the project around the current folder and the door `tenon/mcp` of its own `tenon`. The app is made by what gets
 * `createApp`: tools that are not pinned yet do not keep it from that.
 */
export async function withServers(
  work: (mcp: typeof Mcp, createApp: () => Promise<App>) => Promise<ExitCode>,
): Promise<ExitCode> {
  let project: Project;
  try {
    project = await loadProject(process.cwd(), CLIENT_PEERS);
  } catch (thrown) {
    throw new CommandError(exitCodes.project, thrown);
  }
  const mcp = await ownDoor("tenon/mcp", project.root);
  return work(mcp, async () => {
    try {
      return await project.createApp();
    } catch (thrown) {
      throw new CommandError(exitCodes.project, thrown);
    }
  });
}
