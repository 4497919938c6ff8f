import type { App } from "tenon";
import { exitCodes, type ExitCode } from "./exit-codes.js";
import type { Project } from "./load-project.js";
import { openProject } from "./open-project.js";

/**
 * Loads the project around the current folder, puts its app together, and closes it whatever happens. SIGTERM ends the work:
 * what runs gets the grace of `close` and is then left in the journal.
 */
export async function withApp(work: (app: App, project: Project) => Promise<ExitCode>): Promise<ExitCode> {
  const project = await openProject();
  const app = await project.createApp();
  const terminated = new Promise<ExitCode>((resolve) => process.once("SIGTERM", () => resolve(exitCodes.terminated)));
  try {
    return await Promise.race([work(app, project), terminated]);
  } finally {
    await app.close();
  }
}
