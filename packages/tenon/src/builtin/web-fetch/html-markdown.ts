import type { ElementNode, TextNode } from "@mdream/js";
import { MissingPeerError } from "tenon";

const PEER = "@mdream/js";
const TITLE_CHARS = 300;

/** Controls and drawings: what they hold is no text of the page. */
const dropped: string[] = ["svg", "canvas", "textarea", "select", "button", "iframe", "object", "dialog"];

/** A page of HTML as text. */
export interface PageText {
  readonly title: string | undefined;
  readonly text: string;
}

type Peer = Pick<typeof import("@mdream/js"), "htmlToMarkdown">;

/**
 * The Markdown of a page: without scripts, styles, comments and what is hidden from a reader; links and pictures with whole
 * URLs, and only those of http, https and mailto. Its time grows with the page's length, however deep its elements are nested.
 * Rejects with `MissingPeerError` where `@mdream/js` is not installed.
 */
export async function htmlMarkdown(
  html: string,
  url: URL,
  load: () => Promise<Peer> = () => import("@mdream/js"),
): Promise<PageText> {
  const { htmlToMarkdown } = await loadPeer(load);
  const reader = new PageReader(url);
  const text = htmlToMarkdown(html, {
    plugins: { filter: { exclude: dropped } },
    hooks: [{ processAttributes: (node) => reader.element(node), processTextNode: (node) => reader.text(node) }],
    clean: { blankLines: true },
  });
  const title = reader.title.replace(/\s+/g, " ").trim();
  return { title: title === "" ? undefined : title, text: text.trim() };
}

async function loadPeer(load: () => Promise<Peer>): Promise<Peer> {
  try {
    return await load();
  } catch (thrown) {
    if (!/^Cannot find (package|module)/.test((thrown as Error).message)) throw thrown;
    throw new MissingPeerError(PEER, "^1.7.2", "To read a page of HTML, web_fetch", thrown);
  }
}

/** Sees the elements and texts of one page as they come. */
class PageReader {
  title = "";
  #base: URL;

  constructor(url: URL) {
    this.#base = url;
  }

  element({ name, attributes }: ElementNode): void {
    if (/(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes["style"] ?? "")) attributes["hidden"] = "";
    if (name === "base") this.#base = this.#link(attributes["href"]) ?? this.#base;
    for (const key of ["href", "src"]) {
      if (attributes[key] === undefined) continue;
      const link = this.#link(attributes[key]);
      if (link === undefined) delete attributes[key];
      else attributes[key] = link.href;
    }
    if (name === "img" && (attributes["src"] === undefined || !attributes["alt"]?.trim())) attributes["hidden"] = "";
  }

  text({ parent, value }: TextNode): { content: string; skip: boolean } | undefined {
    if (parent?.name !== "title") return undefined;
    if (this.title.length < TITLE_CHARS) this.title += value.slice(0, TITLE_CHARS);
    return { content: "", skip: true };
  }

  #link(text: string | undefined): URL | undefined {
    const url = text === undefined ? null : URL.parse(text, this.#base.href);
    return url !== null && /^(https?|mailto):$/.test(url.protocol) ? url : undefined;
  }
}
