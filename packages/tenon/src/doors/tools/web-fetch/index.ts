export {
  HTTP_SETTINGS,
  type HttpClock,
  type HttpSettings,
  type SearchServiceName,
  type ServiceName,
} from "../../../builtin/http/http-settings.js";
export { webFetch } from "../../../builtin/web-fetch/web-fetch.js";
export {
  WEB_FETCH_SETTINGS,
  type PinnedTarget,
  type WebFetchSettings,
} from "../../../builtin/web-fetch/web-fetch-settings.js";
export { WebFetchInput, WebPage } from "../../../builtin/web-fetch/web-page.js";
