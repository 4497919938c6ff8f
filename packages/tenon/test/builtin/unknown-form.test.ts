import { toolOf, type ToolDefinition } from "tenon";
import { linearSearch } from "tenon/tools/linear";
import { pubmedSearch } from "tenon/tools/pubmed";
import { webSearch } from "tenon/tools/web-search";
import { wikipediaSearch } from "tenon/tools/wikipedia";
import { expect, test } from "vitest";
import { quickClock } from "./service-server.js";

const FIRECRAWL = { FIRECRAWL_API_KEY: "k" };
const EXA = { EXA_API_KEY: "k" };
const BRIGHT_DATA = { BRIGHTDATA_API_KEY: "k", BRIGHTDATA_SERP_ZONE: "z" };
const LINEAR = { LINEAR_API_KEY: "k" };

function search(tool: ToolDefinition, env: object, answer: unknown) {
  const fetch = async (): Promise<Response> => Response.json(answer);
  // A tool without a key takes no environment.
  const keys = Object.keys(env).length === 0 ? [] : [env];
  return toolOf(tool, { fetch, clock: quickClock() }, ...keys).invoke({ query: "x" });
}

/** Answers with a status of success that are no results: each is an error, never an empty list. */
test.each<[string, ToolDefinition, object, unknown, string | RegExp]>([
  [
    "Firecrawl, a list in place of lists by kind",
    webSearch,
    FIRECRAWL,
    { success: true, data: [{ url: "https://a.example/", title: "A" }] },
    /^Firecrawl .*form that is not known/,
  ],
  [
    "Firecrawl, an error in place of a list",
    webSearch,
    FIRECRAWL,
    { success: true, data: { web: { error: "engine down" } } },
    /^Firecrawl .*form that is not known/,
  ],
  ["Firecrawl, an error beside success", webSearch, FIRECRAWL, { success: true, error: "slow", data: {} }, /slow/],
  [
    "Exa, an error that is an object",
    webSearch,
    EXA,
    { results: [], error: { message: "no credits" } },
    /^Exa could not answer: no credits/,
  ],
  ["Exa, an error without words", webSearch, EXA, { results: [], error: { code: 7 } }, /an error without words/],
  [
    "Exa, entries of another form",
    webSearch,
    EXA,
    { results: [{ link: "https://a.example/" }] },
    /form that is not known: it sent no page that can be read/,
  ],
  [
    "Bright Data, null for what was asked",
    webSearch,
    BRIGHT_DATA,
    { status_code: 200, body: '{"general":null}' },
    /form that is not known/,
  ],
  [
    "Bright Data, results that are no list",
    webSearch,
    BRIGHT_DATA,
    { status_code: 200, body: '{"general":{},"organic":{}}' },
    /form that is not known/,
  ],
  [
    "Bright Data, an error in the engine's answer",
    webSearch,
    BRIGHT_DATA,
    { status_code: 200, body: '{"general":{},"error":"captcha"}' },
    /captcha/,
  ],
  [
    "Bright Data, an error that is an object",
    webSearch,
    BRIGHT_DATA,
    { error: { message: "zone" }, general: {} },
    /could not answer: zone/,
  ],
  [
    "PubMed, an error that is an object",
    pubmedSearch,
    {},
    { error: { message: "API rate limit exceeded" }, esearchresult: { count: "0", idlist: [] } },
    /API rate limit exceeded/,
  ],
  [
    "PubMed, numbers that are no texts",
    pubmedSearch,
    {},
    { esearchresult: { count: "2", idlist: [12, 13] } },
    /form that is not known/,
  ],
  [
    "PubMed, none of those that there are",
    pubmedSearch,
    {},
    { esearchresult: { count: "2", idlist: [] } },
    /it sent none of 2 articles/,
  ],
  [
    "Wikipedia, an error without words",
    wikipediaSearch,
    {},
    { errors: [{ code: "ratelimited" }], query: { search: [] } },
    /^Wikipedia could not answer: an error without words/,
  ],
  [
    "Wikipedia, entries of another form",
    wikipediaSearch,
    {},
    { query: { search: [{ name: "A" }] } },
    /form that is not known: it sent no article that can be read/,
  ],
  [
    "Linear, errors that are no list",
    linearSearch,
    LINEAR,
    { errors: { message: "maintenance" }, data: { searchIssues: { nodes: [] } } },
    /^Linear could not answer: maintenance/,
  ],
  [
    "Linear, issues without ids",
    linearSearch,
    LINEAR,
    { data: { searchIssues: { nodes: [{ identifier: "A-1" }] } } },
    /form that is not known/,
  ],
])("%s", async (_, tool, env, answer, message) => {
  expect(await search(tool, env, answer)).toMatchObject({
    kind: "error",
    code: "tool_error",
    message: expect.stringMatching(message),
  });
});

test.each<[string, ToolDefinition, object, unknown]>([
  ["Firecrawl", webSearch, FIRECRAWL, { success: true, error: null, data: {} }],
  ["Exa", webSearch, EXA, { results: [], error: "" }],
  ["Bright Data", webSearch, BRIGHT_DATA, { status_code: 200, body: '{"general":{"query":"x"}}' }],
  ["PubMed", pubmedSearch, {}, { esearchresult: { count: "0", idlist: [], ERROR: [] } }],
  ["Wikipedia", wikipediaSearch, {}, { errors: [], query: { search: [] } }],
  ["Linear", linearSearch, LINEAR, { errors: [], data: { searchIssues: { nodes: [] } } }],
])("%s, nothing found and no error: an empty list", async (_, tool, env, answer) => {
  expect(await search(tool, env, answer)).toMatchObject({ kind: "ok", value: { results: [] } });
});
