import { defineTool, optional, type ToolDefinition } from "tenon";
import { Int, ListOf, Text } from "tenon/dto";
import { cutText } from "../http/cut-text.js";
import { HTTP_SETTINGS, type SettingsDep } from "../http/http-settings.js";
import { listAt, numberAt, textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { lacks, readEntries } from "../http/strict-answer.js";
import { textOfMarkup } from "../http/text-of-markup.js";
import { askWikipedia, LANGUAGE, pageUrl } from "./wikipedia-api.js";

/** What to look for, and where. */
export class WikipediaQuery {
  @Text({ prompt: "words to look for; a phrase in quotes must stand as it is", min: 1, max: 300 }) query!: string;
  @Text({
    prompt: "the edition: en, de, fr, simple and so on; search in the language of the words",
    pattern: LANGUAGE,
    max: 40,
    default: "en",
  })
  language!: string;
  @Int({ prompt: "how many articles at most", min: 1, max: 20, default: 5 }) limit!: number;
}

/** One article that was found. */
export class WikipediaHit {
  @Text({ prompt: "the title, as wikipedia_article takes it" }) title!: string;
  @Text({ prompt: "where people read it" }) url!: string;
  @Text({ prompt: "the place that fits the words" }) snippet!: string;
  @Int({ prompt: "the length of the article in words", optional: true }) words?: number | undefined;
}

/** The articles that were found, the best first. */
export class WikipediaHits {
  @ListOf(WikipediaHit, { prompt: "the best first" }) results!: WikipediaHit[];
  @Int({ prompt: "how many there are in all", optional: true }) total?: number | undefined;
  @Text({ prompt: "another spelling that Wikipedia proposes", optional: true }) suggestion?: string | undefined;
}

/**
 * The tool `wikipedia_search`: articles of one edition of Wikipedia that fit some words. It needs no key. No article is an
 * empty list; a fault of Wikipedia is an error result.
 */
export const wikipediaSearch: ToolDefinition<"wikipedia_search", WikipediaQuery, WikipediaHits, SettingsDep> =
  defineTool({
    ...outsideRead,
    name: "wikipedia_search",
    description: "Find articles of Wikipedia by words. Read one with wikipedia_article.",
    input: WikipediaQuery,
    output: WikipediaHits,
    deps: [optional(HTTP_SETTINGS)],
    async run({ query, language, limit }, ctx, settings): Promise<WikipediaHits> {
      const found = await askWikipedia(
        language,
        {
          list: "search",
          srsearch: query,
          srlimit: String(limit),
          srprop: "snippet|wordcount",
          srinfo: "totalhits|suggestion",
        },
        ctx,
        settings,
      );
      const hits = listAt(found, "search");
      if (hits === undefined) throw lacks("Wikipedia", "no list of articles");
      return {
        results: readEntries("Wikipedia", "article", hits.slice(0, limit), (hit) => {
          const title = textAt(hit, "title");
          if (title === undefined) return [];
          const snippet = cutText(textOfMarkup(textAt(hit, "snippet") ?? ""), 500);
          return [{ title, url: pageUrl(language, title), snippet, words: numberAt(hit, "wordcount") }];
        }),
        total: numberAt(found, "searchinfo", "totalhits"),
        suggestion: textAt(found, "searchinfo", "suggestion"),
      };
    },
  });
