import { join } from "node:path";
import { createApp, defineAgent } from "tenon";
import { sqliteStore } from "tenon/sqlite";
import { replyWith, scriptedModel } from "tenon/testing";
import { expect, test } from "vitest";
import { tenon, tenonEach } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

const config = `import { createApp, defineAgent, usd } from "tenon";
import { priced } from "tenon/models";
import { sqliteStore } from "tenon/sqlite";
import { echoModel } from "./src/echo-model.js";

const notes = defineAgent({
  name: "notes",
  description: "Echoes.",
  model: priced(echoModel, { input: usd(1000), output: usd(1000) }),
});
export default {
  app: () => createApp(notes, { store: sqliteStore(".tenon/tenon.db"), ledger: true }),
};
`;

test("what runs cost is shown added up, as CSV and as JSON", async () => {
  const cwd = notesProject({ "tenon.config.ts": config });
  expect(await tenon(["ledger"], { cwd })).toMatchObject({ code: 0, out: "nothing is in the ledger\n" });
  const [, , shown, byOwner, asCsv, ofAnn] = await tenonEach(
    { cwd },
    ["run", "--owner", "ann", "hello"],
    ["run", "--owner", '=1+1,"x"', "hello"],
    ["ledger"],
    ["ledger", "--by", "owner", "--json"],
    ["ledger", "--by", "owner", "--csv"],
    ["ledger", "--entries", "--owner", "ann", "--json"],
  );
  const today = new Date().toISOString().slice(0, 10);
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toMatch(
    new RegExp(`^${today} {2}echo {2}\\$0\\.\\d+ {2}\\d+ tokens in, \\d+ out · 2 operations\\n$`),
  );

  const { sums } = JSON.parse(byOwner.out);
  expect(sums).toMatchObject([
    { owner: '=1+1,"x"', operations: 1 },
    { owner: "ann", operations: 1 },
  ]);
  const csv = asCsv.out.split("\r\n");
  expect(csv[0]).toMatch(/^owner,operations,inputTokens,outputTokens,/);
  expect(csv[1]).toMatch(/^"'=1\+1,""x""",1,/);
  expect(csv).toHaveLength(4);

  const { entries } = JSON.parse(ofAnn.out);
  expect(entries).toMatchObject([
    { owner: "ann", kind: "model", name: "echo", state: "settled", costSource: "price-table" },
  ]);
});

test("CSV has all columns, in one order, also of nothing; names that are missing are told", async () => {
  const cwd = notesProject({ "tenon.config.ts": config });
  const amounts =
    "operations,inputTokens,outputTokens,cachedInputTokens,cacheWriteTokens,reasoningTokens,costUsd,reservedUsd,estimated,unknown,overruns\r\n";
  const columns =
    "day,at,workflow,owner,agent,kind,name,runId,key,attempt,operations,state,inputTokens,outputTokens,cachedInputTokens,cacheWriteTokens,reasoningTokens,costNanoUsd,costSource,estimated,overrun\r\n";
  const by = ["--by", "owner", "tool", "model"];
  const [noSums, noEntries, nothing, , sums, shown, entries] = await tenonEach(
    { cwd },
    ["ledger", "--csv"],
    ["ledger", "--entries", "--csv"],
    ["ledger", "--entries"],
    ["run", "hello"],
    ["ledger", ...by, "--csv"],
    ["ledger", ...by],
    ["ledger", "--entries"],
  );
  expect(noSums.out).toBe(`day,model,${amounts}`);
  expect(noEntries.out).toBe(columns);
  expect(nothing.out).toBe("nothing is in the ledger\n");
  expect(sums.out).toMatch(/^owner,tool,model,operations,.*\r\n,,echo,1,/);
  expect(shown.out).toMatch(/^\(no owner\) {2}\(no tool\) {2}echo {2}\$/);
  expect(entries.out.startsWith(columns)).toBe(true);
  expect(entries.out).toMatch(/,notes,,notes,model,echo,[\w-]+,turn:1\/model,1,1,settled,/);
});

test("options that contradict each other are refused before anything is read", async () => {
  const cwd = notesProject({ "tenon.config.ts": "throw new Error('never loaded');" });
  const [both, by] = await tenonEach({ cwd }, ["ledger", "--csv", "--json"], ["ledger", "--entries", "--by", "day"]);
  for (const { code } of [both, by]) expect(code).toBe(2);
  expect(`${both.out}${both.err}`).toContain("--csv and --json do not go together");
  expect(`${by.out}${by.err}`).toContain("--entries and --by do not go together");
});

test("CSV has no formulas and no control characters", async () => {
  const starts = ["=", "+", "-", "@", "\t", "\n", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"];
  const owners = [...starts.map((start) => `${start}1+1`), "\r=2+2", "\u001b[31mred", "a=1", "'quoted", "two\nlines"];
  const cwd = notesProject({ "tenon.config.ts": config });
  const app = await createApp(
    defineAgent({
      name: "notes",
      description: "Answers.",
      model: scriptedModel(...owners.map(() => replyWith("yes"))),
    }),
    { store: sqliteStore(join(cwd, ".tenon/tenon.db")), ledger: true, env: {} },
  );
  for (const owner of owners) await app.run({ prompt: "hello" }, { owner });
  await app.close();
  const { out } = await tenon(["ledger", "--by", "owner", "--csv"], { cwd });
  const fields = out
    .split("\r\n")
    .slice(1, -1)
    .map((line) => /^("(?:[^"]|"")*"|[^,]*),1,/.exec(line)![1]);
  const shown = ["'=1+1", "'+1+1", "'-1+1", "'@1+1", "'\t1+1", '"\'\n1+1"', "'\\u000d1+1", "'\uff1d1+1", "'\uff0b1+1"];
  shown.push("'\uff0d1+1", "'\uff201+1", "'\\u000d=2+2", "\\u001b[31mred", "a=1", "'quoted", '"two\nlines"');
  expect(new Set(fields)).toEqual(new Set(shown));
  expect(fields).toHaveLength(shown.length);
});

test("amounts have no exponents", async () => {
  const tiny = config.replace("usd(1000), output: usd(1000)", "usd(0.001), output: usd(0.001)");
  const cwd = notesProject({ "tenon.config.ts": tiny });
  const [, shown, csv] = await tenonEach({ cwd }, ["run", "hello"], ["ledger"], ["ledger", "--csv"]);
  expect(shown.out).toMatch(/ {2}\$0\.0000000\d+ {2}/);
  expect(csv.out).toMatch(/,0\.0000000\d+,/);
});

test("what is asked wrongly is told", async () => {
  const cwd = notesProject({ "tenon.config.ts": config });
  const wrong = [
    [["--by", "week"], "week"],
    [["--day", "today"], "day must be a UTC day"],
    [["--day", "2026-12-01", "--to", "2026-12-02"], "`day` is one day"],
    [["--from", "2026-12-02", "--to", "2026-12-01", "--entries"], "`from` is later than `to`"],
    [["--model", "m", "--tool", "t"], "an entry is of a model or of a tool"],
  ] as const;
  const ended = await tenonEach({ cwd }, ...wrong.map(([args]) => ["ledger", ...args]));
  expect(ended).toHaveLength(5);
  for (const [index, { code, out, err }] of ended.entries()) {
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(wrong[index]![1]);
  }
});
