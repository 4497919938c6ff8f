import { flag, list, maybe, nested, shownValue, wholeNumber, type OptionRules } from "../config/options.js";
import { pricesFault } from "../finops/price-book.js";
import { modelCallRule } from "../llm/call-limits.js";
import { catalogFault } from "../llm/model-catalog.js";
import { hooksFault } from "../tools/hooks-fault.js";
import { namedRules } from "./agent-rules.js";

/** What the options of a workflow may be. */
export const workflowRules: OptionRules = {
  ...namedRules,
  version: maybe((value) => (typeof value === "string" ? undefined : "version must be a text")),
  agents: (value: unknown) =>
    Array.isArray(value) && value.length > 0 ? undefined : "agents must list at least one agent",
  providers: () => undefined,
  mcp: maybe(list("mcp")),
  defaults: maybe(
    nested("defaults", {
      tools: maybe(
        nested("tools", {
          maxToolCalls: maybe(wholeNumber("maxToolCalls", 1)),
          timeoutMs: maybe(wholeNumber("timeoutMs", 1, 2 ** 31 - 1, "milliseconds")),
        }),
      ),
      modelCall: modelCallRule,
    }),
  ),
  limits: () => undefined,
  hooks: hooksFault,
};

/** What the options of `createApp` may be. */
export const appRules: OptionRules = {
  store: maybe((value) =>
    typeof value === "object" && value !== null && typeof (value as { append?: unknown }).append === "function"
      ? undefined
      : "store must be a store: memoryStore() or sqliteStore(path)",
  ),
  models: catalogFault,
  prices: pricesFault,
  providers: () => undefined,
  restore: maybe((value) => (typeof value === "function" ? undefined : "restore must be a function")),
  env: maybe((value) =>
    // `process.env` is no plain object.
    typeof value === "object" && value !== null && !(Symbol.iterator in value)
      ? undefined
      : `env must be an object of texts by their names, not ${shownValue(value)}`,
  ),
  hooks: hooksFault,
  onEvent: maybe((value) => (typeof value === "function" ? undefined : "onEvent must be a function")),
  ledger: maybe(flag("ledger")),
  leaseMs: maybe(wholeNumber("leaseMs", 300, 3_600_000, "milliseconds")),
};
