import { expect, test } from "vitest";
import { McpServer, McpServerClient } from "../../src/doors/mcp/index.js";
import { offlineModel } from "../../src/doors/models/index.js";
import {
  AssemblyError,
  createApp,
  defineAgent,
  defineTool,
  type AppOptions,
  type Violation,
} from "../../src/doors/tenon/index.js";

const plain = { name: "a", description: "A." };

/** What is wrong with an app of one agent, as it is after it was stored. */
async function violationsOf(agent: object, options: AppOptions = {}): Promise<readonly Violation[]> {
  const thrown: unknown = await createApp(defineAgent({ ...plain, ...agent }), { env: {}, ...options }).catch(
    (error: unknown) => error,
  );
  if (!AssemblyError.is(thrown)) throw new Error("the app was put together");
  const { data } = JSON.parse(JSON.stringify(thrown)) as { data: { violations: readonly Violation[] } };
  expect(data.violations).toEqual(thrown.violations);
  return data.violations;
}

test("a server's variable that is not set is told by name, with the server and what it has", async () => {
  @McpServer({ name: "files", command: "none", env: ["FILES_TOKEN", "FILES_KEY", "FILES_ROOM"], tools: ["list"] })
  class Files extends McpServerClient {}
  const list = defineTool({ name: "list", description: "Lists.", deps: [Files], run: () => 1 });
  const options = { models: { default: offlineModel() }, env: { FILES_KEY: "tulip" } };
  const told = (variable: string): object => ({
    at: "server files",
    message: expect.stringContaining(`the environment variable ${variable} is not set`),
    code: "missing_variable",
    data: { variable, server: "files", set: ["FILES_KEY"] },
  });
  const violations = await violationsOf({ tools: [list] }, options);
  expect(violations).toEqual([told("FILES_TOKEN"), told("FILES_ROOM")]);
  expect(JSON.stringify(violations)).not.toContain("tulip");
});

test("a model's variable is told by name, also of one in a list", async () => {
  expect(await violationsOf({})).toEqual([
    {
      at: "agent a",
      message: expect.stringMatching(/^model: No model is named/),
      code: "bad_input",
      data: { variable: "TENON_MODEL" },
    },
  ]);
  const server = { code: "missing_variable", data: { variable: "TENON_BASE_URL" } };
  expect(await violationsOf({ model: "local" })).toMatchObject([server]);
  expect(await violationsOf({ model: [offlineModel(), "local"] })).toMatchObject([{ ...server, code: "bad_input" }]);
});

test("what has no data has none, and not an empty one", async () => {
  const options = { models: { default: offlineModel() } };
  expect(await violationsOf({ description: "" }, options)).toEqual([
    { at: "agent a", message: expect.stringContaining("description"), code: "assembly_error" },
  ]);
  const wrong = defineTool({ name: "t", description: "T.", input: class Empty {}, run: () => 1 });
  expect(await violationsOf({ tools: [wrong] }, options)).toEqual([
    { at: "tool t", message: expect.stringContaining("input: A class without any field"), code: "schema_error" },
  ]);
});
