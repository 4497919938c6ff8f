import type { SitePage } from "./museum.js";
import { ranked } from "./ranked.js";
import type { Answer, Asked } from "./service.js";

/** Plays the search of Exa over the pages of a site. It wants a key; any will do. */
export function exa(pages: readonly SitePage[]): (asked: Asked) => Answer {
  return ({ method, url, headers, body }) => {
    if (method !== "POST" || url.pathname !== "/search") return { status: 404, body: { error: "Not found" } };
    if (headers["x-api-key"] === undefined) return { status: 401, body: { error: "Invalid API key" } };
    const { query, numResults } = JSON.parse(body) as { readonly query: string; readonly numResults: number };
    const hits = ranked(query, pages, ({ html }) => html).slice(0, numResults);
    return {
      body: {
        results: hits.map(({ url: address, title }) => ({ id: address, url: address, title, highlights: [title] })),
        costDollars: { total: 0.005 },
      },
    };
  };
}
