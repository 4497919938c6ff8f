import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Tenon from "tenon";
import type * as Dto from "tenon/dto";
import type * as Mcp from "tenon/mcp";
import { CommandError, ProjectError } from "./command-error.js";
import { exitCodes } from "./exit-codes.js";
import { guarded } from "./load-project.js";
import { orEnd } from "./open-project.js";

/** The doors of the project's own `tenon`. */
interface Doors {
  readonly tenon: typeof Tenon;
  readonly "tenon/dto": typeof Dto;
  readonly "tenon/mcp": typeof Mcp;
}

/** Loads a door of the `tenon` that a folder's files would import. Ends the command with the code of a project where there is none that loads. */
export async function ownDoor<D extends keyof Doors>(door: D, folder: string): Promise<Doors[D]> {
  let path: string;
  try {
    path = createRequire(join(folder, "any.js")).resolve(door);
  } catch (thrown) {
    throw new CommandError(
      exitCodes.project,
      new ProjectError(
        `${folder} has no package \`tenon\` with the door \`${door}\``,
        "Install it in the project; Tenon's docs/guide/start.md says how.",
        { folder },
        thrown,
      ),
    );
  }
  return orEnd(() =>
    guarded(path, "could not be loaded", async () => (await import(pathToFileURL(path).href)) as Doors[D]),
  );
}
