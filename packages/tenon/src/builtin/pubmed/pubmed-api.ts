import type { Env, ToolContext } from "tenon";
import { findKey } from "../http/api-key.js";
import type { HttpSettings } from "../http/http-settings.js";
import { outsideRead } from "../http/outside-read.js";
import { RateGates } from "../http/rate-gate.js";
import { ServiceHttp } from "../http/service-http.js";
import { serviceUrl } from "../http/service-url.js";

/** The variable of the key, which PubMed does not ask for. */
export const NCBI_API_KEY = "NCBI_API_KEY";

const BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils";
const PER_SECOND = 3;
const PER_SECOND_WITH_KEY = 10;
const gates = new RateGates();

/** The E-utilities during one call of a tool. */
export interface PubmedApi {
  /** Asks one of them for JSON: `esearch`, `esummary`. */
  json(utility: string, parameters: Readonly<Record<string, string>>): Promise<unknown>;
  /** Asks one of them for XML: `efetch`. */
  xml(utility: string, parameters: Readonly<Record<string, string>>): Promise<string>;
  /** An error that PubMed tells inside of an answer. */
  told(words: string): Error;
}

/** Opens the E-utilities for one call: within the rate that PubMed allows, with the key where there is one. */
export function openPubmed(
  ctx: Pick<ToolContext, "signal">,
  settings: HttpSettings = {},
  env: Env | undefined,
): PubmedApi {
  const key = findKey(env, NCBI_API_KEY);
  const perSecond = key === undefined ? PER_SECOND : PER_SECOND_WITH_KEY;
  const http = new ServiceHttp({
    service: "PubMed",
    settings,
    signal: ctx.signal,
    timeoutMs: outsideRead.timeoutMs,
    key,
    gate: (call) => gates.of(call.clock, perSecond).pass(call),
  });
  const request = (utility: string, retmode: string, parameters: Readonly<Record<string, string>>) => {
    const url = serviceUrl(settings.baseUrls?.pubmed ?? BASE, `${utility}.fcgi`);
    url.search = new URLSearchParams({
      db: "pubmed",
      retmode,
      ...parameters,
      tool: settings.toolName ?? "tenon",
      ...(settings.email === undefined ? {} : { email: settings.email }),
      ...(key === undefined ? {} : { api_key: key.value }),
    }).toString();
    return { url };
  };
  return {
    json: (utility, parameters) => http.json(request(utility, "json", parameters)),
    xml: (utility, parameters) => http.xml(request(utility, "xml", parameters)),
    told: (words) => http.told(words),
  };
}

/** The page that people read. */
export function pubmedUrl(pmid: string): string {
  return `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`;
}
