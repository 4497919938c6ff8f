import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Agent, createApp, defineTool, jsonSchema, memoryStore, type App, type Store } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { shown, type Report } from "./report.ts";
import { toldModel, type ToldModel } from "./told-model.ts";

/** An app that repeats texts, throws them, and takes any object. */
interface Repeater {
  readonly app: App;
  readonly told: ToldModel;
  /** The inputs that reached a handler, in order. */
  readonly inputs: unknown[];
}

/** Each text as an argument, a result, an error text and the id of a thread, with runs in memory and in a file. */
export async function checkTexts(texts: ReadonlySet<string>, report: Report): Promise<void> {
  report.count("texts", texts.size);
  const folder = mkdtempSync(join(tmpdir(), "tenon-corpora-"));
  try {
    const path = join(folder, "texts.db");
    for (const store of [memoryStore({ keep: 10_000 }), sqliteStore(path, { synchronous: "normal" })]) {
      await withRepeater(store, (repeater) => checkCalls(texts, repeater, report));
    }
    // What was stored is the same for the next process.
    await withRepeater(sqliteStore(path), (repeater) => checkStored(texts, repeater, report));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts an app together on a store, and closes both. */
export async function withRepeater(store: Store, work: (repeater: Repeater) => Promise<void>): Promise<void> {
  const told = toldModel();
  const inputs: unknown[] = [];
  const text = jsonSchema<{ text: string }>({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  });
  const repeat = defineTool({
    name: "repeat",
    description: "Gives a text back.",
    input: text,
    run(input) {
      inputs.push(input);
      return input.text;
    },
  });
  const fail = defineTool({
    name: "fail",
    description: "Throws a text.",
    input: text,
    run(input): string {
      inputs.push(input);
      throw new Error(input.text);
    },
  });
  const take = defineTool({
    name: "take",
    description: "Gives any object back.",
    input: jsonSchema({ type: "object" }),
    run(input) {
      inputs.push(input);
      return input;
    },
  });
  class Keeper {}
  Agent({ name: "keeper", description: "Repeats.", tools: [repeat, fail, take], maxToolCalls: 100 })(Keeper);
  const app = await createApp(Keeper, { store, models: { default: told.model }, env: {} });
  try {
    await work({ app, told, inputs });
  } finally {
    await app.close();
  }
}

async function checkCalls(texts: ReadonlySet<string>, { app, told, inputs }: Repeater, report: Report): Promise<void> {
  const kind = app.describe().store.kind;
  let at = 0;
  for (const text of texts) {
    const options = { runId: runIdOf(at), threadId: text, owner: ownerOf(at) };
    at++;
    inputs.length = 0;
    told.tell(["repeat", "fail"].map((name) => ({ name, text: JSON.stringify({ text }) })));
    if (text.trim() === "") {
      await expectCode(() => app.run({ prompt: "Go." }, options), "bad_input", text, report);
      report.count(`blank texts refused as thread ids (${kind})`);
      continue;
    }
    const first = await app.run({ prompt: "Go." }, options);
    report.expect(
      first.status === "completed",
      () => `${shown(text)}: the run ended as ${first.status}: ${first.error?.message}`,
    );
    report.expect(isDeepStrictEqual(inputs, [{ text }, { text }]), () => `${shown(text)}: arrived as ${shown(inputs)}`);
    report.count(`arguments that arrived as they are (${kind})`, inputs.length);
    const [result = "", error = ""] = told.read();
    report.expect(isRead(text, result), () => `${shown(text)}: the model read ${shown(result)}`);
    report.count(`results that the model read as they are (${kind})`);
    report.expect(
      error.startsWith("Tool error: ") && error.includes(text.slice(0, 200)),
      () => `${shown(text)}: the error reads ${shown(error)}`,
    );
    report.count(`error texts that the model read (${kind})`);

    told.tell([]);
    const second = await app.run({ prompt: "Again." }, { threadId: text, owner: options.owner });
    const asked = told.prompt().filter(({ role }) => role === "user").length;
    report.expect(
      second.threadId === text && asked === 2,
      () => `${shown(text)}: its thread ${shown(second.threadId)} has ${asked} runs`,
    );
    report.count(`threads that go on under their id (${kind})`);
  }
}

async function checkStored(texts: ReadonlySet<string>, { app, inputs }: Repeater, report: Report): Promise<void> {
  let at = 0;
  for (const text of texts) {
    const [runId, owner] = [runIdOf(at), ownerOf(at)];
    at++;
    if (text.trim() === "") continue;
    await expectCode(
      () => app.run({ prompt: "Go." }, { threadId: text, owner: "a stranger" }),
      "thread_owner",
      text,
      report,
    );
    const again = await app.run({ prompt: "Go." }, { runId, threadId: text, owner });
    const result = again.text.slice(0, again.text.lastIndexOf("\nTool error: "));
    report.expect(isRead(text, result), () => `${shown(text)}: the stored answer reads ${shown(again.text)}`);
    report.count("answers and owners that are the same after a reload");
  }
  report.expect(inputs.length === 0, () => `${inputs.length} calls ran again after a reload`);
}

/** Whether a model that read `result` read the text: all of it, or a long one's beginning. A data URL becomes a note. */
function isRead(text: string, result: string): boolean {
  if (text.includes(";base64,")) return true;
  return text.length > 19_000 ? result.startsWith(text.slice(0, 19_000)) : result === text;
}

async function expectCode(call: () => Promise<unknown>, code: string, text: string, report: Report): Promise<void> {
  const thrown: unknown = await call().then(
    () => undefined,
    (error: unknown) => error,
  );
  report.expect(
    (thrown as { code?: unknown } | undefined)?.code === code,
    () => `${shown(text)}: ${code} was wanted, not ${String(thrown)}`,
  );
}

function runIdOf(at: number): string {
  return `run-${String(at).padStart(8, "0")}`;
}

function ownerOf(at: number): string {
  return `owner ${at}`;
}
