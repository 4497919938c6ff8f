import { CommandError } from "./command-error.js";
import { exitCodes } from "./exit-codes.js";
import { loadProject, type Project } from "./load-project.js";

/**
 * The project around the current folder, for a command. Whatever it cannot be loaded for, or its app cannot be made for, ends the
 * command with the code of a project. `peers` as `loadProject` has them.
 */
export async function openProject(peers?: readonly string[]): Promise<Project> {
  const project = await orEnd(() => loadProject(process.cwd(), peers));
  return { ...project, createApp: () => orEnd(project.createApp) };
}

/** Loads what a command needs of a project, or ends the command with the code of a project. */
export async function orEnd<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (thrown) {
    throw new CommandError(exitCodes.project, thrown);
  }
}
