import type { Env } from "../config/env-names.js";
import type { Root } from "../container/check-graph.js";
import { createContainer, type Container } from "../container/container.js";
import { depsOf } from "../container/inject.js";
import { provide } from "../container/provide.js";
import { APP_ENV } from "./app-env.js";
import type { AppOptions } from "./app-options.js";
import type { Violations } from "./violations.js";
import type { WorkflowOptions } from "./workflow.js";

/** What the container of an app is made of. */
interface AppContainerParts {
  readonly options: AppOptions;
  readonly workflow: WorkflowOptions;
  readonly env: Env;
  readonly roots: readonly Root[];
  readonly hooks: readonly Root[];
  /** Hears of every value that is made. */
  readonly onMade: (value: unknown) => void;
}

/**
 * The container of an app: what every app provides, then the workflow's providers, then the app's own. What is wrong with it, or
 * with what its hooks depend on, is a violation.
 */
export function appContainer(
  { options, workflow, env, roots, hooks, onMade }: AppContainerParts,
  violations: Violations,
): Container {
  const { container, violations: found } = createContainer({
    providers: [
      { at: "what every app provides", entries: [provide(APP_ENV, { useValue: env })] },
      { at: `providers of workflow ${workflow.name}`, entries: workflow.providers },
      { at: "providers of createApp", entries: options.providers },
    ],
    roots: [...roots, ...hooks],
    onMade,
  });
  for (const violation of found) violations.add(violation);
  if (found.length > 0) return container;
  for (const { name, cls } of hooks)
    if (container.lifetime(depsOf(cls!).deps) === "run")
      violations.addAll(name, ["a hook is made once for the app, so it cannot depend on what is made for each run"]);
  return container;
}
