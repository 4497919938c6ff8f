import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { offlineModel } from "../../src/doors/models/index.js";
import { AssemblyError, createApp, defineAgent, defineTool, jsonSchema } from "../../src/doors/tenon/index.js";
import { compileSchema, loadValidator } from "../../src/schema/compile-schema.js";

beforeAll(() => loadValidator());

/** What an app says of a tool with one schema on both sides, a line each. */
async function faultsOf(schema: any): Promise<readonly string[]> {
  const tool = defineTool({
    name: "t",
    description: "T.",
    input: schema,
    output: schema,
    run: () => ({}),
  });
  const agent = defineAgent({ name: "a", description: "A.", tools: [tool], model: offlineModel() });
  const thrown: unknown = await createApp(agent, {}).catch((error: unknown) => error);
  if (!AssemblyError.is(thrown)) throw new Error("the app was put together");
  return thrown.violations.map(({ at, message }) => `${at}: ${message}`);
}

class Empty {}

describe("what is wrong with a schema is told of the side that it is on", () => {
  test.each([
    ["a schema of a library", z.string(), "zod: string"],
    ["a JSON Schema", jsonSchema({ type: "string" }), "jsonSchema(): string"],
  ])("%s that is no object", async (_name, schema, whose) => {
    const root = `The root of a schema is no object: ${whose}.`;
    expect(await faultsOf(schema)).toEqual([
      `tool t: input: ${root} Arguments are an object: wrap it as a field of one.`,
      `tool t: output: ${root} A result that has a schema is an object: wrap it as a field of one.`,
    ]);
    expect(compileSchema(schema as never, "answer").json).toMatchObject({ type: "string" });
  });

  test("a schema of a library that JSON Schema has no word for", async () => {
    const schema = z.object({ at: z.date() });
    expect(await faultsOf(schema)).toEqual([
      expect.stringMatching(/^tool t: input: .*what a model sends; a transform may do the rest\.$/),
      expect.stringMatching(/^tool t: output: .*what a handler returns; a transform may do the rest\.$/),
    ]);
    expect(() => compileSchema(schema, "answer")).toThrow(/what a person answers; a transform may do the rest\.$/);
  });

  test("a class without any field", async () => {
    expect(await faultsOf(Empty)).toEqual([
      expect.stringMatching(/^tool t: input: .*; a tool without arguments declares no input\.$/),
      expect.stringMatching(/^tool t: output: .*; a tool that may give anything declares no output\.$/),
    ]);
    expect(() => compileSchema(Empty as never, "answer")).toThrow(
      /; a question that takes any answer has no schema\.$/,
    );
  });

  test("a library without JSON Schema is not told to be for a model", async () => {
    const old = { "~standard": { version: 1, vendor: "old", validate: (value: unknown) => ({ value }) } };
    const rest = "A Standard Schema that gives no JSON Schema cannot be used: old.";
    expect(await faultsOf(old)).toEqual([
      expect.stringContaining(`tool t: input: ${rest}`),
      expect.stringContaining(`tool t: output: ${rest}`),
    ]);
  });

  test("a library that refuses an answer which it had accepted", () => {
    let asked = 0;
    const moody = z.string().refine(() => asked++ === 0);
    const schema = compileSchema(moody as never, "answer");
    expect(schema.check("yes")).toMatchObject({ ok: true });
    expect(() => schema.toValue("yes")).toThrow(/accepted: answer: /);
  });
});
