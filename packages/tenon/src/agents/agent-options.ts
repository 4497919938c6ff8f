import type { RunLimits } from "../config/limits.js";
import type { ModelCallOptions } from "../llm/call-limits.js";
import type { ModelChoice } from "../llm/model.js";
import type { ProviderOptions, Thinking } from "../llm/model-settings.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { HookEntry } from "../tools/value-mask.js";

/** An agent has no methods of its own: this keeps tools and workflows out of the places that take agents. */
export type AgentClass = abstract new (...args: any[]) => object & { run?: never; handler?: never };

/** What an agent is. */
export interface AgentOptions {
  /** Matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`; unique in its workflow. */
  readonly name: string;
  /** What the agent is for. Not empty. */
  readonly description: string;
  /** The system prompt, as text. */
  readonly prompt?: string | undefined;
  /**
   * The system prompt, from files joined by a blank line: URLs, or paths relative to `baseUrl`, else to the file that the
   * decorator stands in. Read once, when the app is assembled.
   */
  readonly promptUrls?: readonly (string | URL)[] | undefined;
  /** `import.meta.url` of the file that `promptUrls` are relative to. */
  readonly baseUrl?: string | URL | undefined;
  /**
   * A model object, or the id of one: the app's `models` are asked first, then `TENON_BASE_URL` or OpenRouter. Default: the app's.
   * A list is a model with fallbacks: each is asked where those before it failed, and nothing of their answer was told yet.
   */
  readonly model?: ModelChoice | undefined;
  /** The bounds of each model call. Default: the workflow's `defaults.modelCall`. */
  readonly modelCall?: ModelCallOptions | undefined;
  /** How much the model thinks before it answers. Default: as its provider does. */
  readonly thinking?: Thinking | undefined;
  /** The most tokens of one answer, thinking included where the provider counts it. An answer that is cut there runs no call. Default: the provider's limit. */
  readonly maxOutputTokens?: number | undefined;
  /** Options of the provider's own, by its name: `{ anthropic: { … } }`. JSON; sent as they are. They win over what `thinking` becomes. */
  readonly providerOptions?: ProviderOptions | undefined;
  /** The tools the agent can call, and no others. The list is the registration. */
  readonly tools?: readonly [] | readonly ToolEntry[] | undefined;
  /** Tool calls in one run; default `limits.toolCalls`, else the workflow's `defaults.tools.maxToolCalls`, else 20. Going over fails the run. */
  readonly maxToolCalls?: number | undefined;
  /** Model calls in one run; default `limits.modelCalls`, else 12. Going over fails the run. */
  readonly maxModelCalls?: number | undefined;
  /** What the agent may use in one run, beside the limits of its workflow. */
  readonly limits?: RunLimits | undefined;
  /** How many finished runs of the thread the model is shown; default 5. The current run is always whole. */
  readonly history?: { readonly turns?: number | undefined } | undefined;
  readonly hooks?: readonly HookEntry[] | undefined;
}
