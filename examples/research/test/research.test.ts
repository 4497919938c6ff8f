import { createApp } from "tenon";
import { callAll, callTool, replyWith, testWith } from "tenon/testing";
import { pubmedAbstract, pubmedSearch } from "tenon/tools/pubmed";
import { webFetch } from "tenon/tools/web-fetch";
import { webSearch } from "tenon/tools/web-search";
import { wikipediaArticle, wikipediaSearch } from "tenon/tools/wikipedia";
import { expect, onTestFinished, test } from "vitest";
import { LoopbackServices } from "../src/loopback/loopback-services.js";
import { planModel } from "../src/plan/plan-model.js";
import { Research } from "../src/research.js";
import { Researcher } from "../src/researcher.js";
import { onThisMachine } from "../src/settings.js";

const page = "http://museum.example/scurvy-1747";
const researchTest = testWith(Research, () => ({ providers: onThisMachine(), network: ["loopback"] }));

researchTest("the researcher reads an article, abstracts and a page", async ({ app, mockLlm, events }) => {
  mockLlm(Researcher).thenReturn(
    callAll(
      callTool(wikipediaSearch, { query: "scurvy", language: "en", limit: 2 }),
      callTool(pubmedSearch, { query: "collagen", sort: "relevance", limit: 2 }),
    ),
    callAll(
      callTool(wikipediaArticle, { title: "scurvy", language: "en", section: "James Lind", maxChars: 500 }),
      callTool(pubmedAbstract, { pmids: ["900000001", "900000009"] }),
      callTool(webFetch, { url: page, limit: 10_000, offset: 0 }),
    ),
    replyWith("Oranges and lemons."),
  );

  expect(await app.run({ prompt: "What did Lind find?" })).toMatchObject({
    status: "completed",
    text: "Oranges and lemons.",
    usage: { toolCalls: 5 },
  });

  const results = Object.fromEntries(
    events.flatMap((event) => (event.type === "tool-end" ? [[event.name, event.result]] : [])),
  );
  expect(results).toMatchObject({
    wikipedia_search: { kind: "ok", value: { total: 3, results: [{ title: "James Lind" }, { title: "Scurvy" }] } },
    pubmed_search: { kind: "ok", value: { total: 1, results: [{ pmid: "900000001", journal: "Ex Rec" }] } },
    wikipedia_article: {
      kind: "ok",
      value: { title: "Scurvy", extract: expect.stringMatching(/^In 1747 James Lind, surgeon of HMS Salisbury/) },
    },
    pubmed_abstract: {
      kind: "ok",
      value: {
        articles: [{ authors: ["Sample A", "Specimen BC"], abstract: expect.stringContaining("gums bleed & wounds") }],
        missing: ["900000009"],
      },
    },
    web_fetch: {
      kind: "ok",
      value: { url: page, title: "The trial of 1747 | Harbor Museum", mediaType: "text/html" },
    },
  });
  const shown = JSON.stringify(results.web_fetch);
  expect(shown).toContain("| 5 | two oranges and one lemon |");
  expect(shown).not.toContain("script");
});

researchTest("a search of the web without a key is that call's error, and no more", async ({ app, mockLlm }) => {
  mockLlm(Researcher).thenReturn(
    callAll(
      callTool(webSearch, { query: "scurvy", limit: 3 }),
      callTool(wikipediaSearch, { query: "scurvy", language: "en", limit: 1 }),
    ),
    replyWith("Only Wikipedia answered."),
  );

  expect(await app.run({ prompt: "scurvy?" })).toMatchObject({ status: "completed", text: "Only Wikipedia answered." });

  const [wanted, found] = mockLlm(Researcher).requests.at(-1)!.messages.at(-1)!.content as object[];
  expect(wanted).toMatchObject({ toolName: "web_search", output: { type: "error-text" } });
  expect(JSON.stringify(wanted)).toContain("EXA_API_KEY");
  expect(found).toMatchObject({ toolName: "wikipedia_search", output: { type: "text" } });
});

/** Asks the model of rules, over services that tell what they were asked. */
async function ask(prompt: string, env: Record<string, string> = {}) {
  const services = await LoopbackServices.open();
  onTestFinished(() => services[Symbol.asyncDispose]());
  const app = await createApp(Research, {
    models: { default: planModel() },
    providers: onThisMachine(services),
    env,
  });
  onTestFinished(() => app.close());
  return { services, result: await app.run({ prompt }) };
}

test("a page that the question names is read where it may be, and nothing else on this machine", async () => {
  const { services, result } = await ask(
    `Which food cures scurvy? See ${page}, http://127.0.0.1/scurvy-1747 and http://other.example/.`,
  );
  expect(result).toMatchObject({ status: "completed", usage: { toolCalls: 8, costUsd: 0 } });
  expect(result.text).toContain(`The trial of 1747 | Harbor Museum: ${page}\n`);
  expect(result.text).toMatch(/Left out: web_fetch\. 127\.0\.0\.1 is not a public address/);
  expect(result.text).toMatch(/Left out: web_fetch\. other\.example has no address/);
  expect(services.asked("museum").map(({ url }) => url.href)).toEqual([page]);
});

test("with a key the web is searched, what is found is read, and the key goes nowhere else", async () => {
  const { services, result } = await ask("Which food cures scurvy?", {
    EXA_API_KEY: "k3y",
    FIRECRAWL_API_KEY: "other",
  });
  expect(result).toMatchObject({ status: "completed", usage: { costUsd: 0.005, toolCostUsd: 0.005 } });
  expect(result.text).toContain(page);
  expect(services.asked("exa").map(({ headers }) => headers["x-api-key"])).toEqual(["k3y"]);
  for (const name of ["wikipedia", "pubmed", "museum"] as const)
    expect(JSON.stringify(services.asked(name).map(({ url, headers }) => [url.href, headers]))).not.toMatch(
      /k3y|other/,
    );
});

test("what nobody knows is no answer", async () => {
  const { services, result } = await ask("Who plays the ukulele?", { EXA_API_KEY: "k3y" });
  expect(result.text).toBe("I found nothing about: plays, ukulele.");
  expect(services.asked("pubmed").map(({ url }) => url.pathname)).toEqual(["/esearch.fcgi"]);
});
