import { createApp, defineAgent, provide, toolOf, type Env, type ToolResult } from "tenon";
import { callTool, replyWith, scriptedModel, testWith } from "tenon/testing";
import {
  HTTP_SETTINGS,
  webSearch,
  webSearchTools,
  type HttpSettings,
  type SearchServiceName,
} from "tenon/tools/web-search";
import { describe, expect, test } from "vitest";
import { faults, quickClock, serviceServer, tooMany, type Answer } from "./service-server.js";

const keys: Readonly<Record<SearchServiceName, Env>> = {
  exa: { EXA_API_KEY: "exa-k3y" },
  firecrawl: { FIRECRAWL_API_KEY: "fc-k3y" },
  "bright-data": { BRIGHTDATA_API_KEY: "bd-k3y", BRIGHTDATA_SERP_ZONE: "serp_one" },
};

const bright = (body: object | string, status = 200): Answer => ({
  body: { status_code: status, headers: {}, body: typeof body === "string" ? body : JSON.stringify(body) },
});

interface Case {
  readonly service: SearchServiceName;
  readonly found: Answer;
  readonly none: Answer;
  /** Errors inside a 200, and answers of another shape. */
  readonly soft: readonly (readonly [Answer, RegExp])[];
  readonly asked: object;
  readonly head: readonly [string, string];
  readonly path: string;
}

const pages = [
  ["Joinery", "https://wood.example/joinery"],
  ["Tenons", "http://wood.example/tenons?x=1"],
] as const;

const cases: readonly Case[] = [
  {
    service: "exa",
    found: {
      body: {
        requestId: "r1",
        resolvedSearchType: "neural",
        results: pages.map(([title, url]) => ({
          id: url,
          title,
          url,
          publishedDate: "2026-02-03T00:00:00.000Z",
          author: "A",
          score: 0.3,
          highlights: [`About\n ${title}`, "more"],
        })),
        costDollars: { total: 0.007 },
      },
    },
    none: { body: { requestId: "r1", results: [] } },
    soft: [
      [
        { body: { requestId: "r1", error: "Query is not allowed", tag: "INVALID_REQUEST_BODY" } },
        /^Exa could not answer: Query is not allowed/,
      ],
      [{ body: { requestId: "r1" } }, /^Exa answered in a form that is not known: it sent no list of pages/],
    ],
    asked: { query: "tenon joint", numResults: 2, type: "auto", contents: { highlights: true } },
    head: ["x-api-key", "exa-k3y"],
    path: "/search",
  },
  {
    service: "firecrawl",
    found: {
      body: {
        success: true,
        data: { web: pages.map(([title, url], i) => ({ title, url, description: `About ${title}`, position: i + 1 })) },
        creditsUsed: 2,
      },
    },
    none: { body: { success: true, data: {} } },
    soft: [
      [
        { body: { success: false, error: "Out of credits for fc-k3y" } },
        /^Firecrawl could not answer: Out of credits for \*\*\*/,
      ],
      [{ body: { success: false } }, /^Firecrawl could not answer: it gives no reason/],
      [{ body: { data: { web: [] } } }, /^Firecrawl could not answer/],
      [{ body: { success: true } }, /^Firecrawl answered in a form that is not known: it sent no list of pages/],
    ],
    asked: { query: "tenon joint", limit: 2 },
    head: ["authorization", "Bearer fc-k3y"],
    path: "/v2/search",
  },
  {
    service: "bright-data",
    found: bright({
      general: { search_engine: "google", query: "tenon joint" },
      organic: pages.map(([title, link], i) => ({ title, link, description: `About ${title}`, rank: i + 1 })),
    }),
    none: bright({ general: { search_engine: "google", results_cnt: 0 } }),
    soft: [
      [bright("", 403), /^Bright Data could not answer: the search engine answered with status 403/],
      [bright("<html>captcha</html>"), /^Bright Data answered in a form that is not known: it sent no list of pages/],
      [{ body: { error: "zone not found" } }, /^Bright Data could not answer: zone not found/],
      [{ body: {} }, /^Bright Data answered in a form that is not known: it sent no list of pages/],
    ],
    asked: {
      zone: "serp_one",
      url: "https://www.google.com/search?q=tenon+joint&num=2&brd_json=1",
      format: "json",
    },
    head: ["authorization", "Bearer bd-k3y"],
    path: "/request",
  },
];

async function search(
  service: SearchServiceName,
  answers: readonly Answer[],
  { input = {}, env = keys[service], settings = {} }: { input?: object; env?: Env; settings?: HttpSettings } = {},
): Promise<{ result: ToolResult<any>; asked: Awaited<ReturnType<typeof serviceServer>>["asked"]; costs: number[] }> {
  const server = await serviceServer(...answers);
  const costs: number[] = [];
  const given = { baseUrls: { [service]: `${server.url}/` }, clock: quickClock(), maxBytes: 50_000, ...settings };
  const reportCost = (usd: number): number => costs.push(usd);
  const result = await toolOf(webSearch, given, env).invoke(
    { query: "tenon joint", limit: 2, ...input },
    { reportCost },
  );
  return { result, asked: server.asked, costs };
}

const message = (result: ToolResult): string => (result.kind === "error" ? result.message : "no error");

describe.each(cases)("$service", ({ service, found, none, soft, asked: body, head, path }) => {
  test("gives pages in the shape that all services have", async () => {
    const { result, asked, costs } = await search(service, [found]);
    expect(result).toEqual({
      kind: "ok",
      value: {
        service,
        results: pages.map(([title, url]) => ({
          title,
          url,
          snippet: service === "exa" ? `About ${title} … more` : `About ${title}`,
          ...(service === "exa" ? { date: "2026-02-03" } : {}),
        })),
      },
    });
    expect(asked[0]).toMatchObject({ method: "POST", url: { pathname: path, search: "" } });
    expect(asked[0]!.headers[head[0]]).toBe(head[1]);
    expect(JSON.parse(asked[0]!.body)).toEqual(body);
    expect(costs).toEqual(service === "exa" ? [0.007] : []);
  });

  test("gives no more pages than were asked for, and an empty list for none", async () => {
    const one = await search(service, [found], { input: { limit: 1 } });
    expect(one.result).toMatchObject({ kind: "ok", value: { results: { length: 1 } } });
    expect((await search(service, [none])).result).toEqual({ kind: "ok", value: { service, results: [] } });
  });

  test("tells its faults as errors, without the key", async () => {
    for (const [answer, wanted] of [...faults.map(([, given, text]) => [given, text] as const), ...soft]) {
      const { result } = await search(service, [answer]);
      expect(result).toMatchObject({ kind: "error", code: "tool_error" });
      expect(message(result)).toMatch(wanted);
      expect(message(result)).not.toContain("k3y");
    }
  });

  test("is asked again after the time that it asks for", async () => {
    const { result, asked } = await search(service, [tooMany, found]);
    expect(result.kind).toBe("ok");
    expect(asked).toHaveLength(2);
  });
});

describe("pages", () => {
  test("without an address of the web are left out, and long texts cut", async () => {
    const urls = [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "data:text/html,x",
      "http://",
      "",
      5,
      `https://a.example/${"x".repeat(3_000)}`,
    ];
    const web = [
      ...urls.map((url) => ({ url, title: "bad" })),
      { url: "https://a.example/", description: `Array<string> ${"y".repeat(900)}` },
    ];
    const { result } = await search("firecrawl", [{ body: { success: true, data: { web } } }], {
      input: { limit: 20 },
    });
    const value = result.kind === "ok" ? result.value : undefined;
    expect(value.results).toHaveLength(1);
    expect(value.results[0]).toMatchObject({
      title: "https://a.example/",
      snippet: expect.stringMatching(/^Array<string> y+…$/),
    });
    expect(value.results[0].snippet).toHaveLength(600);
  });
});

describe("which service", () => {
  const both = { ...keys.exa, ...keys.firecrawl, ...keys["bright-data"] };
  const found = (service: SearchServiceName): Answer => cases.find((one) => one.service === service)!.found;

  test("the first whose key is set: Exa, Firecrawl, Bright Data", async () => {
    for (const [service, env] of [
      ["exa", both],
      ["firecrawl", { ...both, EXA_API_KEY: " " }],
      ["bright-data", keys["bright-data"]],
    ] as const)
      expect((await search(service, [found(service)], { env })).result).toMatchObject({
        kind: "ok",
        value: { service },
      });
  });

  test("the one that the app names, whatever other keys are set", async () => {
    const settings = (service: SearchServiceName): HttpSettings => ({ searchService: service });
    const { result } = await search("firecrawl", [found("firecrawl")], { env: both, settings: settings("firecrawl") });
    expect(result).toMatchObject({ kind: "ok", value: { service: "firecrawl" } });
    const keyless = await search("firecrawl", [found("firecrawl")], { env: keys.exa, settings: settings("firecrawl") });
    expect(message(keyless.result)).toBe(
      "Firecrawl needs a key: FIRECRAWL_API_KEY. Set the environment variable FIRECRAWL_API_KEY.",
    );
    expect(() => toolOf(webSearch, settings("bing" as never))).toThrow(
      'HTTP_SETTINGS: searchService must be "exa", "firecrawl" or "bright-data", not "bing"',
    );
  });

  test("no other takes the place of one that fails", async () => {
    const other = await serviceServer(found("firecrawl"));
    const failing = await serviceServer({ status: 500 });
    const settings = { clock: quickClock(), baseUrls: { exa: failing.url, firecrawl: other.url } };
    const result = await toolOf(webSearch, settings, both).invoke({ query: "x" });
    expect(message(result)).toMatch(/^Exa failed \(status 500\)/);
    expect(other.asked).toEqual([]);
  });

  test("without a key the call is an error that names the variables", async () => {
    const { result, asked } = await search("exa", [found("exa")], { env: {} });
    expect(message(result)).toBe(
      "web_search needs the key of one search service. Set the environment variable EXA_API_KEY, or FIRECRAWL_API_KEY, or BRIGHTDATA_API_KEY with BRIGHTDATA_SERP_ZONE.",
    );
    expect(asked).toEqual([]);
    const zone = await search("bright-data", [found("bright-data")], { env: { BRIGHTDATA_API_KEY: "k" } });
    expect(message(zone.result)).toMatch(/^Bright Data needs the name of a SERP zone: BRIGHTDATA_SERP_ZONE\./);
  });
});

describe("in an app", () => {
  const Scout = defineAgent({ name: "scout", description: "Searches the web.", tools: webSearchTools });

  test("no key is asked for at start-up, and it is read at each call", async () => {
    const env: Env = {};
    const server = await serviceServer(cases[0]!.found);
    await using app = await createApp(Scout, {
      env,
      models: { default: scriptedModel() },
      providers: [provide(HTTP_SETTINGS, { useValue: { baseUrls: { exa: server.url } } })],
    });
    const input = { query: "x", limit: 5 };
    expect(message(await app.tool(webSearch).invoke(input))).toContain("EXA_API_KEY");
    env["EXA_API_KEY"] = "later";
    expect((await app.tool(webSearch).invoke(input)).kind).toBe("ok");
    expect(server.asked[0]!.headers["x-api-key"]).toBe("later");
  });

  testWith(Scout, () => ({
    env: keys.exa,
    network: ["127.0.0.1"],
    providers: [
      provide(HTTP_SETTINGS, {
        useFactory: async () => ({ baseUrls: { exa: (await serviceServer(cases[0]!.found)).url } }),
      }),
    ],
  }))("a run searches, answers, and has what the search cost", async ({ app, mockLlm, events }) => {
    mockLlm(Scout).thenReturn(callTool(webSearch, { query: "tenon", limit: 2 }), replyWith("See wood.example."));
    const result = await app.run({ prompt: "Where do I read on tenons?" });
    expect(result).toMatchObject({ status: "completed", usage: { costUsd: 0.007 } });
    expect(JSON.stringify(mockLlm(Scout).requests)).toContain("https://wood.example/joinery");
    expect(JSON.stringify([events, mockLlm(Scout).requests])).not.toContain("k3y");
  });
});
