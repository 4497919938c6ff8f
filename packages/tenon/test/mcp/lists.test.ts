import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toolTextFault } from "../../src/mcp/lock/tool-text.js";
import { connectionInTest } from "./connections.js";
import { temporaryFile } from "./temporary-file.js";

const names = (items: readonly unknown[]): string[] => items.map((item) => (item as { name: string }).name);

test("[B85] all pages of tools are read", async () => {
  const server = connectionInTest("hostile/bad-lists.mjs", ["pages"]);
  expect(names(await server.tools())).toEqual(["t0", "t1", "t2", "t3", "t4", "t5"]);
});

test.each([
  ["repeats", "was there before"],
  ["endless", "more than 100 pages"],
  ["none", "no list of tools"],
  ["crowded", "more than 10000 tools"],
])("a list that %s is an error, and no loop", async (kind, said) => {
  const server = connectionInTest("hostile/bad-lists.mjs", [kind]);
  await expect(server.tools()).rejects.toMatchObject({
    message: expect.stringContaining(said) as string,
    data: { reason: "unreadable" },
  });
});

test("what is no tool, and a name that stands there twice, is left out and told", async () => {
  const server = connectionInTest("hostile/bad-lists.mjs", ["strange"]);
  expect(await server.tools()).toEqual([
    { name: "good", description: "Kept.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  ]);
  const faults = await server.faults();
  expect(faults).toHaveLength(9);
  for (const said of [
    '"twice" is listed more than once',
    "Entry 4 of the list has no name",
    '"no-object" has no inputSchema',
  ])
    expect(faults.join("\n")).toContain(said);
});

test("of a list of rubbish the first faults are told, and how many more there are", async () => {
  const server = connectionInTest("hostile/bad-lists.mjs", ["rubbish"]);
  expect(names(await server.tools())).toEqual(["good"]);
  const faults = await server.faults();
  expect(faults).toHaveLength(21);
  expect(faults.at(-1)).toBe("and 4980 more entries of the list cannot be used.");
});

test("a schema that is nested too deep for any reader spoils its own tool only, which cannot be pinned", async () => {
  const server = connectionInTest("hostile/bad-lists.mjs", ["deep"]);
  const [good, deep] = await server.tools();
  expect([good!.name, deep!.name]).toEqual(["good", "deep"]);
  expect(toolTextFault(good!)).toBeUndefined();
  expect(toolTextFault(deep!)).toBe("inputSchema has more than 100 levels");
});

test("nothing is started before the first use, and two first uses start one program", async () => {
  const starts = temporaryFile();
  const server = connectionInTest("hostile/bad-lists.mjs", ["pages", starts]);
  expect(existsSync(starts)).toBe(false);
  const [first, second] = await Promise.all([server.tools(), server.tools()]);
  expect(second).toBe(first);
  expect(server.tools()).toBe(first);
  expect(readFileSync(starts, "utf8")).toBe("started\n");
});

test("[B87] a server of the newest revision says that its tools changed, and they are listed again", async () => {
  const server = connectionInTest("modern-server.mjs");
  const before = await server.tools();
  expect(names(before)).toContain("gone");
  expect(server.tools()).toBe(before);
  await server.call("change", {});
  await expect.poll(async () => names(await server.tools())).not.toContain("gone");
  const after = await server.tools();
  expect(names(after)).toContain("came");
  expect(server.tools()).toBe(after);
  await expect(server.call("gone", {})).rejects.toMatchObject({ code: "mcp_refused" });
});
