import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { files, listServer, read, tools } from "./g-mcp-project.js";
import { httpToolsServer } from "./http-tools-server.js";
import { hostileTools, schemaTools } from "./mcp-tool-lists.js";
import { tenon, tenonEach } from "./run-cli.js";
import { emptyProject } from "./temp-project.js";

const run = promisify(execFile);
const modules = resolve(import.meta.dirname, "../../../node_modules");
const publicServer = (name: string): string => join(modules, `@modelcontextprotocol/server-${name}/dist/index.js`);

const one = {
  name: "greet",
  description: "Greet.",
  inputSchema: { type: "object", properties: { name: { type: "string" } } },
};
const generate = ["g", "mcp", "greeter", "--command", "node", "--", listServer, "tools.json"];
interface Made {
  readonly tools: readonly { readonly tool: string; readonly className: string; readonly file: string }[];
  readonly notes: readonly string[];
}

/** An app whose agents have all tools that were generated. */
function appOf(made: Readonly<Record<string, Made>>): string {
  const servers = Object.entries(made);
  const imports = servers.flatMap(([server, { tools: all }]) =>
    all.map(
      ({ className, file }) =>
        `import { ${className} as ${server}${className} } from "./mcp/${server}/${file.replace(/ts$/, "js")}";`,
    ),
  );
  const agents = servers.map(
    ([server, { tools: all }]) =>
      `defineAgent({ name: "${server}", description: "Has all.", tools: [${all.map(({ className }) => server + className).join(", ")}] })`,
  );
  return `import { createApp, defineAgent, defineWorkflow } from "tenon";
import { offlineModel } from "tenon/models";
${imports.join("\n")}
const all = defineWorkflow({ name: "all", agents: [${agents.join(", ")}] });
export default () => createApp(all, { models: { default: offlineModel() } });
`;
}

/** A program in which generated classes call the real server of files. */
function callsOf(folder: string): string {
  const file = JSON.stringify(join(folder, "note.txt"));
  return `import make from "./app.js";
import { ReadTextFile } from "./mcp/filesystem/read-text-file.js";
import { WriteFile } from "./mcp/filesystem/write-file.js";
await using app = await make();
await app.tool(WriteFile).invoke({ path: ${file}, content: "bye" });
console.log("read", JSON.stringify(await app.tool(ReadTextFile).invoke({ path: ${file} })));
`;
}

test("what is generated compiles strictly and passes its own tests: public servers, every kind of schema, a hostile server", async () => {
  const lists = { "hostile.json": JSON.stringify(hostileTools), "schemas.json": JSON.stringify(schemaTools) };
  const cwd = emptyProject({ ...files, ...lists });
  const url = await httpToolsServer(schemaTools.slice(0, 2), "Bearer tulip");
  const env = { WEB_AUTH: "Bearer tulip" };
  const program = ["--command", "node", "--"];
  const servers: Readonly<Record<string, readonly string[]>> = {
    everything: [...program, publicServer("everything")],
    filesystem: [...program, publicServer("filesystem"), cwd],
    memory: [...program, publicServer("memory")],
    schemas: [...program, listServer, "schemas.json"],
    hostile: [...program, listServer, "hostile.json"],
    web: ["--url", url, "--header", "authorization=WEB_AUTH"],
  };
  // All at once: one lock file is written by six processes.
  const made = Object.fromEntries(
    await Promise.all(
      Object.entries(servers).map(async ([name, args]) => {
        const { code, out, err } = await tenon(["g", "mcp", name, "--json", ...args], { cwd, env });
        expect({ code, err }).toEqual({ code: 0, err: "" });
        return [name, JSON.parse(out) as Made] as const;
      }),
    ),
  );
  writeFileSync(join(cwd, "src/app.ts"), appOf(made));
  const described = await tenon(["describe", "--json"], { cwd, env });
  expect(described).toMatchObject({ code: 0, err: "" });
  writeFileSync(join(cwd, "src/calls.ts"), callsOf(cwd));
  const out = ["--noEmit", "false", "--rootDir", join(cwd, "src"), "--outDir", join(cwd, "out")];
  const tsc = [join(modules, "typescript/bin/tsc"), "-p", cwd, ...out];
  await run(process.execPath, tsc, { cwd }).catch(({ stdout }) => expect(stdout).toBe(""));
  const called = await run(process.execPath, ["out/calls.js"], { cwd, env: { ...process.env, ...env } });
  expect(called.stdout).toContain('read {"kind":"ok","value":{"content":"bye"}}');
  const counted = Object.values(made).reduce((sum, { tools: names }) => sum + names.length, 0);
  const vitest = [join(modules, "vitest/vitest.mjs"), "run", "--reporter=json", "--outputFile=report.json"];
  await run(process.execPath, vitest, { cwd }).catch(({ stdout, stderr }) => expect(`${stdout}${stderr}`).toBe(""));
  const report = JSON.parse(read(cwd, "report.json"));
  expect(report).toMatchObject({ success: true, numPassedTests: counted, numFailedTests: 0 });

  expect(made["everything"]!.tools).toHaveLength(13);
  expect(made["filesystem"]!.notes).toEqual([]);
  const names = (server: string): readonly string[] => made[server]!.tools.map(({ tool }) => tool);
  // Schemas that no check could be made of, and what is too deep to be pinned.
  const left = hostileTools.map(({ name }) => name).filter((name) => !names("hostile").includes(name));
  expect(left).toEqual(["proto", "circle", "too_deep", "bad_pattern", "elsewhere"]);
  const folder = join(cwd, "src/mcp/hostile");
  for (const name of readdirSync(folder)) {
    expect(name).toMatch(/^[a-z0-9-]+(\.test)?\.ts$/);
    expect(/[^\x20-\x7e\n\p{L}…]/u.exec(read(folder, name))).toBe(null);
  }
  const pinned = JSON.parse(read(cwd, "tenon.lock.json")).servers;
  expect(Object.keys(pinned)).toEqual(["everything", "filesystem", "hostile", "memory", "schemas", "web"]);
  const web = read(cwd, "src/mcp/web/web.ts");
  expect(web).toContain(
    'env: ["WEB_AUTH"],\n  headers: (_context, env) => ({ authorization: env["WEB_AUTH"] ?? "" }),',
  );
  expect(`${web}${read(cwd, "tenon.lock.json")}`).not.toContain("tulip");
  expect(Object.keys(pinned.hostile.tools).sort()).toEqual([...names("hostile")].sort());
});

test("a pattern that takes for ever keeps nobody waiting: what it would be tried on is told, or left out", async () => {
  const pattern = "^(a+)+$";
  const long = `${"a".repeat(60)}!`;
  const text = { type: "string", pattern };
  const required = ["a"];
  const cwd = emptyProject(
    tools([
      { ...one, inputSchema: { type: "object", properties: { a: { ...text, default: long } } } },
      {
        ...one,
        name: "shown",
        inputSchema: { type: "object", properties: { a: { ...text, examples: [long] } }, required },
      },
      {
        ...one,
        name: "inner",
        inputSchema: { type: "object", properties: { a: { allOf: [text], enum: [long] } }, required },
      },
    ]),
  );
  const { code, err } = await tenon(generate, { cwd });
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(read(cwd, "src/mcp/greeter/greet.ts")).toContain(`prompt: "Default: \\"${long}\\""`);
  for (const file of ["shown", "inner"])
    expect(read(cwd, `src/mcp/greeter/${file}.test.ts`)).toContain("an input that does not fit");
});

test("files that somebody changed are never replaced without --force, and then nothing is written at all", async () => {
  const cwd = emptyProject(tools([one]));
  const first = await tenon(generate, { cwd });
  expect(first.out).toMatch(
    /^new {6}src\/mcp\/greeter\/greeter\.ts\nnew {6}src\/mcp\/greeter\/greet\.ts\nnew {6}src\/mcp\/greeter\/greet\.test\.ts\npinned 1 in tenon\.lock\.json\n/,
  );
  const lock = read(cwd, "tenon.lock.json");
  writeFileSync(join(cwd, "src/mcp/greeter/greet.ts"), "// mine\n");
  writeFileSync(join(cwd, "tools.json"), JSON.stringify([one, { ...one, name: "wave" }]));
  const [refused, dry] = await tenonEach(
    { cwd },
    [...generate.slice(0, 3), "--json", ...generate.slice(3)],
    [...generate.slice(0, 3), "--dry-run", "--force", ...generate.slice(3)],
  );
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.out).error).toMatchObject({
    code: "files_exist",
    data: { files: ["src/mcp/greeter/greeter.ts", "src/mcp/greeter/greet.ts"] },
  });
  expect(read(cwd, "src/mcp/greeter/greet.ts")).toBe("// mine\n");
  expect(existsSync(join(cwd, "src/mcp/greeter/wave.ts"))).toBe(false);
  expect(read(cwd, "tenon.lock.json")).toBe(lock);

  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining("would pin 2 in tenon.lock.json") });
  expect(read(cwd, "src/mcp/greeter/greet.ts")).toBe("// mine\n");
  const forced = await tenon([...generate.slice(0, 3), "--force", ...generate.slice(3)], { cwd });
  expect(forced.out).toMatch(
    /replaced src\/mcp\/greeter\/greet\.ts\nsame {5}src\/mcp\/greeter\/greet\.test\.ts\nnew {6}src\/mcp\/greeter\/wave\.ts/,
  );
  expect(read(cwd, "src/mcp/greeter/greet.ts")).toContain("export class Greet");
});

test("variables are named and never written; what is missing or wrong is told before anything is started", async () => {
  const cwd = emptyProject(tools([one, { ...one, name: "wave" }]));
  const env = { GREETER_TOKEN: "tulip-secret" };
  const made = await tenon(
    [...generate.slice(0, 3), "--env", "GREETER_TOKEN", "--tools", "wave", ...generate.slice(3)],
    { cwd, env },
  );
  expect(made.code).toBe(0);
  const text = read(cwd, "src/mcp/greeter/greeter.ts");
  expect(text).toContain('env: ["GREETER_TOKEN"],\n  tools: ["wave"],');
  expect(`${made.out}${text}${read(cwd, "tenon.lock.json")}`).not.toContain("tulip");
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["--env", "GREETER_KEY", ...generate.slice(3)], /GREETER_KEY is not set/],
    [["--tools", "wave,leap", ...generate.slice(3)], /has no tool "leap". It has "greet", "wave"/],
    [[], /either `--command <program>` or `--url <address>`/],
    [["--url", "http://127.0.0.1:1/mcp", "--", "x"], /Arguments go with --command/],
    [["--url", "http://127.0.0.1:1/mcp", "--header", "authorization=Bearer abc"], /name=VARIABLE/],
    [["--url", "nowhere"], /url must be an address/],
  ];
  const [gone, ...ended] = await tenonEach(
    { cwd },
    ["g", "mcp", "gone", "--command", "node", "--", "gone.mjs"],
    ...wrong.map(([flags]) => [...generate.slice(0, 3), ...flags]),
  );
  for (const [index, [, message]] of wrong.entries()) {
    expect(ended[index]!.err).toMatch(message);
    expect(ended[index]!.code).toBe(2);
  }
  expect(gone.err).toMatch(/mcp_connection/);
  expect(gone.code).toBe(1);
});
