import { expect, test } from "vitest";
import { onTerminal, tenon } from "./run-cli.js";
import { clerkProject } from "./clerk-project.js";
import { emptyProject, notesProject } from "./temp-project.js";

test("shows agents, tools, what nobody lists, the store and the limits", async () => {
  const cwd = notesProject();
  const { code, out, err } = await tenon(["describe"], { cwd });
  expect(err).toBe("");
  expect(out).toBe(`notes  echo · thinking default · history 5 turns
  · note_save (write, local, waits for approval) ← NOTES_FILE — Save a note for the user.
  · slow_read (read, local) — Read something that is there once the file \`go\` is.
idle  echo · thinking default · history 1 turn
  · no tools
unassigned tools: spare_tool (src/tools/spare.ts)
store: sqlite ${cwd}/.tenon/tenon.db
limits: none
`);
  expect(code).toBe(0);
});

test("says when a person is asked, what is durable, and what a crash means where that is not the usual", async () => {
  const { out } = await tenon(["describe"], { cwd: clerkProject() });
  for (const line of [
    "· transfer (write, local, may wait for approval) ← EFFECTS_FILE",
    "· ask_color (read, local) — ",
    "· slow_write (write, local) ← ",
    "· slow_peek (read, local, waits for approval) — ",
    "· send_line (write, local, runs again when in doubt) — ",
    "· long_job (write, local, waits for approval, durable) — ",
    "· peek_once (read, local, asks a person when in doubt) — ",
  ])
    expect(out).toContain(line);
});

test("gives the same as JSON, from a folder below the project too", async () => {
  const cwd = notesProject();
  const { code, out } = await tenon(["describe", "--json"], { cwd: `${cwd}/src/tools` });
  const description = JSON.parse(out);
  expect(description).toMatchObject({
    workflow: "notes",
    store: { kind: "sqlite", location: `${cwd}/.tenon/tenon.db` },
  });
  expect(description.agents[0].tools[0]).toMatchObject({
    name: "note_save",
    access: "write",
    approval: true,
    deps: ["NOTES_FILE"],
  });
  expect(description.agents[0].tools[0].inputSchema.properties.text.description).toBe("The note");
  expect(description.unassigned).toEqual({
    folder: "src/tools",
    tools: [{ name: "spare_tool", file: "src/tools/spare.ts" }],
    faults: [],
  });
  expect(code).toBe(0);
});

test("shows a file of the tools folder that throws, and goes on", async () => {
  const cwd = notesProject({
    "src/tools/more/spare.test.ts": 'throw new Error("a test is not imported");\n',
    "src/tools/broken.ts": 'import "./not-there.js";\n',
    "src/tools/faulty.ts":
      'import { defineTool } from "tenon";\nexport const bad = defineTool({ name: "no good", description: "", run: () => 1 });\n',
  });
  const { code, out } = await tenon(["describe"], { cwd });
  expect(out).toMatch(/^ {2}! src\/tools\/broken\.ts: .*not-there/m);
  expect(out).toMatch(/^ {2}! src\/tools\/faulty\.ts: .*no good/m);
  expect(out.match(/^ {2}!/gm)).toHaveLength(2);
  expect(out).toContain("unassigned tools: spare_tool");
  expect(code).toBe(0);
});

test("names tools of the interface form, also where they are constructed with stand-ins", async () => {
  const cwd = notesProject({
    "src/tools/more.ts": `
      import { token } from "tenon";
      import { decorator, type ITool } from "tenon/itool";
      const WORD = token<string>("WORD");
      @decorator.tool({ deps: [WORD] })
      export class Say implements ITool {
        constructor(private readonly word: string) {}
        getName = (): string => "say_it";
        getDescription = (): string => "Says it.";
        handler = (): string => this.word;
      }
      @decorator.tool({ deps: [WORD] })
      export class Eager implements ITool {
        readonly length: number;
        constructor(word: string) {
          this.length = word.length;
        }
        getName = (): string => "eager";
        getDescription = (): string => "Is eager.";
        handler = (): number => this.length;
      }
    `,
  });
  const { code, out } = await tenon(["describe"], { cwd });
  expect(out).toContain("unassigned tools: say_it (src/tools/more.ts), spare_tool (src/tools/spare.ts)");
  expect(out).toMatch(/^ {2}! src\/tools\/more\.ts: .*Eager.*the constructor uses WORD/m);
  expect(code).toBe(0);
});

const oneAgent = (options: string): string => `
  import { Agent, createApp } from "tenon";
  @Agent({ name: "solo", description: "Alone." })
  class Solo {}
  export default { app: () => createApp(Solo, { ${options} }) };
`;
const legacy = JSON.stringify({
  compilerOptions: { target: "ES2022", module: "NodeNext", experimentalDecorators: true },
});

test("needs no key and no network, and says that memory is gone with the process", async () => {
  const cwd = emptyProject({
    "tenon.config.ts": oneAgent(""),
    "tsconfig.json": legacy,
    "package.json": '{"type":"module"}',
  });
  const { code, out } = await tenon(["describe"], {
    cwd,
    env: { TENON_MODEL: "some/model", TENON_BASE_URL: "https://127.0.0.1:1/v1" },
  });
  expect(out).toBe(
    "solo  some/model (free: served on this machine) · thinking default · history 5 turns\n  · no tools\nunassigned tools: none\nstore: memory — gone with the process\nlimits: none\n",
  );
  expect(code).toBe(0);
});

test("says which models count as free here, and all limits in one style with what happens at them", async () => {
  const limits = (more: string): string => `
    import { createApp, defineAgent, defineWorkflow, usd } from "tenon";
    const solo = defineAgent({ name: "solo", description: "Alone.", model: ["local-7b", "own"], limits: { tokens: 9 } });
    const limits = { perRun: { cost: usd(0.25), modelCalls: 1, wallTimeMs: 5000 }, perDay: { workflow: { cost: usd(100) }, owner: { tokens: 500, toolCalls: 5 } }${more} };
    export default { app: () => createApp(defineWorkflow({ name: "w", agents: [solo], limits }), { prices: { own: { input: usd(1), output: usd(1) } } }) };
  `;
  const all =
    "limits: a run costs at most 0.25 USD · a run makes at most 1 model call · solo in a run takes at most 9 tokens · a day of an owner takes at most 500 tokens · a day costs at most 100 USD · a day of an owner makes at most 5 tool calls · a run is active at most 5000 ms";
  const env = { TENON_BASE_URL: "http://127.0.0.1:1/v1" };
  const cwd = emptyProject({ "tenon.config.mjs": limits(""), "package.json": '{"type":"module"}' });
  const { out } = await tenon(["describe"], { cwd, env });
  expect(out).toContain("solo  local-7b (free: served on this machine), else own · thinking");
  expect(out).toContain(`${all}\n`);
  const more = ', atLimit: "ask", reserve: "usual", reserveWaitMs: 20000';
  const other = emptyProject({ "tenon.config.mjs": limits(more), "package.json": '{"type":"module"}' });
  expect((await tenon(["describe"], { cwd: other, env })).out).toContain(
    `${all} · at a limit of cost, tokens or model calls a person is asked · reserves as usual · a call waits at most 20000 ms for what others have reserved\n`,
  );
});

test("a model must be named: the error names one that needs no key", async () => {
  const cwd = emptyProject({
    "tenon.config.ts": oneAgent(""),
    "tsconfig.json": legacy,
    "package.json": '{"type":"module"}',
  });
  const { code, err } = await tenon(["describe"], { cwd });
  expect(err).toMatch(/No model is named.*offlineModel\(\).*TENON_MODEL/s);
  expect(code).toBe(3);
});

test("colors on a terminal only, and not with NO_COLOR", async () => {
  const cwd = notesProject();
  const colored = await onTerminal(["describe"], { cwd }).ended;
  expect(colored.out).toContain("\u001b[1mnotes\u001b[22m");
  const plain = await onTerminal(["describe"], { cwd, env: { NO_COLOR: "1" } }).ended;
  expect(plain.out).not.toContain("\u001b[");
  expect(plain.out).toContain("notes  echo");
});
