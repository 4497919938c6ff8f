import * as fc from "fast-check";
import { createApp, defineAgent, provide, toolOf, type ToolResult } from "tenon";
import { callTool, replyWith, scriptedModel, testClock, testWith } from "tenon/testing";
import { HTTP_SETTINGS, wikipediaArticle, wikipediaSearch, wikipediaTools } from "tenon/tools/wikipedia";
import { describe, expect, test } from "vitest";
import { faults, html, never, quickClock, serviceServer, tooMany, type Answer } from "./service-server.js";

const found = {
  batchcomplete: true,
  continue: { sroffset: 2, continue: "-||" },
  query: {
    searchinfo: { totalhits: 4712, suggestion: "mortise" },
    search: [
      {
        ns: 0,
        title: "Mortise and tenon",
        pageid: 20171,
        size: 16512,
        wordcount: 2101,
        snippet: 'A <span class="searchmatch">mortise</span> &amp; tenon joint connects two pieces &#039;of wood&#039;',
        timestamp: "2026-01-02T03:04:05Z",
      },
      {
        ns: 0,
        title: "AC/DC: live?",
        pageid: 2,
        size: 1,
        wordcount: 0,
        snippet: "",
        timestamp: "2026-01-02T03:04:05Z",
      },
    ],
  },
};

const extract = [
  "A mortise and tenon joint connects two pieces of wood.",
  "",
  "",
  "== History ==",
  "It is old.",
  "",
  "=== In ships ===",
  "Planks were joined so.",
  "== Types ==",
  "",
  "== See also ==",
  "Dovetail",
].join("\n");
const page = { pageid: 20171, ns: 0, title: "Mortise and tenon", extract };
const article = {
  batchcomplete: true,
  query: { redirects: [{ from: "Tenon", to: "Mortise and tenon" }], pages: [page] },
};

async function invoke(
  tool: "search" | "article",
  answers: readonly Answer[],
  input: object,
): Promise<{ result: ToolResult<any>; asked: readonly URL[] }> {
  const server = await serviceServer(...answers);
  const made = toolOf(tool === "search" ? wikipediaSearch : wikipediaArticle, {
    baseUrls: { wikipedia: server.url },
    clock: quickClock(),
    maxBytes: 50_000,
  });
  const result = await made.invoke(input);
  return { result, asked: server.asked.map(({ url }) => url) };
}

const message = ({ result }: { result: ToolResult }): string => (result.kind === "error" ? result.message : "no error");

describe("wikipedia_search", () => {
  test("gives titles, addresses and plain snippets", async () => {
    const { result, asked } = await invoke("search", [{ body: found }], { query: "mortice", limit: 2 });
    expect(result).toEqual({
      kind: "ok",
      value: {
        results: [
          {
            title: "Mortise and tenon",
            url: "https://en.wikipedia.org/wiki/Mortise_and_tenon",
            snippet: "A mortise & tenon joint connects two pieces 'of wood'",
            words: 2101,
          },
          { title: "AC/DC: live?", url: "https://en.wikipedia.org/wiki/AC/DC:_live%3F", snippet: "", words: 0 },
        ],
        total: 4712,
        suggestion: "mortise",
      },
    });
    expect(asked[0]!.pathname).toBe("/w/api.php");
    expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
      action: "query",
      list: "search",
      srsearch: "mortice",
      srlimit: "2",
      format: "json",
      formatversion: "2",
    });
  });

  test("no article is an empty list", async () => {
    const none = { batchcomplete: true, query: { searchinfo: { totalhits: 0 }, search: [] } };
    const { result } = await invoke("search", [{ body: none }], { query: "qwzx" });
    expect(result).toEqual({ kind: "ok", value: { results: [], total: 0 } });
  });

  test("a limit is a whole number between 1 and 20, by default 5", async () => {
    const { asked } = await invoke("search", [{ body: found }], { query: "x" });
    expect(asked[0]!.searchParams.get("srlimit")).toBe("5");
    for (const limit of [0, 21, 2.5, "many"]) {
      const refused = await invoke("search", [{ body: found }], { query: "x", limit });
      expect(refused.result).toMatchObject({ kind: "error", code: "invalid_input" });
      expect(refused.asked).toEqual([]);
    }
  });

  test("gives no more than was asked for", async () => {
    const { result } = await invoke("search", [{ body: found }], { query: "x", limit: 1 });
    expect(result).toMatchObject({ kind: "ok", value: { results: [{ title: "Mortise and tenon" }] } });
    expect(result.kind === "ok" && result.value.results).toHaveLength(1);
  });

  test.each<readonly [string, Answer, RegExp]>([
    [
      "an error inside a 200",
      { body: { errors: [{ code: "cirrussearch-too-busy-error", text: "Search is too busy", module: "search" }] } },
      /^Wikipedia could not answer: Search is too busy\. /,
    ],
    [
      "an error of the older form",
      { body: { error: { code: "badvalue", info: 'Unrecognized value for parameter "list"' } } },
      /could not answer: Unrecognized value/,
    ],
    ["an answer without a result", { body: { batchcomplete: true } }, /without a result/],
    ["a result without a list", { body: { query: {} } }, /no list of articles/],
    ...faults,
  ])("%s is an error, not an empty list", async (_, answer, wanted) => {
    const call = await invoke("search", [answer], { query: "x" });
    expect(call.result).toMatchObject({ kind: "error", code: "tool_error" });
    expect(message(call)).toMatch(wanted);
  });

  test("waits as long as it is asked to", async () => {
    const { result, asked } = await invoke("search", [tooMany, { body: found }], { query: "x" });
    expect(result.kind).toBe("ok");
    expect(asked).toHaveLength(2);
  });
});

describe("wikipedia_article", () => {
  const title = "Tenon";

  test("gives the introduction and the headings", async () => {
    const { result, asked } = await invoke("article", [{ body: article }], { title });
    expect(result).toEqual({
      kind: "ok",
      value: {
        title: "Mortise and tenon",
        url: "https://en.wikipedia.org/wiki/Mortise_and_tenon",
        extract: "A mortise and tenon joint connects two pieces of wood.",
        chars: 54,
        sections: [
          { title: "History", level: 2, chars: 10 },
          { title: "In ships", level: 3, chars: 22 },
          { title: "Types", level: 2, chars: 0 },
          { title: "See also", level: 2, chars: 8 },
        ],
      },
    });
    expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
      prop: "extracts",
      explaintext: "1",
      redirects: "1",
      titles: "Tenon",
    });
  });

  test("gives one section with what is below it", async () => {
    const { result } = await invoke("article", [{ body: article }], { title, section: "history" });
    expect(result).toMatchObject({
      kind: "ok",
      value: { extract: "It is old.\n\n## In ships\n\nPlanks were joined so." },
    });
    const below = await invoke("article", [{ body: article }], { title, section: "In ships" });
    expect(below.result).toMatchObject({ kind: "ok", value: { extract: "Planks were joined so." } });
  });

  test("cuts a long text at a character, and says how long it is", async () => {
    const long = { query: { pages: [{ ...page, extract: "\u{1F332}".repeat(400) }] } };
    const { result } = await invoke("article", [{ body: long }], { title, maxChars: 200 });
    const value = result.kind === "ok" ? result.value : undefined;
    expect(value.chars).toBe(800);
    expect(value.extract).toBe(`${"\u{1F332}".repeat(99)}…`);
  });

  test.each<[string, Answer, object, RegExp]>([
    [
      "a title that is not there",
      { body: { query: { pages: [{ ns: 0, title: "X", missing: true }] } } },
      {},
      /\(en\) has no article of this title: Tenon\. .*wikipedia_search/,
    ],
    [
      "a title that cannot be",
      {
        body: {
          query: {
            pages: [
              { title: "<>", invalidreason: "The requested page title contains invalid characters", invalid: true },
            ],
          },
        },
      },
      {},
      /takes no such title: The requested page title/,
    ],
    [
      "a heading that is not there",
      { body: article },
      { section: "Future" },
      /no section of this name: Future\. It has: History; In ships; Types; See also/,
    ],
    [
      "a page without text",
      { body: { query: { pages: [{ pageid: 1, ns: 6, title: "File:X" }] } } },
      {},
      /no text of this page/,
    ],
    ["no page", { body: { query: {} } }, {}, /no text of this page/],
    [
      "an error inside a 200",
      { body: { errors: [{ text: "internal error" }] } },
      {},
      /could not answer: internal error/,
    ],
    ["HTML", html, {}, /^Wikipedia answered with HTML in place of JSON$/],
  ])("%s is an error that says what to do", async (_, answer, more, wanted) => {
    const call = await invoke("article", [answer], { title, ...more });
    expect(call.result).toMatchObject({ kind: "error", code: "tool_error" });
    expect(message(call)).toMatch(wanted);
  });

  test("asks for one title at a time", async () => {
    for (const several of ["A|B", "\u001fA\u001fB"]) {
      const call = await invoke("article", [{ body: article }], { title: several });
      expect(message(call)).toMatch(/one article at a time/);
      expect(call.asked).toEqual([]);
    }
  });
});

describe("the language", () => {
  /** Takes every request there is, and lets none out. */
  function recorder(): { readonly hosts: string[]; readonly fetch: typeof globalThis.fetch } {
    const hosts: string[] = [];
    return {
      hosts,
      fetch: async (to) => {
        hosts.push((to as URL).host);
        return Response.json(found);
      },
    };
  }

  test.each(["en", "de", "simple", "zh-min-nan", "be-x-old", "roa-rup"])(
    "%s is asked at its own host",
    async (language) => {
      const { hosts, fetch } = recorder();
      expect((await toolOf(wikipediaSearch, { fetch }).invoke({ query: "x", language })).kind).toBe("ok");
      expect(hosts).toEqual([`${language}.wikipedia.org`]);
    },
  );

  test.each([
    "evil.example/",
    "evil.example#",
    "evil.example?",
    "evil.example\\",
    "evil.example:443/",
    "user@evil.example/",
    "en@evil.example#",
    "en.evil.example/x",
    "//evil.example",
    "127.0.0.1/",
    "[::1]/",
    "169.254.169.254#",
    "localhost:8080/",
    "en%2f",
    "en\u0000",
    "en\n.evil",
    "en\tde",
    " en",
    "en.",
    ".en",
    "-en",
    "en-",
    "EN",
    "ｅｎ",
    "en。evil",
    "en／",
    "xn--evil",
    "..",
    "",
    "a",
    "a".repeat(64),
    "en\n",
  ])("%j reaches nobody", async (language) => {
    const { hosts, fetch } = recorder();
    const results = [
      await toolOf(wikipediaSearch, { fetch }).invoke({ query: "x", language }),
      await toolOf(wikipediaArticle, { fetch }).invoke({ title: "x", language }),
    ];
    for (const result of results) {
      expect(result).toMatchObject({ kind: "error", code: "invalid_input" });
      expect(result.kind === "error" && result.message).toContain("language");
    }
    expect(hosts).toEqual([]);
  });

  test("whatever it is, no other host is asked", async () => {
    const { hosts, fetch } = recorder();
    const tool = toolOf(wikipediaSearch, { fetch });
    const piece = fc.constantFrom(
      "en",
      "de",
      ".",
      "/",
      "@",
      "#",
      "?",
      "-",
      ":",
      "\\",
      "%2e",
      "evil.example",
      "x",
      "\u00ad",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 6 }).map((all) => all.join("")),
        ),
        async (language) => {
          hosts.length = 0;
          await tool.invoke({ query: "x", language });
          expect(
            hosts.every((host) => host === `${language}.wikipedia.org` && /^[a-z-]+\.wikipedia\.org$/.test(host)),
          ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("a mirror of the app's may tell the editions apart", async () => {
    const server = await serviceServer({ body: found });
    const tool = toolOf(wikipediaSearch, { baseUrls: { wikipedia: `${server.url}/wiki/{language}/` } });
    await tool.invoke({ query: "x", language: "de" });
    expect(server.asked[0]!.url.pathname).toBe("/wiki/de/w/api.php");
  });
});

describe("in an app", () => {
  const Reader = defineAgent({ name: "reader", description: "Answers from Wikipedia.", tools: wikipediaTools });

  test("the tools stand in a list as they are, and the app's settings reach them", async () => {
    const server = await serviceServer({ body: found });
    await using app = await createApp(Reader, {
      models: { default: scriptedModel() },
      providers: [
        provide(HTTP_SETTINGS, {
          useValue: { userAgent: "reader/1.0 (ops@example.com)", baseUrls: { wikipedia: server.url } },
        }),
      ],
    });
    expect((await app.tool(wikipediaSearch).invoke({ query: "x", language: "en", limit: 3 })).kind).toBe("ok");
    expect(server.asked[0]!.headers["user-agent"]).toBe("reader/1.0 (ops@example.com)");
  });

  testWith(Reader)("a test of the app reaches nobody, and is told so", async ({ app }) => {
    const result = await app.tool(wikipediaSearch).invoke({ query: "x", language: "en", limit: 3 });
    expect(result).toMatchObject({ kind: "error", message: expect.stringMatching(/en\.wikipedia\.org/) });
  });

  const clock = testClock();
  testWith(Reader, () => ({
    clock,
    network: ["127.0.0.1"],
    providers: [
      provide(HTTP_SETTINGS, {
        useFactory: async () => ({ baseUrls: { wikipedia: (await serviceServer(never)).url } }),
      }),
    ],
  }))("a service that does not answer ends with the time of the call", async ({ app }) => {
    const call = app.tool(wikipediaSearch).invoke({ query: "x", language: "en", limit: 3 });
    let settled = false;
    void call.then(() => (settled = true));
    await clock.advance(29_999);
    expect(settled).toBe(false);
    await clock.advance(1);
    expect(await call).toMatchObject({ kind: "error", code: "timeout" });
  });

  const withServer = testWith(Reader, () => ({
    network: ["127.0.0.1"],
    providers: [
      provide(HTTP_SETTINGS, {
        useFactory: async () => ({
          baseUrls: { wikipedia: (await serviceServer({ body: found }, { body: article })).url },
        }),
      }),
    ],
  }));
  withServer("a run searches, reads and answers", async ({ app, mockLlm }) => {
    mockLlm(Reader).thenReturn(
      callTool(wikipediaSearch, { query: "tenon", language: "en", limit: 5 }),
      callTool(wikipediaArticle, { title: "Mortise and tenon", language: "en", maxChars: 4_000 }),
      replyWith("A joint of two pieces of wood."),
    );
    const result = await app.run({ prompt: "What is a tenon?" });
    expect(result).toMatchObject({ status: "completed", text: "A joint of two pieces of wood." });
    const [, second, third] = mockLlm(Reader).requests;
    expect(JSON.stringify(second)).toContain("https://en.wikipedia.org/wiki/Mortise_and_tenon");
    expect(JSON.stringify(third)).toContain("connects two pieces of wood");
  });
});
