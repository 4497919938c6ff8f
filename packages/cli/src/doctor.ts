import type { App, AppHealth } from "tenon";
import { lacksOf, NOTHING, type Lacks } from "./app-lacks.js";
import { checkEnvironment } from "./check-environment.js";
import { checkFlags, checkNode } from "./check-node.js";
import { checkPackages } from "./check-packages.js";
import { checkTsconfig } from "./check-tsconfig.js";
import type { DoctorCheck } from "./doctor-check.js";
import { findProject } from "./find-project.js";
import { loadProject } from "./load-project.js";
import { storeText } from "./print-description.js";
import { textOf } from "./print-error.js";

/** How long a model may take to answer, in milliseconds. */
const MODEL_MS = 60_000;

/**
 * Looks at everything that a project needs, one after the other, however much of it is broken. Runs no agent; a model is
 * called only with `models`.
 */
export async function examine(cwd: string, models: boolean): Promise<readonly DoctorCheck[]> {
  const always = [checkNode(), checkFlags()];
  let file: string;
  try {
    ({ file } = findProject(cwd));
  } catch (thrown) {
    return [...always, { name: "project", level: "problem", message: textOf(thrown) }];
  }
  const opened = await open(cwd);
  const { app } = opened;
  const { fault, lacks } = opened.app === undefined ? opened : { fault: undefined, lacks: NOTHING };
  try {
    return [
      ...always,
      checkTsconfig(file),
      { name: "project", level: fault === undefined ? "ok" : "problem", message: fault ?? file },
      checkPackages(file, app?.describe(), lacks),
      checkEnvironment(app?.describe(), lacks),
      ...(app === undefined ? [] : healthChecks(await health(app, models))),
    ];
  } finally {
    await app?.close();
  }
}

async function open(
  cwd: string,
): Promise<{ readonly app: App } | { readonly app: undefined; readonly fault: string; readonly lacks: Lacks }> {
  try {
    return { app: await (await loadProject(cwd)).createApp() };
  } catch (thrown) {
    return { app: undefined, fault: textOf(thrown), lacks: lacksOf(thrown) };
  }
}

function health(app: App, models: boolean): Promise<AppHealth> {
  return app.health(models ? { models, signal: AbortSignal.timeout(MODEL_MS) } : {});
}

function healthChecks({ store, models = [] }: AppHealth): readonly DoctorCheck[] {
  return [
    {
      name: "store",
      level: store.ok ? (store.kind === "memory" ? "note" : "ok") : "problem",
      message: `${storeText({ store })}${store.ok ? "" : `: ${store.error}`}`,
    },
    ...models.map(({ model, agents, ok, error }): DoctorCheck => ({
      name: "model",
      level: ok ? "ok" : "problem",
      message: `${model} (${agents.join(", ")}) ${ok ? "answers" : `does not answer: ${error?.message}`}`,
    })),
  ];
}
