/** Every code that an error of Tenon carries. Pinned by a test; each has an entry in `docs/reference/errors.md`. */
export const errorCodes = [
  "app_closed",
  "assembly_error",
  "bad_input",
  "config_load",
  "context_required",
  "cost_unknown",
  "decision_refused",
  "dependency_failed",
  "dispose_error",
  "internal_error",
  "journal_error",
  "limit_exceeded",
  "missing_peer",
  "missing_variable",
  "model_error",
  "run_exists",
  "run_not_found",
  "schema_error",
  "script_error",
  "store_error",
  "thread_busy",
  "thread_owner",
  "unknown_agent_tool",
] as const;

export type ErrorCode = (typeof errorCodes)[number];
