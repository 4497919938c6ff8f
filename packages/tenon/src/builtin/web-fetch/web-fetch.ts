import { defineTool, optional, ToolError, type OptionalDep, type ToolDefinition } from "tenon";
import { HTTP_SETTINGS, type HttpSettings } from "../http/http-settings.js";
import { outsideRead } from "../http/outside-read.js";
import { fetchPage, type FetchedPage } from "./fetch-page.js";
import { htmlMarkdown } from "./html-markdown.js";
import type { PageText } from "./page-worker.js";
import { WEB_FETCH_SETTINGS, type WebFetchSettings } from "./web-fetch-settings.js";
import { PAGE_CHARS, WebFetchInput, WebPage } from "./web-page.js";

/**
 * The tool `web_fetch`: a page of the public internet as Markdown, part by part. It needs no key, and sends no cookie; it
 * reaches no private, loopback, link-local or metadata address, however that is spelled, resolved or redirected to. HTML needs
 * the package `@mdream/js`. What cannot be read is an error result.
 */
export const webFetch: ToolDefinition<
  "web_fetch",
  WebFetchInput,
  WebPage,
  readonly [OptionalDep<HttpSettings>, OptionalDep<WebFetchSettings>]
> = defineTool({
  ...outsideRead,
  name: "web_fetch",
  description:
    "Read a page of the public internet whose address you have, as text; HTML as Markdown. It does not search and does not log in.",
  input: WebFetchInput,
  output: WebPage,
  // The longest text as JSON, where a line break is two characters.
  maxResultChars: 50_000,
  deps: [optional(HTTP_SETTINGS), optional(WEB_FETCH_SETTINGS)],
  async run({ url, limit = PAGE_CHARS, offset = 0 }, { signal }, http = {}, settings = {}): Promise<WebPage> {
    const page = await fetchPage(url, { http, settings, signal, timeoutMs: outsideRead.timeoutMs });
    const { title, text } = await textOf(page, settings, signal);
    if (offset > 0 && offset >= text.length)
      throw new ToolError(`The text of this page has ${text.length} characters: there is nothing at offset ${offset}`);
    const start = boundary(text, offset);
    const end = boundary(text, start + limit);
    return {
      url: page.url.href,
      title,
      mediaType: page.type.mediaType,
      text: text.slice(start, end),
      totalChars: text.length,
      nextOffset: end < text.length ? end : undefined,
    };
  },
});

async function textOf(
  { url, type, body }: FetchedPage,
  { toMarkdown }: WebFetchSettings,
  signal: AbortSignal,
): Promise<PageText> {
  if (type.kind === "text") return { title: undefined, text: body };
  if (toMarkdown === undefined) return htmlMarkdown(body, url, { signal });
  return { title: undefined, text: await toMarkdown(body, url) };
}

/** The place itself, or the one before it where it would cut a character in two. */
function boundary(text: string, at: number): number {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1)) && at > 0 ? at - 1 : at;
}
