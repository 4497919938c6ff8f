import { Int, Text } from "tenon/dto";

/** How much of a page one call reads where it does not say, in characters. */
export const PAGE_CHARS = 10_000;

/** Which page to read, and which part of it. */
export class WebFetchInput {
  @Text({ prompt: "the page's address: an absolute URL, https:// or http://", min: 1, max: 2_000 }) url!: string;
  @Int({ prompt: "how many characters of the page's text at most", min: 100, max: 20_000, default: PAGE_CHARS })
  limit?: number | undefined;
  @Int({ prompt: "where to begin: the nextOffset of an earlier call reads on from there", min: 0, default: 0 })
  offset?: number | undefined;
}

/** A page, or a part of it, as text. */
export class WebPage {
  @Text({ prompt: "the page's address, after redirects" }) url!: string;
  @Text({ prompt: "the title of a page of HTML", optional: true }) title?: string | undefined;
  @Text({ prompt: "what the page was sent as, such as text/html" }) mediaType!: string;
  @Text({ prompt: "the text from offset on; of a page of HTML, as Markdown" }) text!: string;
  @Int({ prompt: "how many characters the whole text has", min: 0 }) totalChars!: number;
  @Int({ prompt: "the offset to read on from; absent at the end of the text", optional: true })
  nextOffset?: number | undefined;
}
