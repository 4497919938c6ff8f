export {
  HTTP_SETTINGS,
  type HttpClock,
  type HttpSettings,
  type SearchServiceName,
  type ServiceName,
} from "../../../builtin/http/http-settings.js";
export {
  wikipediaArticle,
  WikipediaArticle,
  WikipediaArticleQuery,
  WikipediaSection,
} from "../../../builtin/wikipedia/wikipedia-article.js";
export {
  WikipediaHit,
  WikipediaHits,
  WikipediaQuery,
  wikipediaSearch,
} from "../../../builtin/wikipedia/wikipedia-search.js";
export { wikipediaTools } from "../../../builtin/wikipedia/wikipedia-tools.js";
