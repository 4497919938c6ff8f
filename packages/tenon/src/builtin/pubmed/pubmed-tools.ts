import type { ToolDefinition } from "tenon";
import { pubmedAbstract } from "./pubmed-abstract.js";
import { pubmedSearch } from "./pubmed-search.js";

/** Both tools of PubMed, for the list `tools` of an agent. */
export const pubmedTools: readonly ToolDefinition[] = Object.freeze([pubmedSearch, pubmedAbstract]);
