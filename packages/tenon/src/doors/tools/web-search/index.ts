export {
  HTTP_SETTINGS,
  type HttpClock,
  type HttpSettings,
  type SearchServiceName,
  type ServiceName,
} from "../../../builtin/http/http-settings.js";
export { WebHit, WebHits, WebQuery, webSearch } from "../../../builtin/web-search/web-search.js";
export { webSearchTools } from "../../../builtin/web-search/web-search-tools.js";
