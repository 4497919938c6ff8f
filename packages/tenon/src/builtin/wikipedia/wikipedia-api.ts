import { ToolError, type ToolContext } from "tenon";
import type { HttpSettings } from "../http/http-settings.js";
import { outsideRead } from "../http/outside-read.js";
import { errorAt, lacks, objectAt } from "../http/strict-answer.js";
import { ServiceHttp } from "../http/service-http.js";
import { serviceUrl } from "../http/service-url.js";

/** How an edition of Wikipedia is named: `en`, `simple`, `zh-min-nan`. Nothing that could be more than one label of a host. */
export const LANGUAGE: RegExp = /^[a-z]{2,12}(-[a-z]{1,12}){0,2}$/;

/** Asks the action API of one edition, and gives the `query` of its answer. An error inside an answer is thrown. */
export async function askWikipedia(
  language: string,
  parameters: Readonly<Record<string, string>>,
  ctx: Pick<ToolContext, "signal">,
  settings: HttpSettings | undefined,
): Promise<unknown> {
  const http = new ServiceHttp({
    service: "Wikipedia",
    settings,
    signal: ctx.signal,
    timeoutMs: outsideRead.timeoutMs,
  });
  const url = serviceUrl(baseUrl(language, settings?.baseUrls?.wikipedia), "w/api.php");
  url.search = new URLSearchParams({
    action: "query",
    format: "json",
    formatversion: "2",
    errorformat: "plaintext",
    ...parameters,
  }).toString();
  const answer = await http.json({ url });
  const fault = errorAt(answer, "errors", "error");
  if (fault !== undefined) throw http.told(fault);
  const query = objectAt(answer, "query");
  if (query === undefined) throw lacks("Wikipedia", "an answer without a result");
  return query;
}

/** The page that people read. */
export function pageUrl(language: string, title: string): string {
  const name = encodeURIComponent(title.replaceAll(" ", "_")).replaceAll("%2F", "/").replaceAll("%3A", ":");
  return `https://${language}.wikipedia.org/wiki/${name}`;
}

/** Where an edition is reached. Checked once more than the schema does: this is what keeps a request from leaving for another host. */
function baseUrl(language: string, mirror: string | undefined): string {
  if (!LANGUAGE.test(language)) throw notALanguage();
  if (mirror !== undefined) return mirror.replaceAll("{language}", language);
  const url = new URL(`https://${language}.wikipedia.org/`);
  if (url.hostname !== `${language}.wikipedia.org`) throw notALanguage();
  return url.origin;
}

function notALanguage(): ToolError {
  return new ToolError("The language is none of an edition of Wikipedia. Use a code such as en, de or zh-yue", {
    outcome: "not-done",
    source: "trusted",
  });
}
