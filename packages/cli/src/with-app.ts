import type { App } from "tenon";
import { CommandError } from "./command-error.js";
import { exitCodes, type ExitCode } from "./exit-codes.js";
import { loadProject, type Project } from "./load-project.js";

/**
 * Loads the project around the current folder, puts its app together, and closes it whatever happens. SIGTERM ends the work:
 * what runs gets the grace of `close` and is then left in the journal.
 */
export async function withApp(work: (app: App, project: Project) => Promise<ExitCode>): Promise<ExitCode> {
  const { app, project } = await opened();
  const terminated = new Promise<ExitCode>((resolve) => process.once("SIGTERM", () => resolve(exitCodes.terminated)));
  try {
    return await Promise.race([work(app, project), terminated]);
  } finally {
    await app.close();
  }
}

async function opened(): Promise<{ readonly app: App; readonly project: Project }> {
  try {
    const project = await loadProject(process.cwd());
    return { app: await project.createApp(), project };
  } catch (thrown) {
    throw new CommandError(exitCodes.project, thrown);
  }
}
