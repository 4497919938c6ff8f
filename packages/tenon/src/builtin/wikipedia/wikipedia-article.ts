import { defineTool, optional, ToolError, type ToolDefinition } from "tenon";
import { Int, ListOf, Text } from "tenon/dto";
import { cutText } from "../http/cut-text.js";
import { HTTP_SETTINGS, type SettingsDep } from "../http/http-settings.js";
import { jsonAt, textAt } from "../http/json-at.js";
import { outsideRead } from "../http/outside-read.js";
import { quoted } from "../http/service-error.js";
import { lacks } from "../http/strict-answer.js";
import { sectionsOf, textUnder } from "./article-sections.js";
import { askWikipedia, LANGUAGE, pageUrl } from "./wikipedia-api.js";

const MAX_SECTIONS = 200;

/** Which article, and how much of it. */
export class WikipediaArticleQuery {
  @Text({ prompt: "the exact title, as wikipedia_search gives it", min: 1, max: 255 }) title!: string;
  @Text({ prompt: "the edition: en, de, fr, simple and so on", pattern: LANGUAGE, max: 40, default: "en" })
  language!: string;
  @Text({ prompt: "the heading of one section; without it the introduction", min: 1, max: 255, optional: true })
  section?: string | undefined;
  @Int({ prompt: "how much text at most, in characters", min: 200, max: 15_000, default: 4_000 }) maxChars!: number;
}

/** A heading of an article. */
export class WikipediaSection {
  @Text({ prompt: "the heading, as the field section takes it" }) title!: string;
  @Int({ prompt: "2 for a chapter, 3 for a part of one, and so on" }) level!: number;
  @Int({ prompt: "the characters below it, up to the next heading" }) chars!: number;
}

/** A part of an article, and what else it has. */
export class WikipediaArticle {
  @Text({ prompt: "the title, after redirects" }) title!: string;
  @Text({ prompt: "where people read it" }) url!: string;
  @Text({ prompt: "the introduction, or the section that was asked for, as plain text" }) extract!: string;
  @Int({ prompt: "the characters of the whole text that extract is cut from" }) chars!: number;
  @ListOf(WikipediaSection, { prompt: "the headings of the article" }) sections!: WikipediaSection[];
}

/**
 * The tool `wikipedia_article`: the introduction of an article, or one section of it, with the headings of all. It needs no
 * key. Redirects are followed. A title that is not there, or a heading that the article has not, is an error result.
 */
export const wikipediaArticle: ToolDefinition<
  "wikipedia_article",
  WikipediaArticleQuery,
  WikipediaArticle,
  SettingsDep
> = defineTool({
  ...outsideRead,
  name: "wikipedia_article",
  description:
    "Read an article of Wikipedia: its introduction and the list of its sections, or one section. Find titles with wikipedia_search.",
  input: WikipediaArticleQuery,
  output: WikipediaArticle,
  deps: [optional(HTTP_SETTINGS)],
  async run({ title: asked, language, section, maxChars }, ctx, settings): Promise<WikipediaArticle> {
    const found = await askWikipedia(
      language,
      { prop: "extracts", explaintext: "1", exsectionformat: "wiki", redirects: "1", titles: titleOf(asked) },
      ctx,
      settings,
    );
    const page = jsonAt(found, "pages", 0);
    const reason = textAt(page, "invalidreason");
    if (reason !== undefined)
      throw new ToolError(`Wikipedia takes no such title: ${quoted(reason, undefined)}. Use wikipedia_search`);
    if (jsonAt(page, "missing") !== undefined)
      throw new ToolError(
        `Wikipedia (${language}) has no article of this title: ${cutText(asked, 100)}. Find the exact one with wikipedia_search`,
      );
    const title = textAt(page, "title");
    if (title === undefined || typeof jsonAt(page, "extract") !== "string")
      throw lacks("Wikipedia", "no text of this page");
    const sections = sectionsOf(jsonAt(page, "extract") as string);
    const [lead, ...rest] = sections;
    const text = section === undefined ? lead.text : textUnder(sections, section);
    if (text === undefined)
      throw new ToolError(
        `The article has no section of this name: ${cutText(section!, 100)}. It has: ${cutText(rest.map((one) => one.title).join("; "), 1_500)}`,
      );
    return {
      title,
      url: pageUrl(language, title),
      extract: cutText(text, maxChars),
      chars: text.length,
      sections: rest
        .slice(0, MAX_SECTIONS)
        .map((one) => ({ title: one.title, level: one.level, chars: one.text.length })),
    };
  },
});

/** One title: the API reads `|`, or a first U+001F, as what stands between several. */
function titleOf(asked: string): string {
  if (/[|\u001f]/.test(asked))
    throw new ToolError("A title of Wikipedia has no | in it. Ask for one article at a time", {
      outcome: "not-done",
      source: "trusted",
    });
  return asked;
}
