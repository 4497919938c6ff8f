import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { describe, expect, test } from "vitest";
import {
  Agent,
  AssemblyError,
  createApp,
  defineAgent,
  defineWorkflow,
  type LanguageModel,
  type ModelCatalog,
} from "../../src/doors/tenon/index.js";
import { free } from "../../src/doors/models/index.js";
import { fakeModel } from "../llm/request.js";
import { chatServer, textAnswer } from "../llm/loopback.js";

/** A model that answers with its own name. */
function named(name: string): LanguageModel {
  const answer = { content: [{ type: "text", text: name }], finishReason: { unified: "stop" }, usage: {} };
  return Object.assign(fakeModel({ generate: () => Promise.resolve(answer) }), { modelId: name });
}

const one = defineAgent({ name: "one", description: "d" });
const asking = (model: string) => defineAgent({ name: "one", description: "d", model });

/** Which model answers. */
async function answering(
  models: ModelCatalog | undefined,
  agent = one,
  runModel?: string | LanguageModel,
  env: Record<string, string> = {},
): Promise<string | undefined> {
  await using app = await createApp(agent, { models, env });
  return (await app.run({ prompt: "hi" }, { model: runModel })).text;
}

async function refused(models: unknown, agent = one, env: Record<string, string> = {}): Promise<string> {
  const error: any = await createApp(agent, { models: models as never, env }).then(
    undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AssemblyError);
  return error.message;
}

describe("a map of models", () => {
  const models = { default: "fast", fast: named("fast"), slow: named("slow") };

  test("ids of agents and runs, and the default, are looked up", async () => {
    expect(await answering(models)).toBe("fast");
    expect(await answering(models, asking("slow"))).toBe("slow");
    expect(await answering(models, asking("default"))).toBe("fast");
    expect(await answering(models, one, "slow")).toBe("slow");
    expect(await answering(models, one, named("own"))).toBe("own");
    expect(await answering({ default: named("only") })).toBe("only");
    expect(await answering({ slow: models.slow }, one, undefined, { TENON_MODEL: "slow" })).toBe("slow");
  });

  test("names of objects' own members are no ids", async () => {
    for (const id of ["constructor", "__proto__", "toString"])
      expect(await refused(models, asking(id))).toContain(`"${id}"`);
  });

  test("an id that it lacks goes to the environment, and so does another name", async () => {
    const { url, asked } = await chatServer(textAnswer("from afar"));
    const env = { TENON_BASE_URL: url };
    expect(await answering(models, asking("llama3"), undefined, env)).toBe("from afar");
    expect(await answering({ default: "small", small: "vendor/small" }, one, undefined, env)).toBe("from afar");
    expect(asked.map(({ body }) => body.model)).toStrictEqual(["llama3", "vendor/small"]);
    expect(await refused(models, asking("llama3"))).toMatch(/llama3.*TENON_BASE_URL/s);
  });

  test("what is wrong with it is told at assembly, all of it", async () => {
    const message = await refused({ a: 5, b: {}, c: " ", d: "e", e: named("e"), f: () => named("f") });
    for (const part of ["models.a", "models.b", "models.c is empty", 'models.d names "e"', "models.f"])
      expect(message).toContain(part);
    expect(message).not.toContain("No model is named");
    expect(await refused({ default: "default" })).toContain("models.default names");
    for (const bad of [5, null, [named("a")], new Map([["a", named("a")]]), "fast"])
      expect(await refused(bad)).toContain("models must be");
    expect(await refused(named("bare"))).toContain("write `models: { default: … }`");
  });
});

describe("a provider object", () => {
  test("AI SDK providers, as they are or with a default beside them", async () => {
    const { url, asked } = await chatServer(textAnswer("yes"));
    const local = createOpenAICompatible({ name: "local", baseURL: url });
    expect(await answering(local, asking("m1"))).toBe("yes");
    expect(await answering({ default: "m2", languageModel: local })).toBe("yes");
    expect(await answering({ default: named("object"), languageModel: local })).toBe("object");
    const routed = createOpenRouter({ baseURL: url, apiKey: "k" });
    expect(await answering(routed, asking("vendor/m3"))).toBe("yes");
    expect(asked.map(({ body }) => body.model)).toStrictEqual(["m1", "m2", "vendor/m3"]);
  });

  test("its method is called on it, and one id is one model", async () => {
    class Registry {
      readonly made: string[] = [];
      languageModel(id: string): LanguageModel {
        this.made.push(id);
        return named(id);
      }
    }
    const registry = new Registry();
    const two = defineAgent({ name: "two", description: "d", model: "a" });
    await using app = await createApp(defineWorkflow({ name: "w", agents: [asking("a"), two] }), {
      models: registry,
      env: {},
    });
    for (const model of ["a", "b", "b"]) expect((await app.run({ prompt: "hi" }, { model })).text).toBe(model);
    expect(registry.made).toStrictEqual(["a", "b"]);
  });

  test("an id that it does not know goes to the environment", async () => {
    const unknown = Object.assign(new Error("no such model"), { name: "AI_NoSuchModelError" });
    const provider = {
      languageModel(): LanguageModel {
        throw unknown;
      },
    };
    const { url } = await chatServer(textAnswer("from afar"));
    expect(await answering(provider, asking("m"), undefined, { TENON_BASE_URL: url })).toBe("from afar");
    expect(await refused(provider, asking("m"))).toContain("TENON_BASE_URL");
  });
});

describe("a function", () => {
  test("gives models, or nothing for an id that it does not know", async () => {
    const models = (id: string) => (id.startsWith("my-") ? named(id) : undefined);
    expect(await answering(models, asking("my-model"))).toBe("my-model");
    expect(await answering(models, one, undefined, { TENON_MODEL: "my-other" })).toBe("my-other");
    expect(await refused(models, asking("other"))).toContain("TENON_BASE_URL");
    expect(await refused(models)).toContain("No model is named");
  });

  test("a throw, a promise and what is no model are assembly errors that name the id", async () => {
    const thrower = (): never => {
      throw new Error("out of order");
    };
    expect(await refused(thrower, asking("m"))).toMatch(/"m".*out of order/s);
    expect(await refused(async () => named("m"), asking("m"))).toMatch(/"m".*not a promise/s);
    expect(await refused(() => 5, asking("m"))).toMatch(/gave no model for "m"/);
  });

  test("a run's own model that is not there rejects, and leaves no run", async () => {
    await using app = await createApp(asking("a"), { models: (id) => (id === "a" ? named("a") : undefined), env: {} });
    await expect(app.run({ prompt: "hi" }, { model: "b", runId: "run-00001" })).rejects.toThrow(/TENON_BASE_URL/);
    await expect(app.resume("run-00001")).rejects.toThrow(/run-00001/);
  });
});

test("OpenRouter serves vendor/model without a key at assembly; the first call names the variable", async () => {
  const env: Record<string, string> = {};
  await using app = await createApp(asking("moonshotai/kimi-k2.6"), { env });
  expect(app.describe().agents[0]!.model).toBe("moonshotai/kimi-k2.6");
  for (const listener of [undefined, () => {}]) {
    const { status, error } = await app.run({ prompt: "hi" }, { onEvent: listener });
    expect(status).toBe("failed");
    expect(error).toMatchObject({ code: "missing_variable", data: { variable: "OPENROUTER_API_KEY" } });
  }
});

describe("what an agent says of its model", () => {
  test("is sent with every call and shown by describe", async () => {
    const model = Object.assign(fakeModel(), { modelId: "m" });
    const providerOptions = { fake: { tier: "slow" } };
    @Agent({ name: "thinker", description: "d", thinking: "low", maxOutputTokens: 300, providerOptions })
    class Thinker {}
    await using app = await createApp(defineWorkflow({ name: "w", agents: [Thinker, one] }), {
      models: { default: free(model) },
    });
    await app.run({ prompt: "hi" });
    await app.run({ prompt: "hi" }, { agent: one });
    expect(model.asked[0]).toMatchObject({ reasoning: "low", maxOutputTokens: 300, providerOptions });
    expect(Object.keys(model.asked[1]).sort()).toStrictEqual(["abortSignal", "prompt"]);
    expect(app.describe().agents).toMatchObject([
      { name: "thinker", thinking: "low", maxOutputTokens: 300, providerOptions },
      { name: "one", thinking: "default", maxOutputTokens: undefined, providerOptions: undefined },
    ]);
  });

  test("is checked at assembly", async () => {
    const bad = defineAgent({
      name: "bad",
      description: "d",
      thinking: "hard" as never,
      maxOutputTokens: 0,
      providerOptions: { fake: 5 } as never,
    });
    const message = await refused({ default: named("m") }, bad as never);
    for (const part of [
      /thinking must be "off" or "low"/,
      /maxOutputTokens must be a whole number/,
      /providerOptions must/,
    ])
      expect(message).toMatch(part);
  });

  test("a model that cannot be told to think is an assembly error, or fails the run that brings it", async () => {
    const deaf = Object.assign(fakeModel({ provider: "unheard.chat" }), { specificationVersion: "v2" as const });
    const thinker = defineAgent({ name: "thinker", description: "d", thinking: "high" });
    expect(await refused({ default: deaf }, thinker as never)).toMatch(/agent thinker.*thinking: .*providerOptions/s);
    await using app = await createApp(thinker, { models: { default: named("m") } });
    const { status, error } = await app.run({ prompt: "hi" }, { model: deaf });
    expect(status).toBe("failed");
    expect(error?.message).toContain("providerOptions");
  });
});
