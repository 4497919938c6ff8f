import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { save } from "./notes-run.js";
import { startTenon, tenon, tenonEach, type Ended } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

/** The lease of a process that is gone (600 ms) holds its runs: most commands that came before its end would come in vain. */
const leaseIsOver = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 650));
const json = ({ out }: Ended): any => JSON.parse(out);

test("runs are listed newest first, by thread and state, and one is shown with its calls", async () => {
  const cwd = notesProject({ go: "" });
  const empty = await tenon(["runs"], { cwd });
  expect(empty).toMatchObject({ code: 0, out: `no runs · store: sqlite ${cwd}/.tenon/tenon.db\n` });
  const [, , , listed, ofThread, first, waiting] = await tenonEach(
    { cwd },
    ["run", "--thread", "a", "call slow_read"],
    ["run", "--thread", "b", "--owner", "ann", "--metadata", '{"ticket":7}', save("milk\u001b[2J")],
    ["run", "--thread", "a", "fail"],
    ["runs"],
    ["runs", "--thread", "a", "--status", "failed", "completed", "--json"],
    ["runs", "list", "--limit", "1", "--json"],
    ["runs", "--status", "paused", "--json"],
  );
  expect(listed.out).toMatch(
    /^\S+ {2}failed {2}\d{4}-\S+Z · notes · thread a · fail\n\S+ {2}paused .*thread b · call note_save .*\n\S+ {2}completed .*thread a · call slow_read\n$/,
  );
  expect(listed).toMatchObject({ code: 0, err: "" });
  const { runs } = json(ofThread);
  expect(runs).toMatchObject([
    { threadId: "a", status: "failed", stopReason: "error", agent: "notes", prompt: "fail" },
    { threadId: "a", status: "completed", stopReason: "answer" },
  ]);
  expect(json(first).runs).toEqual([runs[0]]);
  const [{ id }] = json(waiting).runs;

  const [failed, done, paused, plain] = await tenonEach(
    { cwd },
    ["runs", "show", runs[0].id],
    ["runs", "show", runs[1].id],
    ["runs", "show", id],
    ["runs", "show", id, "--json"],
  );
  expect(failed.out).toMatch(/\nasked: fail\nturn 1 · echo · failed\n.*\nfailed model_error .*out of order/);
  expect(done.out).toMatch(
    /^\S+ {2}completed\nnotes · thread a · began \S+Z · ended \S+Z\nasked: call slow_read\nturn 1 · echo · stop\n {2}→ slow_read \{\}\n {2}← slow_read ok "read it"\nturn 2 · echo · stop\nanswer: got .*\ncost: \$0 \(free model\) · 14 tokens in, 6 out · 2 model calls, 1 tool call\n$/,
  );
  expect(paused.out).toContain('metadata {"ticket":7}\n');
  expect(paused.out).toContain("no result is recorded\nnotes asks: Run note_save?");
  expect(paused.out).toContain("npx tenon chat --thread b --owner ann\n");
  expect(paused.out).not.toContain("\u001b");
  expect(json(plain)).toMatchObject({
    id,
    owner: "ann",
    metadata: { ticket: 7 },
    turns: [{ turn: 1, calls: [{ tool: "note_save", input: { text: "milk\u001b[2J" } }] }],
    pauses: [{ runId: id, tool: "note_save" }],
    usage: { modelCalls: 1, toolCalls: 0 },
  });
});

test("a run that waits is canceled: its tool never runs, and it stays canceled", async () => {
  const cwd = notesProject();
  const { runId } = json(await tenon(["run", "--thread", "a", "--json", save("milk")], { cwd }));
  const canceled = await tenon(["runs", "cancel", runId], { cwd });
  expect(canceled).toEqual({ code: 0, err: "", out: `${runId}  cancelled · thread a\n` });
  const [again, next] = await tenonEach(
    { cwd },
    ["runs", "cancel", runId, "--json"],
    ["run", "--thread", "a", "hello"],
  );
  expect(json(again)).toMatchObject({ runId, status: "cancelled" });
  expect(next.code).toBe(0);
  expect(existsSync(join(cwd, "effects.txt"))).toBe(false);
});

test("a run of another process is canceled, which ends that process's command too", async () => {
  const cwd = notesProject();
  const running = startTenon(["run", "--json", "call slow_read"], { cwd });
  while (!existsSync(join(cwd, "starts.txt"))) await new Promise((resolve) => setTimeout(resolve, 20));
  const [{ id }] = json(await tenon(["runs", "--status", "running", "--json"], { cwd })).runs;
  expect((await tenon(["runs", "cancel", id], { cwd })).out).toMatch(/cancelled/);
  const ended = await running.ended;
  expect(json(ended)).toMatchObject({ runId: id, status: "cancelled" });
  expect(ended.code).toBe(130);
});

test("recover continues what a killed process left, and says where a run now waits", async () => {
  const cwd = notesProject();
  expect(await tenon(["recover"], { cwd })).toEqual({ code: 0, err: "", out: "nothing to recover\n" });
  const killed = startTenon(["run", "--thread", "a", `call slow_read && ${save("milk")}`], { cwd });
  while (!existsSync(join(cwd, "starts.txt"))) await new Promise((resolve) => setTimeout(resolve, 20));
  const [held, list, same] = await tenonEach({ cwd }, ["recover"], ["runs", "--json"], ["recover", "--json"]);
  expect(held.out).toMatch(/^\S+ {2}held by the process that works on it;.*lease is over\n$/);
  const [{ id }] = json(list).runs;
  expect(json(same)).toEqual({ continued: [], skipped: [], held: [id] });
  killed.process.kill("SIGKILL");
  await killed.ended;
  writeFileSync(join(cwd, "go"), "");
  await leaseIsOver();
  let recovered: Ended;
  do recovered = await tenon(["recover", "--json"], { cwd });
  while (json(recovered).continued.length === 0);
  expect(json(recovered)).toMatchObject({ continued: [{ threadId: "a", status: "paused" }], skipped: [] });
  expect(recovered.code).toBe(4);
  const starts = readFileSync(join(cwd, "starts.txt"), "utf8").trimEnd().split("\n");
  expect(starts).toHaveLength(2);
  expect(new Set(starts).size).toBe(1);
  expect((await tenon(["recover"], { cwd })).out).toBe("nothing to recover\n");
});

test("a run that cannot be continued is left as it is, and told: exit code 1", async () => {
  const cwd = notesProject();
  const running = startTenon(["run", "call slow_read"], { cwd });
  while (!existsSync(join(cwd, "starts.txt"))) await new Promise((resolve) => setTimeout(resolve, 20));
  running.process.kill("SIGKILL");
  await running.ended;
  await leaseIsOver();
  const source = readFileSync(join(cwd, "src/notes.ts"), "utf8");
  writeFileSync(join(cwd, "src/notes.ts"), source.replace('name: "notes", description', 'name: "other", description'));
  let report: Ended;
  do report = await tenon(["recover"], { cwd });
  while (report.out.includes("held by the process"));
  expect(report.out).toMatch(/^\S+ {2}left as it is: \S+ .*agent is no longer there.*notes/);
  expect(report.code).toBe(1);
});

test("what is written wrongly ends with 2, a run that is not there with 1", async () => {
  const cwd = notesProject();
  const flags = [
    ["--limit", "0"],
    ["--limit", "x"],
    ["--status", "done"],
    ["shoow"],
    ["show"],
    ["cancel", "--now", "x"],
  ];
  const [absent, canceled, ...wrong] = await tenonEach(
    { cwd },
    ["runs", "show", "nope"],
    ["runs", "cancel", "nope", "--json"],
    ...flags.map((words) => ["runs", ...words]),
  );
  expect(wrong.map(({ code, out }) => ({ code, out }))).toEqual(flags.map(() => ({ code: 2, out: "" })));
  expect(absent).toMatchObject({ code: 1, out: "" });
  expect(absent.err).toMatch(/^error run_not_found .*nope/);
  expect(json(canceled)).toMatchObject({ error: { code: "run_not_found" } });
  expect(canceled.code).toBe(1);
});
