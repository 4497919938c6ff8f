import type { PubmedAbstractQuery, PubmedAbstracts, PubmedHits, PubmedQuery } from "tenon/tools/pubmed";
import type { WebFetchInput, WebPage } from "tenon/tools/web-fetch";
import type { WebHits, WebQuery } from "tenon/tools/web-search";
import type { WikipediaArticle, WikipediaArticleQuery, WikipediaHits, WikipediaQuery } from "tenon/tools/wikipedia";
import { evidenceIn, subjectOf, urlsIn } from "./evidence.js";

interface Inputs {
  wikipedia_search: Partial<WikipediaQuery>;
  pubmed_search: Partial<PubmedQuery>;
  web_search: Partial<WebQuery>;
  wikipedia_article: Partial<WikipediaArticleQuery>;
  pubmed_abstract: PubmedAbstractQuery;
  web_fetch: WebFetchInput;
}

interface Outputs {
  wikipedia_search: WikipediaHits;
  pubmed_search: PubmedHits;
  web_search: WebHits;
  wikipedia_article: WikipediaArticle;
  pubmed_abstract: PubmedAbstracts;
  web_fetch: WebPage;
}

type ToolName = keyof Inputs;

/** A call that the plan wants. */
export type PlannedCall = { [T in ToolName]: { readonly tool: T; readonly input: Inputs[T] } }[ToolName];

/** What a call gave. */
export type CallResult =
  | { readonly tool: string; readonly value: unknown }
  | { readonly tool: string; readonly error: string };

/** What comes next: calls, or the answer. */
export type Step = { readonly calls: readonly PlannedCall[] } | { readonly answer: string };

interface Source {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

/** A question may name any number of pages; a run has so many calls. */
const MAX_PAGES = 5;

/**
 * The plan of the prompt, as rules: search everywhere at once, read the best of what was found, then answer with the
 * sentences that fit the question best. `results` are those of this question so far.
 */
export function nextStep(question: string, results: readonly CallResult[]): Step {
  const subject = subjectOf(question);
  if (subject.length === 0) return { answer: "Ask me about something, such as: Which food cures scurvy?" };
  if (results.length === 0) return { calls: searches(subject.join(" ")) };
  const read = results.some(({ tool }) => Object.hasOwn(readers, tool));
  const calls = read ? [] : reads(question, results);
  return calls.length > 0 ? { calls } : { answer: answerFrom(subject, results) };
}

function searches(query: string): PlannedCall[] {
  return [
    { tool: "wikipedia_search", input: { query, limit: 3 } },
    { tool: "pubmed_search", input: { query, limit: 3 } },
    { tool: "web_search", input: { query, limit: 3 } },
  ];
}

function reads(question: string, results: readonly CallResult[]): PlannedCall[] {
  const [article] = valuesOf(results, "wikipedia_search").flatMap((hits) => hits.results);
  const pmids = valuesOf(results, "pubmed_search").flatMap((hits) => hits.results.map(({ pmid }) => pmid));
  const [page] = valuesOf(results, "web_search").flatMap((hits) => hits.results);
  const pages = new Set([...urlsIn(question), ...(page === undefined ? [] : [page.url])]);
  return [
    ...(article === undefined ? [] : [{ tool: "wikipedia_article" as const, input: { title: article.title } }]),
    ...(pmids.length === 0 ? [] : [{ tool: "pubmed_abstract" as const, input: { pmids } }]),
    ...[...pages].slice(0, MAX_PAGES).map((url) => ({ tool: "web_fetch" as const, input: { url } })),
  ];
}

/** What each tool that reads has to say. */
const readers = {
  wikipedia_article: ({ title, url, extract }: WikipediaArticle): Source[] => [{ title, url, text: extract }],
  pubmed_abstract: ({ articles }: PubmedAbstracts): Source[] =>
    articles.map(({ title, url, abstract }) => ({ title, url, text: abstract })),
  web_fetch: ({ title, url, text }: WebPage): Source[] => [{ title: title ?? url, url, text }],
};

function answerFrom(subject: readonly string[], results: readonly CallResult[]): string {
  const sources = [
    ...valuesOf(results, "wikipedia_article").flatMap(readers.wikipedia_article),
    ...valuesOf(results, "pubmed_abstract").flatMap(readers.pubmed_abstract),
    ...valuesOf(results, "web_fetch").flatMap(readers.web_fetch),
  ].flatMap((source) => {
    const said = evidenceIn(source.text, subject);
    return said === undefined ? [] : [{ ...source, said }];
  });
  const statements = sources.map(({ said }, at) => `${said} [${at + 1}]`);
  const listed = sources.map(({ title, url }, at) => `[${at + 1}] ${title}: ${url}`);
  const failed = results.flatMap((one) => ("error" in one ? [`Left out: ${one.tool}. ${one.error}`] : []));
  if (statements.length === 0) statements.push(`I found nothing about: ${subject.join(", ")}.`);
  return [statements, listed, failed]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function valuesOf<T extends ToolName>(results: readonly CallResult[], tool: T): Outputs[T][] {
  return results.flatMap((one) => (one.tool === tool && "value" in one ? [one.value as Outputs[T]] : []));
}
