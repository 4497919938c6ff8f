import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tenon, tenonEach, type Ended } from "./run-cli.js";
import { emptyProject, notesProject } from "./temp-project.js";

interface Check {
  readonly name: string;
  readonly level: string;
  readonly message: string;
  readonly missing?: readonly string[];
}
const checksOf = ({ out }: Ended): Readonly<Record<string, Check>> =>
  Object.fromEntries((JSON.parse(out).checks as Check[]).map((check) => [check.name, check]));

const plain = `
  import { Agent, createApp } from "tenon";
  @Agent({ name: "solo", description: "Alone." })
  class Solo {}
  export default { app: () => createApp(Solo, {}) };
`;
const withServer = `
  import { Agent, createApp } from "tenon";
  import { PlainText } from "tenon/dto";
  import { McpServer, McpServerClient, McpTool } from "tenon/mcp";
  @McpServer({ name: "files", command: "files-server", env: ["FILES_TOKEN"], tools: ["list"] })
  class Files extends McpServerClient {}
  @McpTool({ server: Files, tool: "list", description: "Lists files.", output: PlainText })
  class List {
    constructor(private readonly files: Files) {}
    run(_input: object, ctx: any) {
      return this.files.call("list", {}, ctx);
    }
  }
  @Agent({ name: "solo", description: "Alone.", tools: [List] })
  class Solo {}
  export default { app: () => createApp(Solo, {}) };
`;
const module = { "package.json": '{"type":"module"}' };

test("a project that is well: every check is shown, no model is called", async () => {
  const cwd = notesProject();
  const { code, out, err } = await tenon(["doctor"], { cwd: `${cwd}/src` });
  expect(err).toBe("");
  expect(out).toBe(`ok      node        Node ${process.versions.node} (22.13 or later is needed)
ok      flags       none
ok      tsconfig    experimentalDecorators is on (${cwd}/tsconfig.json)
ok      project     ${cwd}/tenon.config.ts
ok      packages    tenon 0.1.0
ok      environment none is set
ok      store       sqlite ${cwd}/.tenon/tenon.db
`);
  expect(code).toBe(0);
});

test("with --model each model is asked, and one that does not answer is a problem", async () => {
  const cwd = notesProject();
  const [well, listed] = await tenonEach({ cwd }, ["doctor", "--model", "--json"], ["runs", "--json"]);
  expect(checksOf(well)["model"]).toMatchObject({ level: "ok", message: "echo (notes, idle) answers" });
  expect(JSON.parse(listed.out)).toEqual({ runs: [] });

  const ill = emptyProject({ "tenon.config.ts": plain, ...module });
  const env = { TENON_MODEL: "some/model", TENON_BASE_URL: "http://127.0.0.1:1/v1", TENON_API_KEY: "tulip-key" };
  const [result, unasked] = await tenonEach({ cwd: ill, env }, ["doctor", "--model", "--json"], ["doctor"]);
  expect(checksOf(result)).toMatchObject({
    tsconfig: { level: "note" },
    environment: { level: "ok", message: "set: TENON_MODEL, TENON_BASE_URL, TENON_API_KEY", missing: [] },
    store: { level: "note", message: "memory — gone with the process" },
    model: { level: "problem", message: expect.stringContaining("some/model (solo) does not answer") },
  });
  expect(result.out).not.toContain("tulip-key");
  expect(JSON.parse(result.out).ok).toBe(false);
  expect(result.code).toBe(1);
  expect(unasked.code).toBe(0);
});

test("missing variables are told by name: of the model, of its server, of its key", async () => {
  const cwd = emptyProject({ "tenon.config.ts": plain, ...module });
  const args = ["doctor", "--json"];
  const [none, server, key] = await tenonEach(
    { cwd },
    args,
    { args, env: { TENON_MODEL: "local" } },
    { args, env: { TENON_MODEL: "some/model", OPENROUTER_API_KEY: "" } },
  );
  expect(checksOf(none)).toMatchObject({
    project: { level: "problem", message: expect.stringContaining("No model is named") },
    environment: { level: "problem", missing: ["TENON_MODEL"] },
  });
  expect(none.code).toBe(3);
  expect(checksOf(server)["environment"]).toMatchObject({ level: "problem", missing: ["TENON_BASE_URL"] });
  expect(server.code).toBe(3);
  expect(checksOf(key)["environment"]).toMatchObject({ level: "problem", missing: ["OPENROUTER_API_KEY"] });
  expect(key.code).toBe(1);
  const inCode = emptyProject({
    "tenon.config.ts": plain.replace("Solo, {}", 'Solo, { models: { default: "a/b" } }'),
    ...module,
  });
  const likely = await tenon(["doctor", "--json"], { cwd: inCode, env: { OPENROUTER_API_KEY: "" } });
  expect(checksOf(likely)["environment"]).toMatchObject({ level: "note", missing: ["OPENROUTER_API_KEY"] });
  expect(likely.code).toBe(0);
});

test("a missing peer is a problem where the app needs it, and else only told; so is one of another major version", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "tenon-doctor-")));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const packages = resolve(import.meta.dirname, "../../../node_modules");
  const without = ["tenon", "@openrouter", "arktype", "valibot", "@valibot", ".bin", ".package-lock.json"];
  mkdirSync(join(cwd, "node_modules/tenon"), { recursive: true });
  for (const name of readdirSync(packages))
    if (!without.includes(name)) symlinkSync(join(packages, name), join(cwd, "node_modules", name));
  for (const part of ["dist", "package.json"])
    cpSync(resolve(import.meta.dirname, "../../tenon", part), join(cwd, "node_modules/tenon", part), {
      recursive: true,
    });
  mkdirSync(join(cwd, "node_modules/valibot"));
  writeFileSync(join(cwd, "node_modules/valibot/package.json"), '{"name":"valibot","version":"0.42.1"}');
  writeFileSync(join(cwd, "package.json"), '{"type":"module"}');
  writeFileSync(join(cwd, "tenon.config.ts"), plain);

  const needed = await tenon(["doctor", "--json"], {
    cwd,
    env: { TENON_MODEL: "some/model", OPENROUTER_API_KEY: "k" },
  });
  expect(checksOf(needed)["packages"]).toMatchObject({
    level: "problem",
    missing: ["@openrouter/ai-sdk-provider", "@valibot/to-json-schema", "arktype"],
  });
  const { message } = checksOf(needed)["packages"]!;
  expect(message).toContain(
    '@openrouter/ai-sdk-provider is needed and missing: npm install "@openrouter/ai-sdk-provider@^3.0.0"',
  );
  expect(message).toContain('valibot 0.42.1 does not fit: npm install "valibot@^1.5.0"');
  expect(message).toContain("not there, and not needed so far: @valibot/to-json-schema, arktype");
  expect(needed.code).toBe(3);

  rmSync(join(cwd, "node_modules/valibot"), { recursive: true });
  const env = { TENON_MODEL: "m", TENON_BASE_URL: "http://127.0.0.1:1/v1" };
  const other = await tenon(["doctor", "--json"], { cwd, env });
  expect(checksOf(other)["packages"]).toMatchObject({ level: "ok" });
  expect(other.code).toBe(0);

  rmSync(join(cwd, "node_modules/@modelcontextprotocol"));
  expect(checksOf(await tenon(["doctor", "--json"], { cwd, env }))["packages"]).toMatchObject({ level: "ok" });
  writeFileSync(join(cwd, "tenon.config.ts"), withServer);
  const server = await tenon(["doctor", "--json"], { cwd, env: { ...env, FILES_TOKEN: "tulip" } });
  expect(checksOf(server)["packages"]).toMatchObject({
    level: "problem",
    message: expect.stringContaining('client is needed and missing: npm install "@modelcontextprotocol/client@^2.4.0"'),
  });
  expect(server.code).toBe(1);
});

test("each MCP server is told with the variables that it takes, by name, and whether each is set", async () => {
  const both = withServer.replace('["FILES_TOKEN"]', '["FILES_TOKEN", "files_user", "FILES_ROOM"]');
  const cwd = emptyProject({ "tenon.config.ts": both, ...module });
  const env = { TENON_MODEL: "m", TENON_BASE_URL: "http://127.0.0.1:1/v1" };
  const args = ["doctor", "--json"];
  const some = { ...env, files_user: "tulip" };
  const all = { ...some, FILES_TOKEN: "tulip", FILES_ROOM: "tulip" };
  const [none, missing, there] = await tenonEach({ cwd, env }, args, { args, env: some }, { args, env: all });
  const names = ["FILES_TOKEN", "files_user", "FILES_ROOM"];
  expect(checksOf(none)["environment"]).toMatchObject({
    level: "problem",
    missing: names,
    servers: [{ server: "files", set: [], missing: names }],
  });
  expect(checksOf(missing)["environment"]).toMatchObject({
    level: "problem",
    message: expect.stringContaining(
      "the MCP server files takes files_user (set), FILES_TOKEN (missing), FILES_ROOM (missing)",
    ),
    missing: ["FILES_TOKEN", "FILES_ROOM"],
    servers: [{ server: "files", set: ["files_user"], missing: ["FILES_TOKEN", "FILES_ROOM"] }],
  });
  expect(missing.code).toBe(3);
  expect(checksOf(there)["environment"]).toMatchObject({
    level: "ok",
    message: expect.stringContaining("takes FILES_TOKEN (set), files_user (set), FILES_ROOM (set)"),
    missing: [],
    servers: [{ server: "files", set: names, missing: [] }],
  });
  expect(none.out + missing.out + there.out).not.toContain("tulip");
  expect(there.code).toBe(0);
});

test("what is missing is what an error has as data; its words are anybody's", async () => {
  const throwing = (thrown: string): string =>
    emptyProject({
      "tenon.config.ts": `import { MissingVariableError, MissingPeerError } from "tenon";
        export default { app: () => { throw ${thrown}; } };`,
      ...module,
    });
  const words = "server files: the environment variable room is not set; set OUR_ROOM, and npm install arktype@^2";
  const args = ["doctor", "--json"];
  const [said, lower, peer, behind] = await tenonEach(
    { cwd: emptyProject() },
    { args, cwd: throwing(`new Error(${JSON.stringify(`\n  - ${words}`)})`) },
    { args, cwd: throwing('new MissingVariableError("our_key", "Ours needs a key")') },
    { args, cwd: throwing('new MissingPeerError("arktype", "^2.2.10", "Ours")') },
    { args, cwd: throwing('new Error("ours", { cause: new MissingVariableError("OUR_KEY", "Ours needs a key") })') },
  );
  expect(checksOf(said)).toMatchObject({
    project: { level: "problem", message: expect.stringContaining(words) },
    packages: { level: "ok" },
    environment: { level: "ok", missing: [], servers: [] },
  });
  expect(checksOf(lower)["environment"]).toMatchObject({ level: "problem", missing: ["our_key"], servers: [] });
  expect(checksOf(peer)["environment"]).toMatchObject({ level: "ok", missing: [] });
  expect(checksOf(behind)["environment"]).toMatchObject({ level: "problem", missing: ["OUR_KEY"] });
  expect([said, lower, peer, behind].map(({ code }) => code)).toEqual([3, 3, 3, 3]);
});

test("the decorators are read through `extends`, comments and trailing commas; a tsconfig that is broken is a problem", async () => {
  const cwd = notesProject({
    "tsconfig.json": '// ours\n{ "extends": ["./base"], "compilerOptions": { "strict": true, /* more */ }, }',
    "base.json": '{ "compilerOptions": { "experimentalDecorators": true, "paths": { "x//y": ["./z"] } } }',
  });
  expect(checksOf(await tenon(["doctor", "--json"], { cwd }))["tsconfig"]!.level).toBe("ok");
  writeFileSync(join(cwd, "base.json"), '{ "extends": "./tsconfig.json" }');
  const cycle = checksOf(await tenon(["doctor", "--json"], { cwd }))["tsconfig"];
  expect(cycle).toMatchObject({ level: "problem", message: expect.stringContaining("extends itself") });
  writeFileSync(join(cwd, "base.json"), "{ nothing }");
  const broken = checksOf(await tenon(["doctor", "--json"], { cwd }))["tsconfig"];
  expect(broken).toMatchObject({ level: "problem", message: expect.stringContaining(join(cwd, "base.json")) });
});

test("a store that cannot be used, flags, and no project at all are told", async () => {
  const cwd = notesProject({
    ".tenon/tenon.db": "this is no database, but a text that is long enough to be looked at",
  });
  const store = await tenon(["doctor", "--json"], { cwd, env: { NODE_OPTIONS: "--no-warnings --title=tulip" } });
  expect(checksOf(store)).toMatchObject({ flags: { level: "ok", message: "--no-warnings, --title" } });
  expect(JSON.parse(store.out).checks.filter(({ level }: Check) => level === "problem")).toMatchObject([
    { name: "store" },
  ]);
  expect(store.code).toBe(1);
  const flag = "--disallow-code-generation-from-strings";
  const told = await tenon(["doctor", "--json"], { cwd: notesProject(), env: { NODE_OPTIONS: flag } });
  expect(checksOf(told)["flags"]).toMatchObject({ level: "note", message: expect.stringContaining("slower") });

  const nothing = emptyProject();
  const [absent, wrong] = await tenonEach({ cwd: nothing }, ["doctor"], ["doctor", "--modle"]);
  expect(absent.out).toMatch(/\nproblem project {5}There is no Tenon project in /);
  expect(absent.code).toBe(3);
  expect(wrong.code).toBe(2);
});
