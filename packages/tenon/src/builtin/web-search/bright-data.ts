import { readKey } from "../http/api-key.js";
import { jsonAt, listAt, numberAt, textAt } from "../http/json-at.js";
import { errorAt, lacks, objectAt, readEntries } from "../http/strict-answer.js";
import { serviceUrl } from "../http/service-url.js";
import { pageOf, type SearchService } from "./search-service.js";

const ZONE = "BRIGHTDATA_SERP_ZONE";

/** Bright Data: `POST /request` of a SERP zone, whose name is in `BRIGHTDATA_SERP_ZONE`; results of Google, read by Bright Data. */
export const brightData: SearchService = {
  title: "Bright Data",
  variable: "BRIGHTDATA_API_KEY",
  zone: ZONE,
  async search({ query, limit, http, key, settings, env }) {
    const zone = readKey(env, ZONE, "Bright Data", "the name of a SERP zone").value;
    const page = new URL("https://www.google.com/search");
    page.search = new URLSearchParams({ q: query, num: String(limit), brd_json: "1" }).toString();
    const answer = await http.json({
      url: serviceUrl(settings.baseUrls?.["bright-data"] ?? "https://api.brightdata.com", "request"),
      headers: { authorization: `Bearer ${key.value}` },
      body: { zone, url: page.href, format: "json" },
    });
    const status = numberAt(answer, "status_code");
    const read = readBody(jsonAt(answer, "body")) ?? answer;
    const fault = errorAt(answer, "error") ?? errorAt(read, "error");
    if (fault !== undefined) throw http.told(fault);
    if (status !== undefined && status !== 200) throw http.told(`the search engine answered with status ${status}`);
    // Where nothing was found there is no list, but there still is what was asked for.
    const none = jsonAt(read, "organic") === undefined && objectAt(read, "general") !== undefined;
    const results = none ? [] : listAt(read, "organic");
    if (results === undefined) throw lacks("Bright Data", "no list of pages");
    return {
      pages: readEntries("Bright Data", "page", results, (entry) =>
        pageOf(entry, "link", "title", textAt(entry, "description")),
      ),
    };
  },
};

/** The answer of the search engine stands as a text in the one of the service. */
function readBody(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
