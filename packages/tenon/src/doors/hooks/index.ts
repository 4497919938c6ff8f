export { askAfterUntrusted } from "../../builtin/hooks/ask-after-untrusted.js";
export { audit, type AuditOptions, type AuditRecord, type AuditSink } from "../../builtin/hooks/audit.js";
export { maskValues } from "../../builtin/hooks/mask-values.js";
export type { HookClock } from "../../builtin/hooks/known-options.js";
export { rateLimit, type RateClock, type RateKey, type RateLimitOptions } from "../../builtin/hooks/rate-limit.js";
export { requireContext } from "../../builtin/hooks/require-context.js";
