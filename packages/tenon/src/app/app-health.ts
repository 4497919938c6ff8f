import type { BoundAgent } from "../agents/bound-agent.js";
import { userMessage } from "../agents/transcript.js";
import { checkOptions, maybe } from "../config/options.js";
import { BadInputError } from "../errors/run-errors.js";
import { textOf, toErrorData } from "../errors/tenon-error.js";
import type { Store } from "../journal/store.js";
import { createPromptMemo, type Model } from "../llm/model.js";
import { withItsFallbacks } from "../llm/with-fallbacks.js";
import type { ErrorData } from "../protocol/outcome.js";

/** What to look at besides the app itself. */
export interface HealthOptions {
  /** Asks each model for one word. That may cost money, which no budget counts. Default false. */
  readonly models?: boolean | undefined;
  /** Ends the waiting for models: those that have not answered are not well. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether a model answers. */
export interface ModelHealth {
  readonly model: string;
  /** The agents that use it. */
  readonly agents: readonly string[];
  readonly ok: boolean;
  readonly error: ErrorData | undefined;
}

/** How an app is. */
export interface AppHealth {
  /** Where runs are kept. */
  readonly store: {
    readonly kind: string;
    readonly location: string;
    readonly ok: boolean;
    readonly error?: string | undefined;
  };
  readonly activeRuns: number;
  /** Listeners and disposers that threw; each was survived. */
  readonly faults: number;
  readonly closed: boolean;
  /** Only where they were asked for. */
  readonly models?: readonly ModelHealth[] | undefined;
}

function checkHealthOptions(options: HealthOptions): void {
  const faults = checkOptions(options, healthRules);
  if (faults.length > 0)
    throw new BadInputError("The options cannot be used", faults.join("; "), "Pass `{ models: true }`, or nothing.");
}

/** How an app is, by what it tells of itself, its store and, where asked, its models. Rejects only, with `BadInputError`, for options that it does not have. */
export async function healthOf(
  store: Store,
  agents: readonly BoundAgent[],
  own: Pick<AppHealth, "activeRuns" | "faults" | "closed">,
  options: HealthOptions,
): Promise<AppHealth> {
  checkHealthOptions(options);
  const { models, signal } = options;
  const health = { store: await storeHealth(store), ...own };
  return models === true ? { ...health, models: await modelHealth(agents, signal) } : health;
}

/** Whether a store can be used now. Never rejects. */
async function storeHealth(store: Store): Promise<AppHealth["store"]> {
  const { kind, location } = store;
  let error: string | undefined;
  try {
    await store.check();
  } catch (thrown) {
    error = textOf(thrown);
  }
  return { kind, location, ok: error === undefined, error };
}

/** Asks each model once, all at the same time, whichever agents share it. Never rejects. */
function modelHealth(agents: readonly BoundAgent[], signal?: AbortSignal): Promise<readonly ModelHealth[]> {
  const users = new Map<Model, BoundAgent[]>();
  for (const agent of agents) {
    for (const model of withItsFallbacks(agent.model)) {
      const known = users.get(model);
      if (known === undefined) users.set(model, [agent]);
      else known.push(agent);
    }
  }
  return Promise.all(
    [...users].map(async ([model, [first, ...others]]): Promise<ModelHealth> => {
      const named = { model: model.id, agents: [first!, ...others].map(({ name }) => name) };
      try {
        await model.generate({
          system: undefined,
          messages: [userMessage("Answer with the word ok.")],
          tools: [],
          signal: signal ?? new AbortController().signal,
          memo: createPromptMemo(),
          settings: first!.settings,
        });
        return { ...named, ok: true, error: undefined };
      } catch (thrown) {
        return { ...named, ok: false, error: toErrorData(thrown) };
      }
    }),
  );
}

const healthRules = {
  models: maybe((value) => (typeof value === "boolean" ? undefined : "models must be true or false")),
  signal: maybe((value) => (value instanceof AbortSignal ? undefined : "signal must be an AbortSignal")),
};
