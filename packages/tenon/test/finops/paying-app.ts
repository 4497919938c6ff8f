import { createAppWith } from "../../src/app/create-app.js";
import { priced } from "../../src/doors/models/index.js";
import {
  defineAgent,
  defineWorkflow,
  memoryStore,
  usd,
  type AgentOptions,
  type App,
  type LanguageModel,
  type Limits,
  type Store,
} from "../../src/doors/tenon/index.js";
import type { Clock } from "../../src/util/clock.js";

/** A million tokens of input cost one dollar, of output ten. */
export const prices = { input: usd(1), output: usd(10) };

/** What an answer is. Without `usage` 100 tokens of input and 50 of output; with `undefined` none is told. */
export interface Said {
  readonly text?: string;
  readonly call?: string;
  /** How often it asks for the call; default once. */
  readonly times?: number;
  readonly finish?: string;
  readonly usage?: object | undefined;
}

type Turn = Said | (() => Said | Promise<Said>);

/** A model without a price that answers turn by turn over all runs, the last turn again and again. */
export function sayingModel(...turns: readonly Turn[]): LanguageModel & { readonly made: number } {
  let made = 0;
  return {
    specificationVersion: "v4",
    provider: "test",
    modelId: "m1",
    get made() {
      return made;
    },
    async doGenerate() {
      const turn = turns[Math.min(made++, turns.length - 1)]!;
      const said = typeof turn === "function" ? await turn() : turn;
      const { text = "done", call, times = 1, finish = call === undefined ? "stop" : "tool-calls" } = said;
      return {
        content:
          call === undefined
            ? [{ type: "text", text }]
            : Array.from({ length: times }, () => ({ type: "tool-call", toolCallId: "", toolName: call, input: "{}" })),
        finishReason: { unified: finish },
        usage: "usage" in said ? said.usage : { inputTokens: { total: 100 }, outputTokens: { total: 50 } },
      };
    },
    doStream: () => Promise.reject(new Error("Nobody listens.")),
  };
}

/** Fails as a provider with that status does. */
export function refuse(status: number): never {
  throw Object.assign(new Error("no"), { statusCode: status });
}

export interface PayingSetup extends Omit<Partial<AgentOptions>, "limits"> {
  readonly store?: Store;
  readonly limits: Limits;
  readonly clock?: Clock;
}

export async function payingApp(
  model: LanguageModel,
  { store = memoryStore(), limits, clock, ...agent }: PayingSetup,
): Promise<App> {
  const clerk = defineAgent({
    name: "clerk",
    description: "Works.",
    model: priced(model, prices),
    maxOutputTokens: 100,
    ...agent,
  });
  return createAppWith(
    defineWorkflow({ name: "desk", agents: [clerk], limits }),
    { store, env: {} },
    clock === undefined ? {} : { clock },
  );
}

/** What the ledger of a store has, as far as it tells what was paid. */
export async function paid(store: Store): Promise<object[]> {
  const entries = await store.ledger.entries({});
  return entries.map(({ kind, state, costNanoUsd, estimated }) => ({ kind, state, costNanoUsd, estimated }));
}
