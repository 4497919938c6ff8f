import { createApp, defineAgent, provide, toolOf, type Violation } from "tenon";
import { scriptedModel } from "tenon/testing";
import { WEB_FETCH_SETTINGS, webFetch } from "tenon/tools/web-fetch";
import { HTTP_SETTINGS, wikipediaSearch } from "tenon/tools/wikipedia";
import { describe, expect, test } from "vitest";

const agent = defineAgent({
  name: "reader",
  description: "Reads.",
  tools: [wikipediaSearch, webFetch],
  model: scriptedModel(),
});

async function violations(http: unknown, web: unknown = {}): Promise<readonly string[]> {
  const thrown: unknown = await createApp(agent, {
    env: {},
    providers: [
      provide(HTTP_SETTINGS, { useValue: http as never }),
      provide(WEB_FETCH_SETTINGS, { useValue: web as never }),
    ],
  }).then(
    (app) => app.close(),
    (error: unknown) => error,
  );
  const { violations: found = [] } = (thrown ?? {}) as { violations?: readonly Violation[] };
  return found.map(({ at, message }) => `${at}: ${message}`);
}

const url = "a URL with https: or http:, without a user, a query and a fragment";

describe("settings of the app that do not fit are found when it is assembled", () => {
  test.each<[object, string]>([
    [{ userAgnt: "x" }, "unknown option `userAgnt`; did you mean `userAgent`?"],
    [{ retries: 5 }, "unknown option `retries`"],
    [{ userAgent: "a\nb" }, 'userAgent must be a text in one line that a header can hold (Latin-1), not "a\\nb"'],
    [
      { userAgent: "läden 5 €" },
      'userAgent must be a text in one line that a header can hold (Latin-1), not "läden 5 €"',
    ],
    [{ userAgent: " " }, 'userAgent must be a text in one line that a header can hold (Latin-1), not " "'],
    [{ email: 5 }, "email must be a text in one line that a header can hold (Latin-1), not 5"],
    [{ toolName: "" }, 'toolName must be a text that is not empty, not ""'],
    [{ baseUrls: "https://x.example" }, 'baseUrls: the options must be a plain object, not "https://x.example"'],
    [{ baseUrls: { wikpedia: "https://x.example" } }, "baseUrls: unknown option `wikpedia`; did you mean `wikipedia`?"],
    [
      { baseUrls: { brightData: "https://x.example" } },
      "baseUrls: unknown option `brightData`; did you mean `bright-data`?",
    ],
    [
      { baseUrls: { exa: "x.example", pubmed: "ftp://x" } },
      `baseUrls: pubmed must be ${url}, not "ftp://x"; baseUrls: exa must be ${url}, not "x.example"`,
    ],
    [{ baseUrls: { exa: "https://x.example/?a=1" } }, `baseUrls: exa must be ${url}, not "https://x.example/?a=1"`],
    [
      { baseUrls: { linear: "https://a:b@x.example/" } },
      `baseUrls: linear must be ${url}, not "https://a:b@x.example/"`,
    ],
    [
      { baseUrls: { pubmed: "https://{language}.mirror.example/" } },
      `baseUrls: pubmed must be ${url}, not "https://{language}.mirror.example/"`,
    ],
    [{ searchService: "bing" }, 'searchService must be "exa", "firecrawl" or "bright-data", not "bing"'],
    [{ fetch: {} }, "fetch must be a function, not an object"],
    [{ clock: Date }, "clock must be an object with now(), elapsedMs() and setTimer(run, ms), not a function"],
    [{ maxBytes: -1 }, "maxBytes must be a whole number from 1, not -1"],
  ])("HTTP_SETTINGS: %j", async (settings, fault) => {
    expect(await violations(settings)).toEqual([`providers of createApp[0]: HTTP_SETTINGS: ${fault}`]);
    expect(() => toolOf(wikipediaSearch, settings)).toThrow(`HTTP_SETTINGS: ${fault}`);
  });

  test.each<[object, string]>([
    [{ allowHost: ["a.example"] }, "unknown option `allowHost`; did you mean `allowHosts`?"],
    [{ allowHosts: "a.example" }, 'allowHosts must be a list, not "a.example"'],
    [
      { allowHosts: [5] },
      'allowHosts[0] must be a name or an address, with a port if you like ("10.0.0.7:8080"), not 5',
    ],
    [{ ports: ["80"] }, 'ports[0] must be a whole number from 1 to 65535, not "80"'],
    [{ ports: [80, 65_536] }, "ports[1] must be a whole number from 1 to 65535, not 65536"],
    [{ ports: 80 }, "ports must be a list, not 80"],
    [{ maxRedirects: -1 }, "maxRedirects must be a whole number from 0, not -1"],
    [{ resolve: "8.8.8.8" }, 'resolve must be a function, not "8.8.8.8"'],
    [{ connect: null }, "connect must be a function, not null"],
    [{ toMarkdown: true }, "toMarkdown must be a function, not true"],
  ])("WEB_FETCH_SETTINGS: %j", async (settings, fault) => {
    expect(await violations({}, settings)).toEqual([`providers of createApp[1]: WEB_FETCH_SETTINGS: ${fault}`]);
    expect(() => toolOf(webFetch, {}, settings)).toThrow(`WEB_FETCH_SETTINGS: ${fault}`);
  });

  test("all of them at once", async () => {
    expect(await violations({ maxBytes: 0, emial: "x" }, { ports: {} })).toHaveLength(3);
    expect(await violations(5)).toEqual([
      "providers of createApp[0]: HTTP_SETTINGS: the options must be a plain object, not 5",
    ]);
  });

  test("those that fit are taken", async () => {
    const settings = {
      userAgent: "shop-bot/1.0 (ops@example.com)",
      email: "ops@example.com",
      toolName: "shop",
      baseUrls: {
        wikipedia: "https://{language}.mirror.example/w/",
        "bright-data": "http://127.0.0.1:9",
        exa: undefined,
      },
      searchService: "exa",
      fetch: globalThis.fetch,
      maxBytes: 1,
    };
    expect(await violations(settings, { allowHosts: [], ports: [1, 65_535], maxRedirects: 0 })).toEqual([]);
  });
});

test("what a factory makes of them is refused where it is first used, in words that name the setting", async () => {
  await using app = await createApp(agent, {
    env: {},
    providers: [provide(HTTP_SETTINGS, { useFactory: async () => ({ maxBytes: -1 }) })],
  });
  expect(await app.tool(wikipediaSearch).invoke({ query: "x", limit: 1, language: "en" })).toMatchObject({
    kind: "error",
    message: expect.stringContaining("HTTP_SETTINGS: maxBytes must be a whole number from 1, not -1"),
  });
});
