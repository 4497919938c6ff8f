import { readdirSync, readFileSync } from "node:fs";
import { ranked, wordsOf } from "./ranked.js";
import type { Answer, Asked } from "./service.js";

interface Article {
  readonly title: string;
  readonly extract: string;
}

/** Plays MediaWiki's action API over the articles of a folder: one a file, named after its title. */
export function wikipedia(folder: URL): (asked: Asked) => Answer {
  const articles = readdirSync(folder).map((file) => ({
    title: file.replace(/\.txt$/, ""),
    extract: readFileSync(new URL(encodeURIComponent(file), folder), "utf8").trim(),
  }));
  return ({ url: { pathname, searchParams } }) => {
    if (pathname !== "/w/api.php") return { status: 404, type: "text/html", body: "<h1>Not Found</h1>" };
    if (searchParams.get("list") === "search") return { body: found(articles, searchParams) };
    if (searchParams.get("prop") === "extracts") return { body: read(articles, searchParams.get("titles") ?? "") };
    return { body: { errors: [{ code: "badvalue", text: "This is not played here", module: "query" }] } };
  };
}

function found(articles: readonly Article[], asked: URLSearchParams): object {
  const query = asked.get("srsearch") ?? "";
  const hits = ranked(query, articles, ({ title, extract }) => `${title} ${extract}`);
  const search = hits.slice(0, Number(asked.get("srlimit"))).map(({ title, extract }, at) => ({
    ns: 0,
    title,
    pageid: at + 1,
    wordcount: wordsOf(extract).length,
    snippet: extract.slice(0, 120).replace(/\w+/g, (word) => marked(word, query)),
  }));
  return { batchcomplete: true, query: { searchinfo: { totalhits: hits.length }, search } };
}

function marked(word: string, query: string): string {
  return wordsOf(query).includes(word.toLowerCase()) ? `<span class="searchmatch">${word}</span>` : word;
}

function read(articles: readonly Article[], title: string): object {
  const article = articles.find((one) => one.title.toLowerCase() === title.toLowerCase());
  const page = article === undefined ? { ns: 0, title, missing: true } : { ns: 0, pageid: 1, ...article };
  return { batchcomplete: true, query: { pages: [page] } };
}
