import { APP_ENV, defineTool, optional, type ToolDefinition } from "tenon";
import { Choice, Int, ListOf, Text } from "tenon/dto";
import { cutText } from "../http/cut-text.js";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { jsonAt, listAt, numberAt, textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { errorAt, lacks, readEntries } from "../http/strict-answer.js";
import { textOfMarkup } from "../http/text-of-markup.js";
import { openPubmed, pubmedUrl } from "./pubmed-api.js";

const MAX_AUTHORS = 6;

/** What to look for in PubMed. */
export class PubmedQuery {
  @Text({
    prompt: 'words to look for, as PubMed takes them: asthma[Title] AND 2024[dp], "gene therapy"',
    min: 1,
    max: 1_000,
  })
  query!: string;
  @Choice(["relevance", "newest"], { prompt: "what comes first", default: "relevance" }) sort!: "relevance" | "newest";
  @Int({ prompt: "how many articles at most", min: 1, max: 20, default: 5 }) limit!: number;
}

/** One article that was found. */
export class PubmedHit {
  @Text({ prompt: "its number in PubMed, as pubmed_abstract takes it" }) pmid!: string;
  @Text({ prompt: "the title" }) title!: string;
  @Text({ prompt: "where people read it" }) url!: string;
  @ListOf("text", { prompt: "the first authors" }) authors!: string[];
  @Text({ prompt: "the journal, short", optional: true }) journal?: string | undefined;
  @Text({ prompt: "when it was published: 2024 Mar 5, 2024 Mar or 2024", optional: true }) date?: string | undefined;
  @Text({ prompt: "its DOI", optional: true }) doi?: string | undefined;
}

/** The articles that were found. */
export class PubmedHits {
  @ListOf(PubmedHit, { prompt: "in the order that was asked for" }) results!: PubmedHit[];
  @Int({ prompt: "how many there are in all" }) total!: number;
  @ListOf("text", { prompt: "words that PubMed does not know", optional: true }) unknownWords?: string[] | undefined;
}

/**
 * The tool `pubmed_search`: articles of PubMed that fit some words, with title, authors and journal. It makes two requests, at
 * most three a second in one process, or ten with a key in `NCBI_API_KEY`. No article is an empty list; a fault of PubMed is an
 * error result.
 */
export const pubmedSearch: ToolDefinition<"pubmed_search", PubmedQuery, PubmedHits, SettingsAndEnv> = defineTool({
  ...outsideRead,
  name: "pubmed_search",
  description: "Find articles on medicine and biology in PubMed. Read their abstracts with pubmed_abstract.",
  input: PubmedQuery,
  output: PubmedHits,
  deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
  async run({ query, sort, limit }, ctx, settings, env): Promise<PubmedHits> {
    const pubmed = openPubmed(ctx, settings, env);
    const found = await pubmed.json("esearch", {
      term: query,
      retmax: String(limit),
      sort: sort === "newest" ? "pub_date" : "relevance",
    });
    const result = jsonAt(found, "esearchresult");
    const fault = errorAt(found, "error") ?? errorAt(result, "ERROR");
    if (fault !== undefined) throw pubmed.told(fault);
    const ids = listAt(result, "idlist");
    const total = numberAt(result, "count");
    if (ids === undefined || total === undefined) throw lacks("PubMed", "no list of articles");
    const numbers = readEntries("PubMed", "number of an article", ids, (id) =>
      typeof id === "string" && /^\d+$/.test(id) ? [id] : [],
    );
    const pmids = numbers.slice(0, limit);
    if (pmids.length === 0 && total > 0) throw lacks("PubMed", `none of ${total} articles`);
    const unknown = listAt(result, "errorlist", "phrasesnotfound") ?? [];
    const unknownWords = unknown.filter((word) => typeof word === "string").slice(0, 20);
    const more = unknownWords.length === 0 ? {} : { unknownWords: unknownWords.map((word) => cutText(word, 100)) };
    if (pmids.length === 0) return { results: [], total, ...more };

    const summaries = await pubmed.json("esummary", { id: pmids.join(",") });
    const unread = errorAt(summaries, "error") ?? textAt(summaries, "esummaryresult", 0);
    if (unread !== undefined) throw pubmed.told(unread);
    const results = pmids.flatMap((pmid) => hitOf(pmid, jsonAt(summaries, "result", pmid)));
    if (results.length === 0) throw lacks("PubMed", "no summary of any article");
    return { results, total, ...more };
  },
});

function hitOf(pmid: string, summary: unknown): readonly PubmedHit[] {
  const title = textAt(summary, "title") ?? textAt(summary, "booktitle");
  if (title === undefined) return [];
  const authors = listAt(summary, "authors") ?? [];
  const doi = (listAt(summary, "articleids") ?? []).find((id) => jsonAt(id, "idtype") === "doi");
  return [
    {
      pmid,
      title: textOfMarkup(title),
      url: pubmedUrl(pmid),
      authors: authors.flatMap((author) => textAt(author, "name") ?? []).slice(0, MAX_AUTHORS),
      journal: textAt(summary, "source"),
      date: textAt(summary, "pubdate"),
      doi: textAt(doi, "value"),
    },
  ];
}
