import { jsonAt, listAt, numberAt, textAt } from "../http/json-at.js";
import { errorAt, lacks, readEntries } from "../http/strict-answer.js";
import { serviceUrl } from "../http/service-url.js";
import { pageOf, type SearchService } from "./search-service.js";

/** Exa: `POST /search` with highlights. It tells what a request cost. */
export const exa: SearchService = {
  title: "Exa",
  variable: "EXA_API_KEY",
  async search({ query, limit, http, key, settings }) {
    const answer = await http.json({
      url: serviceUrl(settings.baseUrls?.exa ?? "https://api.exa.ai", "search"),
      headers: { "x-api-key": key.value },
      body: { query, numResults: limit, type: "auto", contents: { highlights: true } },
    });
    const fault = errorAt(answer, "error");
    if (fault !== undefined) throw http.told(fault);
    const results = listAt(answer, "results");
    if (results === undefined) throw lacks("Exa", "no list of pages");
    return {
      pages: readEntries("Exa", "page", results, (entry) => {
        const highlights = (listAt(entry, "highlights") ?? []).filter((one) => typeof one === "string");
        const snippet = highlights.length > 0 ? highlights.join(" … ") : textAt(entry, "text");
        const date = textAt(entry, "publishedDate")?.slice(0, 10);
        return pageOf(entry, "url", "title", snippet).map((page) => ({ ...page, date }));
      }),
      costUsd: numberAt(jsonAt(answer, "costDollars"), "total"),
    };
  },
};
