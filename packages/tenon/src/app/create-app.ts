import { LEASE_MS } from "../config/defaults.js";
import type { Providers } from "../container/provider.js";
import { systemClock, type Clock } from "../util/clock.js";
import { systemIds, type Ids } from "../util/ids.js";
import type { AppOptions } from "./app-options.js";
import { App } from "./app.js";
import { assemble, type Assembly, type ModelFor } from "./assembly.js";
import type { WorkflowEntry } from "./define-workflow.js";
import { keepServers } from "./servers-of-app.js";
import { standardStore } from "./standard-store.js";

/**
 * Puts a workflow (or a single agent) together. Rejects with everything that is wrong with it at once (`AssemblyError`),
 * before any model call; starts, connects and recovers nothing.
 */
export function createApp<W extends WorkflowEntry, P extends readonly unknown[] | [] = [], L = unknown>(
  workflow: W,
  options?: Omit<AppOptions<P, L>, "providers"> & { readonly providers?: Providers<P, L> | undefined },
): Promise<App> {
  return createAppWith(workflow, options ?? {}, {});
}

/** What tests put in place of the real thing. */
export interface AppInternals {
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
  readonly modelFor?: ModelFor | undefined;
  /** Hears what the app was put together of, before anything runs. */
  readonly assembled?: ((assembly: Assembly) => void) | undefined;
}

/** `createApp` for the testing kit. */
export async function createAppWith(
  workflow: unknown,
  options: AppOptions,
  { clock = systemClock, ids = systemIds, modelFor, assembled }: AppInternals,
): Promise<App> {
  const assembly = await assemble(workflow, options, clock, modelFor);
  assembled?.(assembly);
  const store = options.store ?? (await standardStore(assembly.env));
  return keepServers(new App(assembly, options, store, options.leaseMs ?? LEASE_MS, clock, ids), assembly.servers);
}
