import { expect, test } from "vitest";
import { BadInputError } from "../../src/errors/run-errors.js";
import { free } from "../../src/llm/free.js";
import { toModel } from "../../src/llm/v4-model.js";
import { ending, fakeModel, requestOf, textAnswer, user } from "./request.js";

class Private {
  readonly specificationVersion = "v4" as const;
  readonly modelId = "mine";
  #calls = 0;
  get provider(): string {
    return `p${this.#calls}`;
  }
  async doGenerate(): Promise<object> {
    this.#calls++;
    return textAnswer(String(this.#calls));
  }
  async doStream(): Promise<object> {
    this.#calls++;
    return {};
  }
}

test("a declared model is free, also a class instance with private members", async () => {
  const inner = new Private();
  const model = free(inner);
  expect([model.specificationVersion, model.provider, model.modelId]).toStrictEqual(["v4", "p0", "mine"]);
  expect(model[Symbol.for("tenon.free") as never]).toBe(true);
  const port = toModel(model);
  expect(port.free).toBe(true);
  expect((await port.generate(requestOf([user("a")]))).usage).toMatchObject({ costNanoUsd: 0, costSource: "free" });
  expect(inner.provider).toBe("p1");
  expect(toModel(inner).free).toBe(false);
});

test("declared twice is the same object; a reported cost still counts", async () => {
  const inner = fakeModel({
    generate: () => Promise.resolve({ content: [], ...ending(), providerMetadata: { gateway: { cost: 1 } } }),
  });
  expect(free(inner)).toBe(free(inner));
  expect(free(free(inner))).toBe(free(inner));
  const { usage } = await toModel(free(inner)).generate(requestOf([user("a")]));
  expect(usage).toMatchObject({ costNanoUsd: 1e9, costSource: "api" });
});

test("what is no model object is refused", () => {
  for (const bad of ["llama3", undefined, null, {}, { ...fakeModel(), specificationVersion: "v1" }]) {
    expect(() => free(bad as never)).toThrow(BadInputError);
  }
});
