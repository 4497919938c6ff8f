import { checkOptions, token, type Env, type OptionalDep, type Token } from "tenon";
import { httpSettingsRules } from "./http-settings-rules.js";

/** The services that built-in tools ask, as `baseUrls` names them. */
export type ServiceName = "wikipedia" | "pubmed" | "exa" | "firecrawl" | "bright-data" | "linear";

/** Those of them that search the web. */
export type SearchServiceName = Extract<ServiceName, "exa" | "firecrawl" | "bright-data">;

/** Time as the built-in tools see it; `testClock()` of `tenon/testing` is one. */
export interface HttpClock {
  /** The time of day, in milliseconds since 1970: what a service's own times are compared with. */
  now(): number;
  /** Milliseconds since any moment, never less than before: what waits and deadlines go by, so that setting a clock changes none. */
  elapsedMs(): number;
  setTimer(run: () => void, ms: number): { clear(): void };
}

/** What the app says about the requests of built-in tools. A model never sees it and cannot change it. */
export interface HttpSettings {
  /** The header `user-agent` of every request. Default `tenon`, followed by `email`. Services ask for a name and a contact. */
  readonly userAgent?: string | undefined;
  /** An address that a service may write to: part of the default `userAgent`, and PubMed's parameter `email`. */
  readonly email?: string | undefined;
  /** What PubMed is told as its parameter `tool`. Default `tenon`. */
  readonly toolName?: string | undefined;
  /**
   * Where a service is reached in place of its public address: a mirror, a proxy, a server of a test. In Wikipedia's,
   * `{language}` stands for the language of a call.
   */
  readonly baseUrls?: Readonly<Partial<Record<ServiceName, string>>> | undefined;
  /** The service behind `web_search`. Default the first of Exa, Firecrawl and Bright Data whose key is set. */
  readonly searchService?: SearchServiceName | undefined;
  /** What makes the requests. Default the global `fetch`, as it is when a call is made. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** What waits between attempts go by. Default the real time. */
  readonly clock?: HttpClock | undefined;
  /** How much of one answer is read at most, in bytes after decompression. Default 4,000,000. More is an error. */
  readonly maxBytes?: number | undefined;
}

/**
 * The key of the settings that all built-in tools share: `provide(HTTP_SETTINGS, { useValue: { userAgent: "shop-bot/1.0
 * (ops@example.com)" } })`. Without a provider the defaults hold. Names that it does not know and values that do not fit are
 * refused: of a `useValue` when the app is assembled, of anything else where it is first used.
 */
export const HTTP_SETTINGS: Token<HttpSettings> = token<HttpSettings>("HTTP_SETTINGS", (settings) =>
  checkOptions(settings, httpSettingsRules),
);

/** The `deps` of a tool that takes the settings alone. */
export type SettingsDep = readonly [OptionalDep<HttpSettings>];

/** The `deps` of a tool that takes the settings and the variables of the app. */
export type SettingsAndEnv = readonly [OptionalDep<HttpSettings>, OptionalDep<Env>];

/** How many bytes of a body are read at most, where the settings do not say. */
export const MAX_BYTES = 4_000_000;

/** The real time. */
export const realClock: HttpClock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  setTimer(run, ms) {
    const timer = setTimeout(run, ms);
    return { clear: () => clearTimeout(timer) };
  },
};

/** The header `user-agent` under these settings. */
export function userAgentOf({ userAgent, email }: HttpSettings): string {
  return userAgent ?? (email === undefined ? "tenon" : `tenon (${email})`);
}
