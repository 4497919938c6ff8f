import { Agent } from "tenon";
import { pubmedTools } from "tenon/tools/pubmed";
import { webFetch } from "tenon/tools/web-fetch";
import { webSearch } from "tenon/tools/web-search";
import { wikipediaTools } from "tenon/tools/wikipedia";

@Agent({
  name: "researcher",
  description: "Answers a question from Wikipedia, PubMed and pages of the web, with its sources.",
  promptUrls: ["./researcher.prompt.md"],
  // `web_search` needs a key. Where none is set its call is an error that the model reads; all others work.
  tools: [...wikipediaTools, ...pubmedTools, webSearch, webFetch],
})
export class Researcher {}
