import nodeModule, { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { App, runOfPause, toolDefinitionOf } from "tenon";
import { ProjectError } from "./command-error.js";
import { findProject, findTsconfig } from "./find-project.js";
import { DOORS, loadEarly, modelPeers, VALIDATOR } from "./load-early.js";
import { isTenonError, textOf } from "./print-error.js";
import type { TenonConfig } from "./tenon-config.js";

/** What the commands call of the project's own `tenon`. */
export interface ProjectTenon {
  readonly runOfPause: typeof runOfPause;
  readonly toolDefinitionOf: typeof toolDefinitionOf;
}

/** A project that was loaded. */
export interface Project {
  readonly file: string;
  readonly root: string;
  /** Shown when a chat is opened on a terminal. */
  readonly greeting: string | undefined;
  readonly tenon: ProjectTenon;
  /** How its tools are offered. */
  readonly mcp: NonNullable<TenonConfig["mcp"]>;
  /** Puts the app together: every call makes one. */
  readonly createApp: () => Promise<App>;
}

/**
 * Finds and imports a project, TypeScript with decorators included, by the `tsconfig.json` nearest to its configuration.
 * `tenon` is the project's own copy. From then on the process works in the project's folder, so that relative paths (the
 * store's) mean the same wherever the command was called. `peers` are packages that `tenon` imports for this command: where
 * they are there, they are loaded early. Throws `ProjectError`, or what `tenon` itself throws.
 */
export async function loadProject(cwd: string, peers: readonly string[] = []): Promise<Project> {
  const { file, root } = findProject(cwd);
  process.chdir(root);
  const tenon = await ownTenon(file, peers);
  // Only now: from here on each file that is loaded takes longer.
  const { register } = await import("tsx/esm/api");
  register({ tsconfig: findTsconfig(dirname(file)) ?? false });
  // The loader wants the maps of all files. Those of packages are large, and nobody looks for a fault of the project there.
  nodeModule.setSourceMapsSupport?.(true, { nodeModules: false, generatedCode: false });
  const exported = await guarded(file, "could not be loaded", async () =>
    defaultOf((await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>),
  );
  const { app, greeting, mcp } = configOf(exported, file);
  return {
    file,
    root,
    greeting,
    tenon,
    mcp,
    createApp: async () => {
      const made = await guarded(file, "could not make its app", async () =>
        typeof app === "function" ? await (app as () => unknown)() : await app,
      );
      if (!isApp(made))
        throw new ProjectError(
          `${file} gives no app, but ${kindOf(made)}`,
          "Let `app` return what `createApp(…)` gives.",
          { file },
        );
      return made;
    },
  };
}

async function ownTenon(file: string, peers: readonly string[]): Promise<ProjectTenon> {
  let path: string;
  try {
    path = createRequire(file).resolve("tenon");
  } catch (thrown) {
    throw new ProjectError(
      `${file} has no package \`tenon\``,
      "Install it in the project; Tenon's docs/guide/start.md says how.",
      { file },
      thrown,
    );
  }
  const tenon = await guarded(
    file,
    "could not load `tenon`",
    async () => (await import(pathToFileURL(path).href)) as ProjectTenon,
  );
  await loadEarly(file, DOORS);
  await loadEarly(path, [...VALIDATOR, ...modelPeers(process.env), ...peers]);
  return tenon;
}

/** The default export; an imported CommonJS module has it one level further down. */
function defaultOf(exported: Readonly<Record<string, unknown>>): unknown {
  const { default: first } = exported;
  const isCommonJs = "module.exports" in exported && typeof first === "object" && first !== null && "default" in first;
  return isCommonJs ? first.default : first;
}

interface Config {
  readonly app: unknown;
  readonly greeting: string | undefined;
  readonly mcp: Project["mcp"];
}

function configOf(exported: unknown, file: string): Config {
  const next = "Write `export default { app: () => createApp(YourWorkflow) }`.";
  if (isClass(exported)) throw classError("has a class as its default export", exported.name, file);
  // A function makes the app; a promise gives it; an app is one.
  if (typeof exported === "function" || exported instanceof Promise || isApp(exported))
    return { app: exported, greeting: undefined, mcp: {} };
  if (typeof exported !== "object" || exported === null)
    throw new ProjectError(`${file} has no default export that can be used, but ${kindOf(exported)}`, next, { file });
  const { app, greeting, mcp = {}, ...rest } = exported as { readonly [member: string]: unknown };
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined)
    throw new ProjectError(
      `${file} has an unknown member \`${unknown}\``,
      "A configuration has `app` and, if wanted, `greeting` and `mcp`.",
      { file },
    );
  if (isClass(app)) throw classError("has a class as its `app`", app.name, file);
  if (app === undefined || app === null) throw new ProjectError(`${file} has no \`app\``, next, { file });
  if (greeting !== undefined && typeof greeting !== "string")
    throw new ProjectError(`The \`greeting\` of ${file} is ${kindOf(greeting)}`, "Make it a text.", { file });
  if (typeof mcp !== "object" || mcp === null || Array.isArray(mcp))
    throw new ProjectError(
      `The \`mcp\` of ${file} is ${kindOf(mcp)}`,
      "Make it an object with options of `serveMcp`.",
      {
        file,
      },
    );
  const strange = Object.keys(mcp).find((name) => !SERVING.includes(name));
  if (strange !== undefined)
    throw new ProjectError(
      `The \`mcp\` of ${file} has an unknown member \`${strange}\``,
      `It takes ${SERVING.join(", ")}; the rest is said by \`tenon mcp serve\`.`,
      { file },
    );
  return { app, greeting, mcp };
}

/** The options of `serveMcp` that a configuration may have. */
const SERVING: readonly string[] = ["tools", "authorize", "caller", "allowedHosts", "allowedOrigins", "elicit", "path"];

/** A workflow or an agent is a class: it is no app before `createApp` has put it together. */
function classError(what: string, name: string, file: string): ProjectError {
  return new ProjectError(
    `${file} ${what}${name === "" || name === "default" ? "" : `, ${name}`}`,
    `Write \`export default { app: () => createApp(${name === "" || name === "default" ? "YourWorkflow" : name}) }\`.`,
    { file },
  );
}

function isClass(value: unknown): value is { readonly name: string } {
  return typeof value === "function" && Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
}

function isApp(value: unknown): value is App {
  if (typeof value !== "object" || value === null) return false;
  const { describe, stream, close } = value as { readonly [member: string]: unknown };
  return [describe, stream, close].every((member) => typeof member === "function");
}

/** What `tenon` says stands as it is; anything else is told with the file that it came from. So is what can never come any more. */
export async function guarded<T>(file: string, what: string, load: () => Promise<T>): Promise<T> {
  const { promise: never, reject } = Promise.withResolvers<never>();
  const idle = (): void => reject(new Error("it waits for something that never comes"));
  process.once("beforeExit", idle);
  try {
    return await Promise.race([load(), never]);
  } catch (thrown) {
    if (isTenonError(thrown)) throw thrown;
    throw new ProjectError(
      `${file} ${what}: ${textOf(thrown)}`,
      "Mend it and try again; `--verbose` shows where it was thrown.",
      { file },
      thrown,
    );
  } finally {
    process.off("beforeExit", idle);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
