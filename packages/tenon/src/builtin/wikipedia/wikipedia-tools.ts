import type { ToolDefinition } from "tenon";
import { wikipediaArticle } from "./wikipedia-article.js";
import { wikipediaSearch } from "./wikipedia-search.js";

/** Both tools of Wikipedia, for the list `tools` of an agent. */
export const wikipediaTools: readonly ToolDefinition[] = Object.freeze([wikipediaSearch, wikipediaArticle]);
