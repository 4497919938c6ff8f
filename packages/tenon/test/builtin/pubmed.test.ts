import { defineAgent, provide, toolOf, type Env, type ToolResult } from "tenon";
import { callTool, replyWith, testClock, testWith } from "tenon/testing";
import { HTTP_SETTINGS, pubmedAbstract, pubmedSearch, pubmedTools, type HttpSettings } from "tenon/tools/pubmed";
import { describe, expect, test } from "vitest";
import { faults, quickClock, serviceServer, tooMany, type Answer } from "./service-server.js";

const found = {
  header: { type: "esearch", version: "0.3" },
  esearchresult: {
    count: "317",
    retmax: "2",
    retstart: "0",
    idlist: ["19008416", "11748933"],
    translationset: [],
    querytranslation: '"asthma"[All Fields]',
    errorlist: { phrasesnotfound: ["qwzx"], fieldsnotfound: [] },
  },
};
const summaries = {
  header: { type: "esummary", version: "0.3" },
  result: {
    uids: ["19008416", "11748933"],
    "19008416": {
      uid: "19008416",
      pubdate: "2008 Dec",
      source: "Nat Methods",
      authors: Array.from({ length: 9 }, (_, i) => ({ name: `Author A${i}`, authtype: "Author", clusterid: "" })),
      title: "Asthma &amp; <i>air</i>.",
      fulljournalname: "Nature methods",
      articleids: [
        { idtype: "pubmed", idtypen: 1, value: "19008416" },
        { idtype: "doi", idtypen: 3, value: "10.1038/x.1" },
      ],
    },
    "11748933": { uid: "11748933", error: "cannot get document summary" },
  },
};

const set = (articles: string): string =>
  `<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2026//EN" "https://dtd.nlm.nih.gov/x.dtd">\n<PubmedArticleSet>${articles}</PubmedArticleSet>`;
const first = `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">19008416</PMID>
  <Article PubModel="Print"><Journal><ISSN IssnType="Electronic">1548-7105</ISSN><JournalIssue CitedMedium="Internet"><Volume>5</Volume>
  <PubDate><Year>2008</Year><Month>Dec</Month></PubDate></JournalIssue><Title>Nature methods</Title><ISOAbbreviation>Nat Methods</ISOAbbreviation></Journal>
  <ArticleTitle>Asthma &amp; <i>air</i>.</ArticleTitle><ELocationID EIdType="pii" ValidYN="Y">x</ELocationID><ELocationID EIdType="doi" ValidYN="Y">10.1038/x.1</ELocationID>
  <Abstract><AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">Air has 10<sup>3</sup> parts, p &lt; 0.05.</AbstractText>
  <AbstractText Label="RESULTS &amp; MORE">It was bad&#x2009;for CO<sub>2</sub>.</AbstractText><CopyrightInformation>(c) 2008</CopyrightInformation></Abstract>
  <AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Müller</LastName><ForeName>Anna B</ForeName><Initials>AB</Initials><AffiliationInfo><Affiliation>Bonn</Affiliation></AffiliationInfo></Author>
  <Author ValidYN="Y"><CollectiveName>The Air Group</CollectiveName></Author></AuthorList></Article></MedlineCitation>
  <PubmedData><ReferenceList><Reference><Citation>Other</Citation><ArticleIdList><ArticleId IdType="doi">10.9/other</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData></PubmedArticle>`;
const second = `<PubmedArticle><MedlineCitation><PMID Version="1">11748933</PMID><Article><Journal><JournalIssue><PubDate><MedlineDate>2001 Nov-Dec</MedlineDate></PubDate></JournalIssue></Journal><ArticleTitle>No abstract here.</ArticleTitle></Article></MedlineCitation></PubmedArticle>`;
const xml = (body: string): Answer => ({ type: "text/xml; charset=UTF-8", body });

const key = "0123456789abcdef0123456789abcdef0123";

async function invoke(
  tool: typeof pubmedSearch | typeof pubmedAbstract,
  answers: readonly Answer[],
  input: object,
  { settings = {}, env = {} }: { settings?: HttpSettings; env?: Env } = {},
): Promise<{ result: ToolResult<any>; asked: readonly URL[]; waits: readonly number[] }> {
  const server = await serviceServer(...answers);
  const clock = quickClock();
  const given = { baseUrls: { pubmed: `${server.url}/eutils/` }, clock, maxBytes: 50_000, ...settings };
  const result = await toolOf(tool, given, env).invoke(input);
  return { result, asked: server.asked.map(({ url }) => url), waits: clock.waits };
}

const message = ({ result }: { result: ToolResult }): string => (result.kind === "error" ? result.message : "no error");

describe("pubmed_search", () => {
  test("gives titles, authors and journals of what is found", async () => {
    const { result, asked } = await invoke(pubmedSearch, [{ body: found }, { body: summaries }], {
      query: "asthma qwzx",
      limit: 2,
    });
    expect(result).toEqual({
      kind: "ok",
      value: {
        results: [
          {
            pmid: "19008416",
            title: "Asthma & air.",
            url: "https://pubmed.ncbi.nlm.nih.gov/19008416/",
            authors: ["Author A0", "Author A1", "Author A2", "Author A3", "Author A4", "Author A5"],
            journal: "Nat Methods",
            date: "2008 Dec",
            doi: "10.1038/x.1",
          },
        ],
        total: 317,
        unknownWords: ["qwzx"],
      },
    });
    expect(asked.map(({ pathname }) => pathname)).toEqual(["/eutils/esearch.fcgi", "/eutils/esummary.fcgi"]);
    expect(Object.fromEntries(asked[0]!.searchParams)).toEqual({
      db: "pubmed",
      retmode: "json",
      term: "asthma qwzx",
      retmax: "2",
      sort: "relevance",
      tool: "tenon",
    });
    expect(asked[1]!.searchParams.get("id")).toBe("19008416,11748933");
  });

  test("tells PubMed who asks, and sends the key of the environment", async () => {
    const { asked } = await invoke(
      pubmedSearch,
      [{ body: found }, { body: summaries }],
      { query: "x", sort: "newest" },
      { settings: { toolName: "shop-bot", email: "ops@example.com" }, env: { NCBI_API_KEY: key } },
    );
    for (const { searchParams } of asked)
      expect(Object.fromEntries(searchParams)).toMatchObject({
        tool: "shop-bot",
        email: "ops@example.com",
        api_key: key,
      });
    expect(asked[0]!.searchParams.get("sort")).toBe("pub_date");
  });

  test("no article is an empty list, and asks no more", async () => {
    const none = { esearchresult: { count: "0", retmax: "0", idlist: [], errorlist: { phrasesnotfound: [] } } };
    const { result, asked } = await invoke(pubmedSearch, [{ body: none }], { query: "qwzx" });
    expect(result).toEqual({ kind: "ok", value: { results: [], total: 0 } });
    expect(asked).toHaveLength(1);
  });

  test.each<readonly [string, Answer, RegExp]>([
    [
      "an error inside a 200",
      { body: { esearchresult: { ERROR: "Search Backend failed: Database is not supported" } } },
      /^PubMed could not answer: Search Backend failed/,
    ],
    [
      "an error beside a count",
      { body: { esearchresult: { count: "0", idlist: [], ERROR: "Empty term" } } },
      /Empty term/,
    ],
    ["an answer of another shape", { body: { esearchresult: {} } }, /no list of articles/],
    ...faults,
  ])("%s is an error, not an empty list", async (_, answer, wanted) => {
    const call = await invoke(pubmedSearch, [answer], { query: "x" });
    expect(call.result).toMatchObject({ kind: "error", code: "tool_error" });
    expect(message(call)).toMatch(wanted);
  });

  test.each<[string, object, RegExp]>([
    ["refused", { esummaryresult: ["Invalid uid 1 at position=0"] }, /could not answer: Invalid uid/],
    ["empty", { result: { uids: [] } }, /no summary of any article/],
  ])("summaries that are %s are an error", async (_, body, wanted) => {
    expect(message(await invoke(pubmedSearch, [{ body: found }, { body }], { query: "x" }))).toMatch(wanted);
  });

  test("the key is in no message, also where PubMed repeats it", async () => {
    const env = { NCBI_API_KEY: key };
    const limited = {
      status: 429,
      headers: { "retry-after": "60" },
      body: { error: "API rate limit exceeded", "api-key": key, count: "11", limit: "10" },
    };
    const bodies: Answer[] = [
      limited,
      { status: 400, body: { error: `API key invalid: ${key}` } },
      { body: { error: `API key invalid: ${key}` } },
    ];
    for (const answer of bodies) {
      const text = message(await invoke(pubmedSearch, [answer], { query: "x" }, { env }));
      expect(text).toMatch(/API (rate limit exceeded|key invalid: \*\*\*)/);
      expect(text).not.toContain(key);
    }
  });

  test("a key that is none is named, and other tools go on", async () => {
    const env = { NCBI_API_KEY: "two words" };
    const call = await invoke(pubmedSearch, [{ body: found }], { query: "x" }, { env });
    expect(message(call)).toMatch(/NCBI_API_KEY holds what cannot be a key/);
    expect(call.asked).toEqual([]);
  });

  test("waits as long as it is asked to", async () => {
    const { result, waits } = await invoke(pubmedSearch, [tooMany, { body: found }, { body: summaries }], {
      query: "x",
    });
    expect(result.kind).toBe("ok");
    expect(waits[0]).toBeGreaterThanOrEqual(2_000);
  });
});

describe("pubmed_abstract", () => {
  test("gives the parts of an abstract after their labels, as plain text", async () => {
    const { result, asked } = await invoke(pubmedAbstract, [xml(set(first + second))], {
      pmids: ["11748933", "19008416", "7"],
    });
    expect(result).toEqual({
      kind: "ok",
      value: {
        articles: [
          {
            pmid: "11748933",
            title: "No abstract here.",
            abstract: "",
            url: "https://pubmed.ncbi.nlm.nih.gov/11748933/",
            authors: [],
            year: "2001",
          },
          {
            pmid: "19008416",
            title: "Asthma & air.",
            abstract: "BACKGROUND: Air has 10^3 parts, p < 0.05.\nRESULTS & MORE: It was bad for CO2.",
            url: "https://pubmed.ncbi.nlm.nih.gov/19008416/",
            authors: ["Müller AB", "The Air Group"],
            journal: "Nat Methods",
            year: "2008",
            doi: "10.1038/x.1",
          },
        ],
        missing: ["7"],
      },
    });
    expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
      retmode: "xml",
      rettype: "abstract",
      id: "11748933,19008416,7",
    });
  });

  test("reads a chapter of a book", async () => {
    const chapter = `<PubmedBookArticle><BookDocument><PMID Version="1">20301295</PMID><Book><BookTitle book="gene">GeneReviews</BookTitle><PubDate><Year>1993</Year></PubDate></Book><ArticleTitle book="gene">A Disorder</ArticleTitle><Abstract><AbstractText>Rare.</AbstractText></Abstract></BookDocument></PubmedBookArticle>`;
    const { result } = await invoke(pubmedAbstract, [xml(set(chapter))], { pmids: ["20301295"] });
    expect(result).toMatchObject({
      kind: "ok",
      value: { articles: [{ title: "A Disorder", abstract: "Rare.", journal: "GeneReviews", year: "1993" }] },
    });
  });

  test("takes numbers only, at most ten", async () => {
    for (const pmids of [
      [],
      ["1&api_key=x"],
      ["-1"],
      ["0"],
      ["1", "1"],
      Array.from({ length: 11 }, (_, i) => `${i + 1}`),
    ]) {
      const { result, asked } = await invoke(pubmedAbstract, [xml(set(first))], { pmids });
      expect(result).toMatchObject({ kind: "error", code: "invalid_input" });
      expect(asked).toEqual([]);
    }
  });

  test.each<readonly [string, Answer, RegExp]>([
    ["a number without an article", xml(set("")), /no article of the number 5\. .*pubmed_search/],
    [
      "an error inside a 200",
      xml("<eFetchResult><ERROR>ID list is empty &amp; wrong</ERROR></eFetchResult>"),
      /could not answer: ID list is empty & wrong/,
    ],
    ["half an answer", xml(set(first).slice(0, -20)), /no whole list of articles/],
    ["another XML", xml("<x/>"), /no whole list of articles/],
    ["plain text", { type: "text/plain", body: "1. Nat Methods." }, /text\/plain in place of XML/],
    ...faults,
  ])("%s is an error", async (_, answer, wanted) => {
    const call = await invoke(pubmedAbstract, [answer], { pmids: ["5"] });
    expect(call.result).toMatchObject({ kind: "error", code: "tool_error" });
    expect(message(call)).toMatch(wanted);
  });

  test("takes no longer over an answer that is all open tags", async () => {
    const body = set(
      `<PubmedArticle><PMID>5</PMID><Abstract>${"<AbstractText>".repeat(60_000)}</Abstract></PubmedArticle>`,
    );
    const { result } = await invoke(
      pubmedAbstract,
      [xml(body)],
      { pmids: ["5"] },
      { settings: { maxBytes: 2_000_000 } },
    );
    expect(result).toMatchObject({ kind: "ok", value: { articles: [{ pmid: "5", abstract: "" }] } });
  });
});

describe("the rate", () => {
  /** When the requests of many calls at once leave, in milliseconds from the first on. */
  async function departures(calls: number, env: Env, jumpMs = 0): Promise<{ at: number[]; refused: string[] }> {
    const clock = testClock();
    const start = clock.elapsedMs();
    const at: number[] = [];
    const fetch = async (): Promise<Response> => {
      at.push(clock.elapsedMs() - start);
      return new Response(set(first), { headers: { "content-type": "text/xml" } });
    };
    const tool = toolOf(pubmedAbstract, { clock, fetch }, env);
    const call = () => tool.invoke({ pmids: ["19008416"] });
    const made = Array.from({ length: calls - 1 }, call);
    await clock.advance(500);
    clock.jump(jumpMs);
    made.push(call());
    await clock.advance(40_000);
    const results = await Promise.all(made);
    return { at, refused: results.flatMap((result) => (result.kind === "error" ? result.message : [])) };
  }

  test("three requests a second without a key, ten with one", async () => {
    expect((await departures(8, {})).at).toEqual([0, 0, 0, 1_000, 1_000, 1_000, 2_000, 2_000]);
    const { at } = await departures(25, { NCBI_API_KEY: key });
    expect(at.filter((ms) => ms === 0)).toHaveLength(10);
    expect(at.filter((ms) => ms === 1_000)).toHaveLength(10);
    expect(at.filter((ms) => ms === 2_000)).toHaveLength(5);
  });

  test.each([-3_600_000, 86_400_000])("a system clock that is set by %d ms changes none of it", async (jumpMs) => {
    const { at, refused } = await departures(8, {}, jumpMs);
    expect(at).toEqual([0, 0, 0, 1_000, 1_000, 1_000, 2_000, 2_000]);
    expect(refused).toEqual([]);
  });

  test("a call that would wait beyond its time is refused at once", async () => {
    const { at, refused } = await departures(95, {});
    expect(at).toHaveLength(90);
    expect(Math.max(...at)).toBe(29_000);
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatch(/^PubMed takes 3 requests a second, and too many others wait/);
  });

  test("a wait ends with its call", async () => {
    const clock = testClock();
    const stop = new AbortController();
    const fetch = async (): Promise<Response> => Response.json({ error: "x" });
    const tool = toolOf(pubmedSearch, { clock, fetch }, {});
    const made = Array.from({ length: 4 }, () => tool.invoke({ query: "x" }, { signal: stop.signal }));
    const done = await Promise.all(made.slice(0, 3));
    expect(done.map(({ kind }) => kind)).toEqual(["error", "error", "error"]);
    stop.abort();
    expect(await made[3]).toMatchObject({ kind: "error", code: "cancelled" });
  });
});

describe("in an app", () => {
  const Reader = defineAgent({ name: "reader", description: "Answers from PubMed.", tools: pubmedTools });
  const asked: URL[] = [];
  const answers = [
    () => Response.json(found),
    () => Response.json(summaries),
    () => new Response(set(first), { headers: { "content-type": "text/xml" } }),
  ];
  const fetch = async (to: unknown): Promise<Response> => {
    asked.push(to as URL);
    return answers[asked.length - 1]!();
  };

  testWith(Reader, () => ({
    env: { NCBI_API_KEY: key },
    providers: [provide(HTTP_SETTINGS, { useValue: { fetch } })],
  }))("a run searches and reads, with the key of the app's environment", async ({ app, mockLlm }) => {
    mockLlm(Reader).thenReturn(
      callTool(pubmedSearch, { query: "asthma", sort: "relevance", limit: 2 }),
      callTool(pubmedAbstract, { pmids: ["19008416"] }),
      replyWith("It is the air."),
    );
    expect(await app.run({ prompt: "Why?" })).toMatchObject({ status: "completed", text: "It is the air." });
    expect(asked.map(({ host, searchParams }) => [host, searchParams.get("api_key")])).toEqual(
      answers.map(() => ["eutils.ncbi.nlm.nih.gov", key]),
    );
    const sent = JSON.stringify(mockLlm(Reader).requests);
    expect(sent).toContain("p < 0.05");
    expect(sent).not.toContain(key);
  });
});
