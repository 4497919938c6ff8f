export {
  HTTP_SETTINGS,
  type HttpClock,
  type HttpSettings,
  type SearchServiceName,
  type ServiceName,
} from "../../../builtin/http/http-settings.js";
export {
  pubmedAbstract,
  PubmedAbstract,
  PubmedAbstractQuery,
  PubmedAbstracts,
} from "../../../builtin/pubmed/pubmed-abstract.js";
export { PubmedHit, PubmedHits, PubmedQuery, pubmedSearch } from "../../../builtin/pubmed/pubmed-search.js";
export { pubmedTools } from "../../../builtin/pubmed/pubmed-tools.js";
