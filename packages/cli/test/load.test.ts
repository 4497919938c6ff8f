import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { CLIENT_PEERS, importedPath, modelPeers, SERVER_PEERS, VALIDATOR } from "../src/load-early.js";
import { tenon, tenonEach } from "./run-cli.js";
import { emptyProject, notesProject } from "./temp-project.js";

const legacy = JSON.stringify({
  compilerOptions: { target: "ES2022", module: "NodeNext", experimentalDecorators: true },
});
const config = (body: string, more: Readonly<Record<string, string>> = {}): string =>
  emptyProject({ "tenon.config.ts": body, "tsconfig.json": legacy, "package.json": '{"type":"module"}', ...more });

test("a project that cannot be loaded ends with 3, and says what to do", async () => {
  const cases: readonly [string, () => string, RegExp][] = [
    ["none", () => emptyProject(), /There is no Tenon project in .*Make a `tenon\.config\.ts`/],
    [
      "two configurations",
      () => notesProject({ "tenon.config.mjs": "" }),
      /There are 2 configurations in .*: tenon\.config\.ts, tenon\.config\.mjs\. Keep one/,
    ],
    ["no default export", () => config("export const x = 1;"), /no default export that can be used, but undefined/],
    [
      "a class",
      () => config("export default class Pantry {}"),
      /has a class as its default export, Pantry\. Write `export default \{ app: \(\) => createApp\(Pantry\) \}`/,
    ],
    [
      "a workflow, decorated",
      () =>
        config(`import { Workflow } from "tenon";
          @Workflow({ name: "pantry", agents: [] }) class Pantry {}
          export default Pantry;`),
      /createApp\(Pantry\)/,
    ],
    [
      "a class without a name",
      () => config("export default class {}"),
      /has a class as its default export\. Write .*createApp\(YourWorkflow\)/,
    ],
    [
      "a class as the app",
      () => config("class Pantry {} export default { app: Pantry };"),
      /has a class as its `app`, Pantry\..*createApp\(Pantry\)/,
    ],
    ["no app", () => config("export default {};"), /has no `app`/],
    ["an unknown member", () => config("export default { app: () => 1, aps: 2 };"), /unknown member `aps`/],
    [
      "an option of serving that the command decides",
      () => config("export default { app: () => 1, mcp: { port: 3000 } };"),
      /unknown member `port`/,
    ],
    [
      "a greeting that is no text",
      () => config("export default { app: () => 1, greeting: 2 };"),
      /`greeting` of .* is a number/,
    ],
    [
      "an app that is none",
      () => config("export default { app: async () => ({ run() {} }) };"),
      /gives no app, but an object/,
    ],
    [
      "an app that throws",
      () => config('export default { app: () => { throw new Error("no luck") } };'),
      /could not make its app: no luck/,
    ],
    [
      "an import that is not there",
      () => config('import "./gone.js"; export default {};'),
      /could not be loaded: .*gone/,
    ],
    ["no TypeScript", () => config("export default {"), /could not be loaded: .*(Unexpected|Expected)/s],
  ];
  const args = ["describe"];
  const ended = await tenonEach({ cwd: emptyProject() }, ...cases.map(([, project]) => ({ args, cwd: project() })));
  for (const [index, [title, , message]] of cases.entries()) {
    const { code, out, err } = ended[index]!;
    expect(err, title).toMatch(message);
    expect(err, title).toMatch(/^error config_load /);
    expect(err, title).not.toMatch(/^ +at /m);
    expect({ title, code, out }).toEqual({ title, code: 3, out: "" });
  }
});

test("a door that is there and does not load ends with 3, and is named", async () => {
  const doors = { tenon: "index.js", "tenon/dto": "dto.js", "tenon/mcp": "mcp.js" };
  /** A project with a `tenon` of its own, one door of which throws. */
  const broken = (door: keyof typeof doors): string =>
    config("", {
      "own/tenon.config.mjs": "export default { app: () => 1 };",
      "own/node_modules/tenon/package.json":
        '{"type":"module","exports":{".":"./index.js","./dto":"./dto.js","./mcp":"./mcp.js"}}',
      ...Object.fromEntries(Object.values(doors).map((name) => [`own/node_modules/tenon/${name}`, "export {};"])),
      [`own/node_modules/tenon/${doors[door]}`]: 'throw new Error("it is stuck");',
    });
  const generate = ["g", "mcp", "files", "--command", "node"];
  const cases: readonly (readonly [keyof typeof doors, readonly string[]])[] = [
    ["tenon", generate],
    ["tenon/dto", generate],
    ["tenon/mcp", generate],
    ["tenon/mcp", ["mcp", "serve"]],
    ["tenon/mcp", ["mcp", "check"]],
    ["tenon/mcp", ["mcp", "accept", "--yes"]],
  ];
  const calls = cases.map(([door, args]) => ({ args, cwd: join(broken(door), "own") }));
  const ended = await tenonEach({ cwd: emptyProject() }, ...calls);
  for (const [index, { args, cwd }] of calls.entries()) {
    const path = join(cwd, "node_modules/tenon", doors[cases[index]![0]]);
    expect({ args, ...ended[index] }).toEqual({
      args,
      code: 3,
      out: "",
      err: `error config_load ${path} could not be loaded: it is stuck. Mend it and try again; \`--verbose\` shows where it was thrown.\n`,
    });
  }
});

test("a project that waits for what never comes is told so", async () => {
  const hanging = "new Promise(() => {})";
  const [app, file] = await Promise.all(
    [`export default { app: () => ${hanging} };`, `await ${hanging}; export default {};`].map((body) =>
      tenon(["describe"], { cwd: config(body) }),
    ),
  );
  expect(app!.err).toMatch(/^error config_load .*could not make its app: it waits for something that never comes/);
  expect(file!.err).toMatch(/^error config_load .*could not be loaded: it waits for something that never comes/);
  expect([app!.code, file!.code]).toEqual([3, 3]);
});

const faulty = `
  import { Agent, createApp } from "tenon";
  import { offlineModel } from "tenon/models";
  @Agent({ name: "no name", description: "", modle: "x" })
  class Solo {}
  export default { app: () => createApp(Solo, { models: { default: offlineModel() } }) };
`;

test("an app that cannot be assembled ends with 3 and every fault", async () => {
  const cwd = config(faulty);
  const { code, err } = await tenon(["chat", "hello"], { cwd });
  expect(err).toMatch(/^error assembly_error /);
  for (const fault of ["no name", "description", "modle"]) expect(err).toContain(fault);
  expect(code).toBe(3);
});

test("with --json an error is one object; with --verbose it has its stack", async () => {
  const cwd = config(faulty);
  const { code, out, err } = await tenon(["--verbose", "describe", "--json"], { cwd });
  const { error } = JSON.parse(out);
  expect(error.code).toBe("assembly_error");
  expect(error.data.violations.length).toBeGreaterThan(2);
  expect(err).toMatch(/^ +at /m);
  expect(code).toBe(3);
});

const soloApp = `
  import { Agent, createApp } from "tenon";
  import { offlineModel } from "tenon/models";
  @Agent({ name: "solo", description: "Alone." })
  export class Solo {}
  export const app = () => createApp(Solo, { models: { default: offlineModel() } });
`;

describe("what may be exported", () => {
  const cases: readonly [string, Readonly<Record<string, string>>][] = [
    ["src/app.ts: a function", { "src/app.ts": `${soloApp} export default app;` }],
    ["src/app.ts: a promise of an app", { "src/app.ts": `${soloApp} export default app();` }],
    ["a configuration with a promise of an app", { "tenon.config.ts": `${soloApp} export default { app: app() };` }],
    ["a promise of a configuration", { "tenon.config.ts": `${soloApp} export default Promise.resolve({ app });` }],
    [
      "JavaScript, which has no decorators",
      { "tenon.config.mjs": 'import { app } from "./app.ts"; export default { app };', "app.ts": soloApp },
    ],
    ["CommonJS", { "tenon.config.ts": `${soloApp} export default { app };`, "package.json": "{}" }],
  ];
  test.each(cases)("%s", async (_title, files) => {
    const cwd = emptyProject({ "package.json": '{"type":"module"}', "tsconfig.json": legacy, ...files });
    const { code, out, err } = await tenon(["describe"], { cwd });
    expect(err).toBe("");
    expect(out).toMatch(/^solo {2}\S*offline/);
    expect(code).toBe(0);
  });
});

test("what was compiled is kept: the next command of the project needs no compiler", async () => {
  const cwd = config(`${soloApp} export default { app };`, { "tmp/x": "", "no-compiler": "#!/bin/sh\nexit 1\n" });
  chmodSync(join(cwd, "no-compiler"), 0o700);
  const env = { TMPDIR: join(cwd, "tmp") };
  const without = { ...env, ESBUILD_BINARY_PATH: join(cwd, "no-compiler") };
  expect((await tenon(["describe"], { cwd, env: without })).code).toBe(3);
  expect((await tenon(["describe"], { cwd, env })).code).toBe(0);
  expect(await tenon(["describe"], { cwd, env: without })).toMatchObject({ code: 0, err: "" });
});

test("the nearest configuration counts, and its own tsconfig: legacy decorators stay legacy", async () => {
  const inner = soloApp
    .replace('import { Agent, createApp } from "tenon";', 'import { Agent, createApp, inject, Tool } from "tenon";')
    .replace(
      "@Agent({ name",
      `export class Dep {}
     @Tool({ name: "uses_dep", description: "Needs a parameter decorator." })
     export class Uses { constructor(@inject(Dep) readonly dep: Dep) {} run() { return 1; } }
     @Agent({ tools: [Uses], name`,
    );
  const cwd = config("throw new Error('the outer one');", {
    "tsconfig.json": "{}",
    "inner/tenon.config.ts": `${inner} export default { app };`,
    "inner/tsconfig.json": legacy,
    "inner/deep/er/x.txt": "",
  });
  const { code, out, err } = await tenon(["describe"], { cwd: `${cwd}/inner/deep/er` });
  expect(err).toBe("");
  expect(out).toContain("· uses_dep (read, local) ← Dep");
  expect(code).toBe(0);
});

test("what is written wrongly ends with 2", async () => {
  const cwd = notesProject();
  const wrong = [
    ["describe", "--nope"],
    ["nope"],
    ["run"],
    ["chat", " "],
    ["chat", "--thread", "a", "--new", "hi"],
    ["run", "hi", "--metadata", "[1]"],
    ["chat"],
  ];
  const ended = await tenonEach({ cwd }, ...wrong);
  for (const [index, args] of wrong.entries()) {
    const { code, out, err } = ended[index]!;
    expect({ args, code, out }).toEqual({ args, code: 2, out: "" });
    expect(err).not.toBe("");
  }
  expect(await tenon(["describe", "--nope"], { cwd })).toEqual(ended[0]);
});

test("--help has the exit codes, --version the version", async () => {
  const cwd = emptyProject();
  const [help, described] = await tenonEach({ cwd }, ["--help"], ["describe", "--help"]);
  expect(help.out).toMatch(/Exit codes:[^]* 4 +the run waits for a decision, also after Ctrl-C at its question/);
  expect(help.code).toBe(0);
  expect(described.out.replace(/\s+/g, " ")).toContain("a model must be named (offlineModel() counts)");
  const version = await tenon(["--version"], { cwd });
  expect(version).toMatchObject({ code: 0, out: "0.1.0\n" });
});

test("what is loaded early is what `tenon` itself would load, in the form that it imports", () => {
  const tenonItself = createRequire(import.meta.url).resolve("tenon");
  const ofModels = [{ TENON_MODEL: "a/b" }, { TENON_MODEL: "m", TENON_BASE_URL: "http://127.0.0.1:1" }].map(modelPeers);
  expect(ofModels.map(([name]) => name)).toEqual(["@openrouter/ai-sdk-provider", "@ai-sdk/openai-compatible"]);
  expect([{}, { TENON_MODEL: "" }].flatMap(modelPeers)).toEqual([]);
  const early = [...VALIDATOR, ...CLIENT_PEERS, ...SERVER_PEERS, ...ofModels.flat()];
  expect(early).toHaveLength(10);
  // Only Node itself says what an `import` there would load.
  const imports = `console.log(JSON.stringify(${JSON.stringify(early)}.map((name) => import.meta.resolve(name))))`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", imports], {
    cwd: dirname(tenonItself),
    encoding: "utf8",
  });
  expect(early.map((name) => pathToFileURL(importedPath(tenonItself, name)).href)).toEqual(JSON.parse(said));
});

test("where a project throws is told by the lines of its TypeScript", async () => {
  const cwd = config(`interface Long {
  readonly words: string;
}
export default {
  app: (): Long => {
    throw new Error("no app today");
  },
};
`);
  const { code, err } = await tenon(["--verbose", "describe"], { cwd });
  expect(code).toBe(3);
  expect(err).toMatch(/tenon\.config\.ts:6:\d+/);
});
