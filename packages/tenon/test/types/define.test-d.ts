/** What the compiler accepts and refuses of values in the place of classes, and of models. Checked by `npm run typecheck`; never run. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { createOpenAICompatible as createV2 } from "openai-compatible-v2";
import { createOpenAICompatible as createV3 } from "openai-compatible-v3";
import {
  Agent,
  createApp,
  defineAgent,
  defineTool,
  defineWorkflow,
  provide,
  optional,
  token,
  toolOf,
  Workflow,
  type AgentDefinition,
  type LanguageModel,
  type ModelCatalog,
  type ToolDefinition,
  type WorkflowDefinition,
} from "tenon";
import { testWith } from "tenon/testing";
import { webFetch } from "tenon/tools/web-fetch";

const tool = defineTool({ name: "t", description: "d", run: () => 1 });
const SIZE = token<number>("SIZE");

const agent: AgentDefinition<"a"> = defineAgent({
  name: "a",
  description: "d",
  tools: [tool],
  thinking: "low",
  maxOutputTokens: 5,
  providerOptions: { anthropic: { effort: "low", list: [1, { deep: null }] } },
});
@Agent({ name: "b", description: "d", thinking: "off" })
class B {}
const flow: WorkflowDefinition<"w"> = defineWorkflow({
  name: "w",
  agents: [agent, B],
  providers: [{ provide: SIZE, useValue: 1 }, provide(SIZE, { useValue: 2 })],
});
@Workflow({ name: "c", agents: [agent] })
class C {}

export async function forms(): Promise<void> {
  const app = await createApp(flow);
  await createApp(agent);
  await createApp(C);
  await createApp(B);
  await app.run({ prompt: "p" }, { agent });
  await app.agent(agent).run({ prompt: "p" });
  testWith(flow)("t", ({ mockLlm }) => void [mockLlm(agent), mockLlm(B)]);
  testWith(agent);

  // @ts-expect-error a tool is no agent
  defineWorkflow({ name: "w", agents: [tool] });
  // @ts-expect-error a workflow is no agent
  defineWorkflow({ name: "w", agents: [flow] });
  // @ts-expect-error a workflow is no agent
  await app.run({ prompt: "p" }, { agent: flow });
  // @ts-expect-error a tool is no app
  await createApp(tool);
  // @ts-expect-error a tool is no app
  testWith(tool);
  // @ts-expect-error an object with the members is no agent: only defineAgent makes one
  await createApp({ kind: "agent", name: "a" });
  // @ts-expect-error the value does not fit its token
  defineWorkflow({ name: "w", agents: [agent], providers: [{ provide: SIZE, useValue: "1" }] });
  // @ts-expect-error an agent needs a description
  defineAgent({ name: "a" });
  // @ts-expect-error no such option
  defineAgent({ name: "a", description: "d", tool: [tool] });
  // @ts-expect-error an agent is no tool
  defineAgent({ name: "a", description: "d", tools: [agent] });
  // @ts-expect-error no such amount of thinking
  defineAgent({ name: "a", description: "d", thinking: "hard" });
  // @ts-expect-error not by provider
  defineAgent({ name: "a", description: "d", providerOptions: { effort: "low" } });
}

// ---- models
const base = { name: "x", baseURL: "http://localhost:1" };
export const objects: readonly LanguageModel[] = [
  createV2(base)("m"),
  createV3(base)("m"),
  createOpenAICompatible(base)("m"),
  createOpenRouter({ apiKey: "k" })("m"),
];
export const catalogs: readonly ModelCatalog[] = [
  {},
  { default: "m" },
  { default: createV2(base)("m") },
  { default: "fast", fast: createV3(base)("m"), slow: "vendor/model", off: undefined },
  createOpenAICompatible(base),
  createV2(base),
  createV3(base),
  createOpenRouter({ apiKey: "k" }),
  { default: "m", languageModel: createOpenAICompatible(base) },
  { default: createV2(base)("m"), languageModel: createOpenRouter({ apiKey: "k" }) },
  (id) => (id === "a" ? createV2(base)(id) : undefined),
  // @ts-expect-error a model is found at once
  async () => createV2(base)("m"),
  // @ts-expect-error no model
  { fast: 5 },
  // @ts-expect-error a list has no ids
  [createV2(base)("m")],
];

// ---- toolOf: the values of the definition's `deps`
const WORD = token<string>("WORD");
class Shelf {
  private readonly size = 1;
  find(words: string): string {
    return `${words} ${this.size}`;
  }
}
const look = defineTool({
  name: "look",
  description: "d",
  deps: [WORD, Shelf, optional(WORD)],
  run: (_input, _ctx, word, shelf, more) => shelf.find(`${word} ${more?.length}`),
});
const none = defineTool({ name: "none", description: "d", run: () => 1 });

export function toolsByHand(listed: ToolDefinition): unknown {
  toolOf(look, "a", new Shelf());
  toolOf(look, "a", new Shelf(), undefined);
  toolOf(none);
  toolOf(listed, 1, "2");
  // @ts-expect-error a dependency is missing
  toolOf(look, "a");
  // @ts-expect-error no word
  toolOf(look, 5, new Shelf());
  // @ts-expect-error one too many
  toolOf(none, 1);
  // @ts-expect-error a setting that there is not
  toolOf(webFetch, { userAgnt: "x" });
  // @ts-expect-error its settings are the second ones
  toolOf(webFetch, { allowHosts: [] });
  return toolOf(webFetch, { userAgent: "x" }, { allowHosts: [] });
}

// ---- a list of providers that is chosen
export function chosenProviders(clerk: AgentDefinition, on: boolean): unknown {
  const list = on ? [provide(WORD, { useValue: "a" })] : [];
  return [
    createApp(clerk, { providers: on ? [provide(WORD, { useValue: "a" })] : [] }),
    createApp(clerk, { providers: on ? [provide(WORD, { useValue: "a" })] : undefined }),
    createApp(clerk, { providers: list }),
    createApp(clerk, {
      providers: [provide(Shelf, { useClass: Shelf }), ...(on ? [provide(WORD, { useValue: "a" })] : [])],
    }),
    // @ts-expect-error no word
    createApp(clerk, { providers: on ? [provide(WORD, { useValue: 5 })] : [] }),
    // @ts-expect-error no word
    createApp(clerk, { providers: [...(on ? [provide(WORD, { useValue: 5 })] : [])] }),
  ];
}
