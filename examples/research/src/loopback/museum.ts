import { readdirSync, readFileSync } from "node:fs";
import type { Answer, Asked } from "./service.js";

/** The name of the site. The app says where it leads. */
export const MUSEUM = "museum.example";

/** A page of the site. */
export interface SitePage {
  readonly url: string;
  readonly title: string;
  readonly html: string;
}

/** The pages of a folder, each under the name of its file. */
export function readPages(folder: URL): SitePage[] {
  return readdirSync(folder).map((file) => {
    const html = readFileSync(new URL(file, folder), "utf8");
    const [, title = file] = /<title>([^<]*)/.exec(html) ?? [];
    return { url: `http://${MUSEUM}/${file.replace(/\.html$/, "")}`, title, html };
  });
}

/** Plays a web site. */
export function museum(pages: readonly SitePage[]): (asked: Asked) => Answer {
  return ({ url }) => {
    const page = pages.find((one) => one.url === url.href);
    if (page === undefined) return { status: 404, type: "text/html", body: "<h1>No such room</h1>" };
    return { type: "text/html; charset=utf-8", body: page.html };
  };
}
