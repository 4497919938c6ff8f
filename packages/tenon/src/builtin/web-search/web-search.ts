import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Choice, Int, ListOf, Text } from "tenon/dto";
import { cutLine } from "../http/cut-text.js";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { outsideRead } from "../http/outside-read.js";
import { ServiceHttp } from "../http/service-http.js";
import { chooseService } from "./choose-service.js";

/** What to look for in the web. */
export class WebQuery {
  @Text({ prompt: "words to look for, as for a search engine", min: 1, max: 400 }) query!: string;
  @Int({ prompt: "how many pages at most", min: 1, max: 20, default: 5 }) limit!: number;
}

/** One page that was found. */
export class WebHit {
  @Text({ prompt: "the title" }) title!: string;
  @Text({ prompt: "the address" }) url!: string;
  @Text({ prompt: "what the page says that fits the words; may be empty" }) snippet!: string;
  @Text({ prompt: "when it was published, where that is known", optional: true }) date?: string | undefined;
}

/** The pages that were found. */
export class WebHits {
  @Choice(["exa", "firecrawl", "bright-data"], { prompt: "the service that searched" }) service!:
    | "exa"
    | "firecrawl"
    | "bright-data";
  @ListOf(WebHit, { prompt: "the best first" }) results!: WebHit[];
}

/**
 * The tool `web_search`: pages of the web that fit some words, from Exa, Firecrawl or Bright Data. The app's `searchService`
 * names the service; else it is the first of the three whose key is set (`EXA_API_KEY`, `FIRECRAWL_API_KEY`,
 * `BRIGHTDATA_API_KEY` with `BRIGHTDATA_SERP_ZONE`), and no other takes its place where it fails. Input and result are the same
 * for all. No page is an empty list; a fault of the service, and a missing key, is an error result. What the service says that a
 * search cost is reported.
 */
export const webSearch: ToolDefinition<"web_search", WebQuery, WebHits, SettingsAndEnv> = defineTool({
  ...outsideRead,
  name: "web_search",
  description: "Search the web. Gives titles, addresses and short extracts of pages.",
  input: WebQuery,
  output: WebHits,
  deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
  async run({ query, limit }, ctx, settings = {}, env): Promise<WebHits> {
    const { name, service, key } = chooseService(settings.searchService, env);
    const { timeoutMs } = outsideRead;
    const http = new ServiceHttp({ service: service.title, settings, signal: ctx.signal, timeoutMs, key });
    const { pages, costUsd } = await service.search({ query, limit, http, key, settings, env });
    if (costUsd !== undefined && costUsd >= 0) ctx.reportCost(costUsd);
    return {
      service: name,
      results: pages.slice(0, limit).map(({ title, url, snippet, date }) => ({
        title: cutLine(title, 200),
        url,
        snippet: cutLine(snippet, 600),
        date,
      })),
    };
  },
});
