import { jsonAt, listAt, textAt } from "../http/json-at.js";
import { lacks } from "../http/service-error.js";
import { pageOf, serviceUrl, type SearchService } from "./search-service.js";

/** Firecrawl: `POST /v2/search`, the results alone, no page is scraped. */
export const firecrawl: SearchService = {
  title: "Firecrawl",
  variable: "FIRECRAWL_API_KEY",
  async search({ query, limit, http, key, settings }) {
    const answer = await http.json({
      url: serviceUrl(settings.baseUrls?.firecrawl ?? "https://api.firecrawl.dev", "v2/search"),
      headers: { authorization: `Bearer ${key.value}` },
      body: { query, limit },
    });
    if (jsonAt(answer, "success") !== true) throw http.told(textAt(answer, "error") ?? "it gives no reason");
    const data = jsonAt(answer, "data");
    if (typeof data !== "object" || data === null) throw lacks("Firecrawl", "no list of pages");
    const results = listAt(data, "web") ?? [];
    return { pages: results.flatMap((entry) => pageOf(entry, "url", "title", textAt(entry, "description"))) };
  },
};
