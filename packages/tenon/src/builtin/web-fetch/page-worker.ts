// The program of a thread that makes Markdown of one page. It is started as a file of its own, so it imports no file of ours.
import { parentPort, workerData } from "node:worker_threads";
import { htmlToMarkdown, type ElementNode, type TextNode } from "@mdream/js";

const TITLE_CHARS = 300;
/** Longer is no address that anybody could ask for. */
const URL_CHARS = 2_000;
/** What the whole addresses of a page may come to: a short link grows by its base. */
const LINKS_CHARS = 8_000_000;

/** Controls and drawings: what they hold is no text of the page. */
const dropped: string[] = ["svg", "canvas", "textarea", "select", "button", "iframe", "object", "dialog"];

/** What the thread is given. */
export interface PageToRead {
  readonly html: string;
  /** Where the page came from. */
  readonly url: string;
}

/** A page of HTML as text. */
export interface PageText {
  readonly title: string | undefined;
  readonly text: string;
}

/** Sees the elements and texts of one page as they come. */
class PageReader {
  title = "";
  #base: string;
  #based = false;
  #left = LINKS_CHARS;

  constructor(url: string) {
    this.#base = url;
  }

  element({ name, attributes }: ElementNode): void {
    if (/(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes["style"] ?? "")) attributes["hidden"] = "";
    // Of several, the first that says an address counts.
    if (name === "base" && attributes["href"] !== undefined && !this.#based) {
      this.#based = true;
      this.#base = this.#link(attributes["href"]) ?? this.#base;
    }
    for (const key of ["href", "src"]) {
      if (attributes[key] === undefined) continue;
      const link = this.#link(attributes[key]);
      if (link === undefined) delete attributes[key];
      else attributes[key] = link;
    }
    if (name === "img" && (attributes["src"] === undefined || !attributes["alt"]?.trim())) attributes["hidden"] = "";
  }

  text({ parent, value }: TextNode): { content: string; skip: boolean } | undefined {
    if (parent?.name !== "title") return undefined;
    if (this.title.length < TITLE_CHARS) this.title += value.slice(0, TITLE_CHARS);
    return { content: "", skip: true };
  }

  #link(text: string): string | undefined {
    const url = text.length > 2 * URL_CHARS ? null : URL.parse(text, this.#base);
    if (url === null || !/^(https?|mailto):$/.test(url.protocol) || url.href.length > URL_CHARS) return undefined;
    this.#left -= url.href.length;
    return this.#left < 0 ? undefined : url.href;
  }
}

const { html, url } = workerData as PageToRead;
const reader = new PageReader(url);
const text = htmlToMarkdown(html, {
  plugins: { filter: { exclude: dropped } },
  hooks: [{ processAttributes: (node) => reader.element(node), processTextNode: (node) => reader.text(node) }],
  clean: { blankLines: true },
});
const title = reader.title.replace(/\s+/g, " ").trim();
const read: PageText = { title: title === "" ? undefined : title, text: text.trim() };
parentPort!.postMessage(read, []);
