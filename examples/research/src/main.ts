import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createApp, type App, type RunResult } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { LoopbackServices } from "./loopback/loopback-services.js";
import { planModel } from "./plan/plan-model.js";
import { Research } from "./research.js";
import { onThisMachine } from "./settings.js";

// One question, answered without a key and with one. What is not as it should be throws, and ends the process with 1.

const question = "Which food cures scurvy?";
const page = "http://museum.example/scurvy-1747";
const article = "https://en.wikipedia.org/wiki/Scurvy";
const abstract = "https://pubmed.ncbi.nlm.nih.gov/900000001/";

await using services = await LoopbackServices.open();

/** The app on its file. `env` holds the keys. */
function open(env: Record<string, string>): Promise<App> {
  return createApp(Research, {
    store: sqliteStore(fileURLToPath(new URL("../.tenon/tenon.db", import.meta.url))),
    models: { default: planModel() },
    providers: onThisMachine(services),
    env,
  });
}

/** Asks, and shows the calls as they come. Gives the result, and how each call ended. */
async function ask(app: App, prompt: string): Promise<{ result: RunResult; calls: Record<string, string> }> {
  console.log(`\n> ${prompt}`);
  const calls: Record<string, string> = {};
  const stream = app.stream({ prompt });
  for await (const event of stream) {
    if (event.type === "tool-start") console.log(`→ ${event.name} ${JSON.stringify(event.input)}`);
    if (event.type !== "tool-end") continue;
    calls[event.name] = event.result.kind;
    console.log(`  ${event.name} ${event.result.kind}`);
  }
  const result = await stream.result;
  console.log(`\n${result.text}`);
  assert.equal(result.status, "completed");
  return { result, calls };
}

const read = {
  wikipedia_search: "ok",
  wikipedia_article: "ok",
  pubmed_search: "ok",
  pubmed_abstract: "ok",
  web_fetch: "ok",
};

// No key: the search of the web is an error of that call alone. The page that the question names is read.
let kept: RunResult;
{
  await using app = await open({});
  const { result, calls } = await ask(app, `${question} See also ${page}`);
  assert.deepEqual(calls, { ...read, web_search: "error" });
  for (const said of [
    /oranges and lemons, cures scurvy/,
    /Vitamin C cures scurvy/,
    /the food that cures scurvy was found/,
  ])
    assert.match(result.text, said);
  for (const source of [article, abstract, page]) assert.ok(result.text.includes(`: ${source}\n`), source);
  assert.match(result.text, /Left out: web_search\. .*EXA_API_KEY/);
  assert.equal(services.asked("exa").length, 0);
  kept = result;
}

// With a key the page is found. What the search cost is the run's cost.
{
  await using app = await open({ EXA_API_KEY: "a-key-of-this-machine" });
  const { result, calls } = await ask(app, question);
  assert.deepEqual(calls, { ...read, web_search: "ok" });
  for (const source of [article, abstract, page]) assert.ok(result.text.includes(source), source);
  assert.ok(!result.text.includes("Left out"));
  assert.equal(result.usage.costUsd, 0.005);
  // The first run is in the file.
  assert.deepEqual(await app.result(kept.runId), kept);
}

// Each service was asked as it wants to be, and the key went to its service alone.
for (const name of ["wikipedia", "pubmed", "exa", "museum"] as const) {
  for (const { headers, url } of services.asked(name)) {
    assert.match(headers["user-agent"] ?? "", /^tenon-example-research\/1\.0 \(research@example\.com\)$/);
    assert.equal(headers["x-api-key"], name === "exa" ? "a-key-of-this-machine" : undefined);
    if (name === "pubmed") assert.equal(url.searchParams.get("tool"), "tenon-example-research");
  }
}
console.log("\nAll as it should be.");
