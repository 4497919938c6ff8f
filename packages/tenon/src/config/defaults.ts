/** Model calls of one agent in one run, where nothing else is set. */
export const MAX_MODEL_CALLS = 12;
/** Tool calls of one agent in one run, where nothing else is set. */
export const MAX_TOOL_CALLS = 20;
/** Calls of one turn that run at the same time. */
export const PARALLEL_CALLS = 8;
/** How long a tool may take, in milliseconds, where it names no `timeoutMs`. */
export const TOOL_TIMEOUT_MS = 60_000;
/** How long one hook may take, in milliseconds. A before-hook that takes longer denies the call. */
export const HOOK_TIMEOUT_MS = 5_000;
/** How long `authorize` of `serveMcp` may take, in milliseconds. A request whose sender is not known by then is refused. */
export const AUTHORIZE_TIMEOUT_MS = 10_000;
/** Handlers of one tool that may still run after their calls have results; with so many it answers `busy`. */
export const OVERDUE_HANDLERS = 16;
/** The most that one result may hold, in characters of its JSON form. */
export const MAX_RESULT_SIZE = 10_000_000;
/** Characters of a result that the model reads, where the tool names no `maxResultChars`. */
export const MAX_RESULT_CHARS = 20_000;
/** Finished runs of the thread that a model is sent, beside the current one. */
export const HISTORY_TURNS = 5;
/** Tokens of an answer that a budget reserves for, where the agent names no `maxOutputTokens`. */
export const RESERVED_OUTPUT_TOKENS = 4_096;
/** The most tokens of input, and of output, that a call can have used: ten times what any model takes. What says more is no count. */
export const MOST_CALL_TOKENS = 100_000_000;
/** The most that a provider can have charged for a call, in nano-USD: ten thousand US dollars. What says more is no cost. */
export const MOST_CALL_COST = 10_000_000_000_000;
/** How long a call waits for what others have reserved, in milliseconds, where nothing else is set. */
export const RESERVATION_WAIT_MS = 60_000;
/** How often it is kept how long a run was active, in milliseconds of that time, where it is limited. */
export const ACTIVE_MARK_MS = 5_000;
/** How long a process holds a run without a sign of life, in milliseconds. */
export const LEASE_MS = 10_000;
/** How often a model is asked again after a failure that may pass, where nothing else is set. */
export const MODEL_RETRIES = 2;
/** How long one attempt of a model call may take, in milliseconds, where nothing else is set. */
export const MODEL_TIMEOUT_MS = 600_000;
