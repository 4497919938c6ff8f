import { jsonAt, listAt, textAt } from "../http/json-at.js";
import { errorAt, lacks, objectAt, readEntries } from "../http/strict-answer.js";
import { serviceUrl } from "../http/service-url.js";
import { pageOf, type SearchService } from "./search-service.js";

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
    const fault = errorAt(answer, "error");
    if (fault !== undefined || jsonAt(answer, "success") !== true) throw http.told(fault ?? "it gives no reason");
    const data = objectAt(answer, "data");
    // Where nothing was found there may be no list.
    const results = jsonAt(data, "web") === undefined ? [] : listAt(data, "web");
    if (data === undefined || results === undefined) throw lacks("Firecrawl", "no list of pages");
    return {
      pages: readEntries("Firecrawl", "page", results, (entry) =>
        pageOf(entry, "url", "title", textAt(entry, "description")),
      ),
    };
  },
};
