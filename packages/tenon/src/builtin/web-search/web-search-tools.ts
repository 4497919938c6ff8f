import type { ToolDefinition } from "tenon";
import { webSearch } from "./web-search.js";

/** The tool that searches the web, as a list like those of the other services. */
export const webSearchTools: readonly ToolDefinition[] = Object.freeze([webSearch]);
