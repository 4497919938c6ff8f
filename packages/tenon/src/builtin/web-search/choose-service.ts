import { MissingVariableError, type Env } from "tenon";
import { findKey, readKey, type ApiKey } from "../http/api-key.js";
import type { SearchServiceName } from "../http/http-settings.js";
import { brightData } from "./bright-data.js";
import { exa } from "./exa.js";
import { firecrawl } from "./firecrawl.js";
import type { SearchService } from "./search-service.js";

/** In the order in which they are chosen. */
const services: Readonly<Record<SearchServiceName, SearchService>> = { exa, firecrawl, "bright-data": brightData };

/** A service to search with, and its key. */
export interface ChosenService {
  readonly name: SearchServiceName;
  readonly service: SearchService;
  readonly key: ApiKey;
}

/**
 * The service of a call: the one that the app names, else the first whose key is set. No other takes its place where it fails.
 * Throws `MissingVariableError` without a key.
 */
export function chooseService(named: SearchServiceName | undefined, env: Env | undefined): ChosenService {
  if (named !== undefined) {
    const service = services[named];
    return { name: named, service, key: readKey(env, service.variable, service.title, wanted(service)) };
  }
  for (const [name, service] of Object.entries(services)) {
    const key = findKey(env, service.variable);
    if (key !== undefined) return { name: name as SearchServiceName, service, key };
  }
  const [first, ...others] = Object.values(services);
  const told = others.map(({ variable, zone }) => (zone === undefined ? variable : `${variable} with ${zone}`));
  throw new MissingVariableError(first!.variable, "web_search needs the key of one search service", told);
}

function wanted({ zone }: SearchService): string {
  return zone === undefined ? "a key" : `a key, and the name of a SERP zone in ${zone}`;
}
