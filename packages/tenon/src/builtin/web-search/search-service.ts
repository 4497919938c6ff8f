import type { Env } from "tenon";
import type { ApiKey } from "../http/api-key.js";
import type { HttpSettings } from "../http/http-settings.js";
import { textAt } from "../http/json-at.js";
import type { ServiceHttp } from "../http/service-http.js";

/** A page that was found. */
export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly date?: string | undefined;
}

/** What a service found, and what it says that this cost, in US dollars. */
export interface FoundPages {
  readonly pages: readonly FoundPage[];
  readonly costUsd?: number | undefined;
}

/** What a service gets to search with. */
export interface SearchCall {
  readonly query: string;
  readonly limit: number;
  readonly http: ServiceHttp;
  readonly key: ApiKey;
  readonly settings: HttpSettings;
  readonly env: Env | undefined;
}

/** A service that searches the web: one request, and pages in the shape that all have. */
export interface SearchService {
  /** Its name in messages. */
  readonly title: string;
  /** The variable of its key. */
  readonly variable: string;
  /** The variable of what it needs beside the key. */
  readonly zone?: string | undefined;
  search(call: SearchCall): Promise<FoundPages>;
}

/** A page out of a service's own fields; nothing where it has no address of the web, or one of more than 2,000 characters. */
export function pageOf(entry: unknown, url: string, title: string, snippet: string | undefined): readonly FoundPage[] {
  const address = textAt(entry, url);
  if (address === undefined || address.length > 2_000 || !/^https?:\/\//i.test(address) || !URL.canParse(address))
    return [];
  return [{ url: address, title: textAt(entry, title) ?? address, snippet: snippet ?? "" }];
}
