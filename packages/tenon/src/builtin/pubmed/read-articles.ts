import { lacks } from "../http/strict-answer.js";
import { textOfMarkup } from "../http/text-of-markup.js";
import { xmlAttribute, xmlElements, xmlInner } from "./xml-elements.js";

/** What the XML of PubMed says of one article. */
export interface ReadArticle {
  readonly pmid: string;
  readonly title: string;
  /** Its parts one below the other, each after its label. Empty where it has none. */
  readonly abstract: string;
  readonly journal: string | undefined;
  readonly year: string | undefined;
  readonly authors: readonly string[];
  readonly doi: string | undefined;
}

/** Reads what `efetch` gives: articles and book chapters, in its order. Throws `ServiceError` where that is no whole set of articles. */
export function readArticles(xml: string): readonly ReadArticle[] {
  const set = xmlElements(xml, "PubmedArticleSet")[0];
  if (set === undefined) throw lacks("PubMed", "an answer that is no whole list of articles");
  return ["PubmedArticle", "PubmedBookArticle"].flatMap((name) =>
    xmlElements(set.inner, name).flatMap(({ inner }) => articleOf(inner)),
  );
}

function articleOf(xml: string): readonly ReadArticle[] {
  const pmid = textIn(xml, "PMID");
  if (pmid === undefined) return [];
  const title = textIn(xml, "ArticleTitle") ?? textIn(xml, "VernacularTitle") ?? textIn(xml, "BookTitle") ?? "";
  const journal = textIn(xml, "ISOAbbreviation") ?? textIn(xml, "MedlineTA") ?? textIn(xml, "BookTitle");
  const published = xmlInner(xml, "PubDate") ?? "";
  const year = textIn(published, "Year") ?? /\d{4}/.exec(textIn(published, "MedlineDate") ?? "")?.[0];
  const doi =
    xmlElements(xml, "ELocationID").find((one) => xmlAttribute(one, "EIdType") === "doi") ??
    xmlElements(xmlInner(xml, "ArticleIdList") ?? "", "ArticleId").find((one) => xmlAttribute(one, "IdType") === "doi");
  return [
    {
      pmid,
      title,
      abstract: abstractOf(xml),
      journal,
      year,
      authors: authorsOf(xml),
      doi: doi === undefined ? undefined : textOfMarkup(doi.inner),
    },
  ];
}

function abstractOf(xml: string): string {
  return xmlElements(xmlInner(xml, "Abstract") ?? "", "AbstractText")
    .map((part) => {
      const label = textOfMarkup(xmlAttribute(part, "Label") ?? "");
      const text = textOfMarkup(part.inner);
      return label === "" ? text : `${label}: ${text}`;
    })
    .filter((text) => text !== "")
    .join("\n");
}

function authorsOf(xml: string): readonly string[] {
  return xmlElements(xmlInner(xml, "AuthorList") ?? "", "Author").flatMap(({ inner }) => {
    const name = [textIn(inner, "LastName"), textIn(inner, "Initials")].filter((part) => part !== undefined).join(" ");
    return name === "" ? (textIn(inner, "CollectiveName") ?? []) : name;
  });
}

function textIn(xml: string, name: string): string | undefined {
  const text = textOfMarkup(xmlInner(xml, name) ?? "");
  return text === "" ? undefined : text;
}
