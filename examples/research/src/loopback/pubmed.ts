import { readFileSync } from "node:fs";
import { ranked, wordsOf } from "./ranked.js";
import type { Answer, Asked } from "./service.js";

interface Entry {
  readonly pmid: string;
  readonly title: string;
  readonly authors: readonly { readonly lastName: string; readonly initials: string }[];
  readonly journal: string;
  readonly year: string;
  readonly abstract: readonly { readonly label?: string; readonly text: string }[];
}

/** Plays the E-utilities of NCBI over the records of a file. */
export function pubmed(file: URL): (asked: Asked) => Answer {
  const entries = JSON.parse(readFileSync(file, "utf8")) as readonly Entry[];
  return ({ url: { pathname, searchParams } }) => {
    const ids = searchParams.get("id")?.split(",") ?? [];
    const named = entries.filter(({ pmid }) => ids.includes(pmid));
    if (pathname === "/esearch.fcgi") return { body: found(entries, searchParams) };
    if (pathname === "/esummary.fcgi") return { body: summaries(named) };
    if (pathname === "/efetch.fcgi") return { type: "text/xml; charset=UTF-8", body: articleSet(named) };
    return { status: 404, type: "text/html", body: "<h1>Not Found</h1>" };
  };
}

function found(entries: readonly Entry[], asked: URLSearchParams): object {
  const term = asked.get("term") ?? "";
  if (term.trim() === "") return { esearchresult: { ERROR: "Empty term and query_key - nothing todo" } };
  const hits = ranked(term, entries, textOf);
  const unknown = wordsOf(term).filter((word) => ranked(word, entries, textOf).length === 0);
  return {
    header: { type: "esearch", version: "0.3" },
    esearchresult: {
      count: String(hits.length),
      retmax: asked.get("retmax"),
      retstart: "0",
      idlist: hits.slice(0, Number(asked.get("retmax"))).map(({ pmid }) => pmid),
      ...(unknown.length === 0 ? {} : { errorlist: { phrasesnotfound: unknown, fieldsnotfound: [] } }),
    },
  };
}

function summaries(entries: readonly Entry[]): object {
  const result: Record<string, unknown> = { uids: entries.map(({ pmid }) => pmid) };
  for (const { pmid, title, authors, journal, year } of entries)
    result[pmid] = {
      uid: pmid,
      title,
      source: journal,
      pubdate: year,
      authors: authors.map(({ lastName, initials }) => ({ name: `${lastName} ${initials}`, authtype: "Author" })),
      articleids: [{ idtype: "pubmed", value: pmid }],
    };
  return { header: { type: "esummary", version: "0.3" }, result };
}

function articleSet(entries: readonly Entry[]): string {
  return `<?xml version="1.0" ?>\n<PubmedArticleSet>${entries.map(article).join("")}</PubmedArticleSet>`;
}

function article({ pmid, title, authors, journal, year, abstract }: Entry): string {
  const parts = abstract.map(({ label, text }) => {
    const labeled = label === undefined ? "" : ` Label="${escaped(label)}"`;
    return `<AbstractText${labeled}>${escaped(text)}</AbstractText>`;
  });
  const names = authors.map(
    ({ lastName, initials }) =>
      `<Author><LastName>${escaped(lastName)}</LastName><Initials>${initials}</Initials></Author>`,
  );
  return (
    `<PubmedArticle><MedlineCitation><PMID Version="1">${pmid}</PMID><Article><Journal><JournalIssue><PubDate>` +
    `<Year>${year}</Year></PubDate></JournalIssue><ISOAbbreviation>${escaped(journal)}</ISOAbbreviation></Journal>` +
    `<ArticleTitle>${escaped(title)}</ArticleTitle><Abstract>${parts.join("")}</Abstract>` +
    `<AuthorList>${names.join("")}</AuthorList></Article></MedlineCitation></PubmedArticle>`
  );
}

function textOf({ title, abstract }: Entry): string {
  return [title, ...abstract.map(({ text }) => text)].join(" ");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
