/** Environment variables as they are read: `process.env`, or a test's own object. */
export type Env = Record<string, string | undefined>;

/** The model of agents that name none: an id of one. */
export const TENON_MODEL = "TENON_MODEL";
/** Where an OpenAI-compatible server listens: `http://127.0.0.1:11434/v1`. */
export const TENON_BASE_URL = "TENON_BASE_URL";
/** The key for that server. Never stored and never shown. */
export const TENON_API_KEY = "TENON_API_KEY";
/** The key for OpenRouter, which serves `vendor/model` ids where no other server is set. Never stored and never shown. */
export const OPENROUTER_API_KEY = "OPENROUTER_API_KEY";
/** Where runs are kept without the option `store`: the path of a SQLite file, or `:memory:`. */
export const TENON_STORE = "TENON_STORE";
