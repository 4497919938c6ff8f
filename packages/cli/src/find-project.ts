import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProjectError } from "./command-error.js";

const CONFIGS = ["tenon.config.ts", "tenon.config.mts", "tenon.config.js", "tenon.config.mjs"];
const APP = join("src", "app.ts");

/** The file that a project is loaded from, and the folder that it stands for. */
export interface ProjectFile {
  readonly file: string;
  readonly root: string;
}

/**
 * The nearest `tenon.config.ts` from a folder upward, else the nearest `src/app.ts`. Throws `ProjectError` where there is
 * neither, or where one folder has two configurations.
 */
export function findProject(cwd: string): ProjectFile {
  const folders = foldersUpFrom(cwd);
  for (const root of folders) {
    const found = CONFIGS.filter((name) => existsSync(join(root, name)));
    if (found.length > 1)
      throw new ProjectError(
        `There are ${found.length} configurations in ${root}: ${found.join(", ")}`,
        "Keep one of them.",
        { folder: root },
      );
    if (found.length === 1) return { file: join(root, found[0]!), root };
  }
  for (const root of folders) if (existsSync(join(root, APP))) return { file: join(root, APP), root };
  throw new ProjectError(
    `There is no Tenon project in ${cwd} or above it`,
    "Make a `tenon.config.ts` with `export default { app: () => createApp(YourWorkflow) }`, or go to the folder of one.",
    { folder: cwd },
  );
}

/** The nearest `tsconfig.json` from a folder upward. */
export function findTsconfig(folder: string): string | undefined {
  return foldersUpFrom(folder)
    .map((each) => join(each, "tsconfig.json"))
    .find((path) => existsSync(path));
}

function foldersUpFrom(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}
