import type { OptionRule, OptionRules } from "tenon";
import { countSetting, functionSetting, groupSetting, headerSetting, setting, textSetting } from "./setting-rules.js";

/** What each member of `HttpSettings` may be. */
export const httpSettingsRules: OptionRules = {
  userAgent: headerSetting("userAgent"),
  email: headerSetting("email"),
  toolName: textSetting("toolName"),
  baseUrls: groupSetting("baseUrls", {
    wikipedia: baseUrl("wikipedia", (text) => text.replaceAll("{language}", "en")),
    pubmed: baseUrl("pubmed"),
    exa: baseUrl("exa"),
    firecrawl: baseUrl("firecrawl"),
    "bright-data": baseUrl("bright-data"),
    linear: baseUrl("linear"),
  }),
  searchService: setting("searchService", '"exa", "firecrawl" or "bright-data"', (value) =>
    ["exa", "firecrawl", "bright-data"].includes(value as string),
  ),
  fetch: functionSetting("fetch"),
  clock: setting(
    "clock",
    "an object with now(), elapsedMs() and setTimer(run, ms)",
    (value) =>
      typeof value === "object" &&
      value !== null &&
      ["now", "elapsedMs", "setTimer"].every((name) => typeof (value as Record<string, unknown>)[name] === "function"),
  ),
  maxBytes: countSetting("maxBytes", 1),
};

/** `filled` puts something in the place of what only a call knows. */
function baseUrl(service: string, filled: (text: string) => string = (text) => text): OptionRule {
  return setting(service, "a URL with https: or http:, without a user, a query and a fragment", (value) => {
    const url = typeof value === "string" && !/[{}]/.test(filled(value)) ? URL.parse(filled(value)) : null;
    return (
      url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ""
    );
  });
}
