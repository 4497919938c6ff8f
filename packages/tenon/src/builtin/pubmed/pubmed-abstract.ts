import { APP_ENV, defineTool, optional, ToolError, type ToolDefinition } from "tenon";
import { ListOf, Text } from "tenon/dto";
import { cutText } from "../http/cut-text.js";
import { HTTP_SETTINGS, type SettingsAndEnv } from "../http/http-settings.js";
import { outsideRead } from "../http/outside-read.js";
import { textOfMarkup } from "../http/text-of-markup.js";
import { openPubmed, pubmedUrl } from "./pubmed-api.js";
import { readArticles } from "./read-articles.js";
import { xmlInner } from "./xml-elements.js";

const MAX_AUTHORS = 10;
const MAX_ABSTRACT = 6_000;

/** Which articles of PubMed. */
export class PubmedAbstractQuery {
  @ListOf(Text({ pattern: /^[1-9]\d{0,8}$/ }), {
    prompt: "the numbers of the articles in PubMed, as pubmed_search gives them",
    min: 1,
    max: 10,
    unique: true,
  })
  pmids!: string[];
}

/** One article and its abstract. */
export class PubmedAbstract {
  @Text({ prompt: "its number in PubMed" }) pmid!: string;
  @Text({ prompt: "the title" }) title!: string;
  @Text({ prompt: "the abstract; empty where the article has none" }) abstract!: string;
  @Text({ prompt: "where people read it" }) url!: string;
  @ListOf("text", { prompt: "the first authors" }) authors!: string[];
  @Text({ prompt: "the journal, short, or the book", optional: true }) journal?: string | undefined;
  @Text({ prompt: "the year of publication", optional: true }) year?: string | undefined;
  @Text({ prompt: "its DOI", optional: true }) doi?: string | undefined;
}

/** The articles, in the order of the numbers. */
export class PubmedAbstracts {
  @ListOf(PubmedAbstract, { prompt: "those that PubMed has" }) articles!: PubmedAbstract[];
  @ListOf("text", { prompt: "the numbers that PubMed has no article for", optional: true }) missing?:
    | string[]
    | undefined;
}

/**
 * The tool `pubmed_abstract`: the abstracts of up to ten articles of PubMed, by their numbers. It makes one request, within the
 * same rate as `pubmed_search`. Numbers that no article has are listed in `missing`; where none has one it is an error result.
 */
export const pubmedAbstract: ToolDefinition<"pubmed_abstract", PubmedAbstractQuery, PubmedAbstracts, SettingsAndEnv> =
  defineTool({
    ...outsideRead,
    name: "pubmed_abstract",
    description: "Read the abstracts of articles in PubMed by their numbers. Find the numbers with pubmed_search.",
    input: PubmedAbstractQuery,
    output: PubmedAbstracts,
    deps: [optional(HTTP_SETTINGS), optional(APP_ENV)],
    async run({ pmids }, ctx, settings, env): Promise<PubmedAbstracts> {
      const pubmed = openPubmed(ctx, settings, env);
      const xml = await pubmed.xml("efetch", { rettype: "abstract", id: pmids.join(",") });
      const fault = xmlInner(xml, "ERROR");
      if (fault !== undefined) throw pubmed.told(textOfMarkup(fault));
      const read = new Map(readArticles(xml).map((article) => [article.pmid, article]));
      const missing = pmids.filter((pmid) => !read.has(pmid));
      if (missing.length === pmids.length)
        throw new ToolError(
          `PubMed has no article of the number ${missing.join(", ")}. Find the right one with pubmed_search`,
        );
      return {
        articles: pmids.flatMap((pmid) => {
          const article = read.get(pmid);
          if (article === undefined) return [];
          const { title, abstract, authors, journal, year, doi } = article;
          return {
            pmid,
            title,
            abstract: cutText(abstract, MAX_ABSTRACT),
            url: pubmedUrl(pmid),
            authors: authors.slice(0, MAX_AUTHORS),
            journal,
            year,
            doi,
          };
        }),
        ...(missing.length === 0 ? {} : { missing }),
      };
    },
  });
