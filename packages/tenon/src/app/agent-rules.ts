import { agentLimitsFault } from "../config/limits.js";
import { filledText, list, maybe, nested, oneOf, wholeNumber, type OptionRules } from "../config/options.js";
import { isProviderOptions } from "../llm/call-settings.js";
import { modelCallRule } from "../llm/call-limits.js";
import { TOOL_NAME } from "../tools/bind-tool.js";
import { hooksFault } from "../tools/hooks-fault.js";

/** What agents and workflows have in common. */
export const namedRules: OptionRules = {
  name: (value) =>
    typeof value === "string" && TOOL_NAME.test(value) ? undefined : `name must match ${TOOL_NAME.source}`,
};

/** What the options of an agent may be. Models and prompt files are looked at where they are resolved. */
export const agentRules: OptionRules = {
  ...namedRules,
  description: filledText("description"),
  prompt: maybe(filledText("prompt")),
  promptUrls: maybe((value) =>
    Array.isArray(value) && value.length > 0 && value.every((url) => typeof url === "string" || url instanceof URL)
      ? undefined
      : "promptUrls must list URLs or paths",
  ),
  baseUrl: maybe((value) =>
    typeof value === "string" || value instanceof URL ? undefined : "baseUrl must be `import.meta.url`",
  ),
  model: () => undefined,
  modelCall: modelCallRule,
  thinking: maybe(oneOf("thinking", ["off", "low", "medium", "high"])),
  maxOutputTokens: maybe(wholeNumber("maxOutputTokens", 1)),
  providerOptions: maybe((value) =>
    isProviderOptions(value) ? undefined : "providerOptions must hold a JSON object for each provider, by its name",
  ),
  tools: maybe(list("tools")),
  maxToolCalls: maybe(wholeNumber("maxToolCalls", 1)),
  maxModelCalls: maybe(wholeNumber("maxModelCalls", 1)),
  limits: agentLimitsFault,
  history: maybe(nested("history", { turns: maybe(wholeNumber("turns", 0, 1_000)) })),
  hooks: hooksFault,
};
