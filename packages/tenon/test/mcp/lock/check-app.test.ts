import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createApp, defineAgent, defineWorkflow, provide, SchemaError, type App } from "tenon";
import {
  acceptMcp,
  checkMcp,
  listMcpTools,
  lockFileFrom,
  McpServer,
  McpServerClient,
  mcpTools,
  pinMcpTools,
  type McpReport,
} from "tenon/mcp";
import { offlineModel } from "tenon/models";
import { expect, onTestFinished, test } from "vitest";

const listServer = resolve(import.meta.dirname, "../../../../cli/test/fixtures/mcp/tools-server.mjs");
const greet = { name: "greet", description: "Greet.", inputSchema: { type: "object" } };

/** A server whose tools stand in a file, and an app that has them. */
function greeter(tools: readonly object[]) {
  const folder = mkdtempSync(join(tmpdir(), "tenon-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const list = join(folder, "tools.json");
  const lockFile = join(folder, "tenon.lock.json");
  writeFileSync(list, JSON.stringify(tools));
  const place = { name: "greeter", command: process.execPath, args: [listServer, list] };
  @McpServer({ ...place, tools: ["greet"], lockFile })
  class Greeter extends McpServerClient {}
  const make = (provided?: object): Promise<App> => {
    const solo = defineAgent({ name: "solo", description: "Alone.", tools: [...mcpTools(Greeter)] });
    const providers = provided === undefined ? [] : [provide(Greeter, { useValue: provided as Greeter })];
    const workflow = defineWorkflow({ name: "all", agents: [solo], providers });
    return createApp(workflow, { models: { default: offlineModel() } });
  };
  return { folder, list, lockFile, place, make };
}

test("an app itself is checked too, and stays open; one that was made for it is closed", async () => {
  const { list, lockFile, make } = greeter([greet]);
  let made: App | undefined;
  expect(await acceptMcp(async () => (made = await make()))).toMatchObject({ accepted: true, ok: false });
  await expect(made!.run({ prompt: "hello" })).rejects.toThrow(/closed/);
  await using app = await make();
  expect(await checkMcp(app)).toEqual({
    ok: true,
    servers: [
      {
        server: "greeter",
        lockFile,
        tools: [{ tool: "greet", standing: "accepted", differences: [] }],
        unused: [],
        faults: [],
      },
    ],
  });
  writeFileSync(list, JSON.stringify([{ ...greet, description: "Other." }]));
  expect(await checkMcp(app)).toMatchObject({
    ok: false,
    servers: [{ tools: [{ standing: "changed", differences: ['description: "Greet." → "Other."'] }] }],
  });
  expect(app.describe().agents).toHaveLength(1);
});

test("what confirm refuses is not written, and what it saw is what is written", async () => {
  const { list, lockFile, make } = greeter([greet]);
  await expect(acceptMcp(make, { server: "greeter", tools: ["leap"] })).rejects.toThrow(
    /not declared with this tool: "leap". It is declared with greet/,
  );
  expect(await acceptMcp(make, { confirm: () => false })).toMatchObject({ accepted: false });
  expect(existsSync(lockFile)).toBe(false);
  // Whatever the server says meanwhile, nobody has seen.
  const confirm = () => {
    writeFileSync(list, JSON.stringify([{ ...greet, description: "Changed in between." }]));
    return true;
  };
  expect(await acceptMcp(make, { confirm })).toMatchObject({ accepted: true });
  expect(readFileSync(lockFile, "utf8")).toContain('"description": "Greet."');
});

test("who is asked sees all that a new tool and a changed one say, to the end", async () => {
  const padding = "and so on ".repeat(500);
  const late = `Greet kindly. ${padding}LATE-DESCRIPTION`;
  const properties = { name: { type: "string", description: `${padding}LATE-MEMBER` } };
  const told = { description: late, inputSchema: { type: "object", properties } };
  const seen: string[] = [];
  const confirm = ({ servers }: McpReport) => (seen.push(JSON.stringify(servers)), true);
  const { list, make } = greeter([{ ...greet, ...told }]);
  await acceptMcp(make, { confirm });
  writeFileSync(
    list,
    JSON.stringify([{ ...greet, ...told, description: `Greet well. ${padding}WORSE ${padding}END` }]),
  );
  await acceptMcp(make, { confirm });
  const wide = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`k${i}`, { description: `${padding}LATE-${i}` }]),
  );
  writeFileSync(list, JSON.stringify([{ ...greet, ...told, inputSchema: { type: "object", properties: wide } }]));
  await acceptMcp(make, { confirm });
  expect(seen).toHaveLength(3);
  expect(seen[0]).toContain("LATE-DESCRIPTION");
  expect(seen[0]).toContain("LATE-MEMBER");
  expect(seen[1]).toContain("WORSE");
  expect(seen[1]).toContain("END");
  expect(seen[2]).toContain("LATE-49");
});

test("a tool that is too deep is not accepted, and nothing is written; a listing leaves it out", async () => {
  let schema: object = {};
  for (let i = 0; i < 120; i++) schema = { x: schema };
  const { folder, lockFile, place, make } = greeter([
    { ...greet, inputSchema: { type: "object", properties: schema } },
  ]);
  await expect(acceptMcp(make)).rejects.toThrow(SchemaError);
  expect(existsSync(lockFile)).toBe(false);
  expect(await listMcpTools(place, {})).toEqual({
    tools: [],
    faults: ['The tool "greet" cannot be pinned: inputSchema has more than 100 levels.'],
  });
  expect(lockFileFrom(folder)).toBe(lockFile);
  expect(await pinMcpTools("greeter", [], folder)).toBe(lockFile);
  expect(existsSync(lockFile)).toBe(false);
});

test("what stands in for a server is not asked, and no app is told so", async () => {
  const { make } = greeter([greet]);
  await using app = await make({ call: () => Promise.resolve({}) });
  expect(await checkMcp(app)).toEqual({ ok: true, servers: [] });
  await expect(checkMcp({} as App)).rejects.toThrow("This is no app");
  await expect(acceptMcp(app, { tools: ["greet"] })).rejects.toThrow("Tools are accepted of one server");
  await expect(listMcpTools({ name: "x" }, {})).rejects.toThrow(/neither command nor url/);
});
