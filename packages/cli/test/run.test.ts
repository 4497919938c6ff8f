import { expect, test } from "vitest";
import { tenon, tenonEach } from "./run-cli.js";
import { notesProject } from "./temp-project.js";

test("the answer goes to standard output, all else to standard error", async () => {
  const cwd = notesProject();
  const { code, out, err } = await tenon(["run", "--agent", "idle", "--thread", "t1", "hello"], { cwd });
  expect(out).toBe("you said hello (message 1)\n");
  expect(err).toMatch(/^cost: \$0 \(free model\) .* · journal: sqlite \.tenon\/tenon\.db · thread t1 · run \S+\n$/);
  expect(code).toBe(0);
});

test("--json gives the result: completed, failed, paused", async () => {
  const cwd = notesProject();
  const [done, failed, paused] = await tenonEach(
    { cwd },
    ["run", "--json", "--metadata", '{"ticket":"42"}', "hello"],
    ["run", "--json", "fail"],
    ["run", "--json", 'call note_save {"text":"x"}'],
  );
  expect(JSON.parse(done.out)).toMatchObject({
    status: "completed",
    stopReason: "answer",
    output: "you said hello (message 1)",
  });
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(failed.out)).toMatchObject({ status: "failed", error: { code: "model_error" } });
  expect(failed.code).toBe(1);
  expect(JSON.parse(paused.out)).toMatchObject({
    status: "paused",
    pauses: [{ kind: "approval", tool: "note_save", input: { text: "x" } }],
  });
  expect(paused.code).toBe(4);
});

test("a pause is told with its question and how to decide", async () => {
  const { code, out, err } = await tenon(["run", "--thread", "t1", 'call note_save {"text":"x"}'], {
    cwd: notesProject(),
  });
  expect(out).toBe("");
  expect(err).toContain("notes asks: Run note_save?");
  expect(err).toContain("The run still waits. To decide, open it on a terminal: npx tenon chat --thread t1\n");
  expect(code).toBe(4);
});

test("an agent that is not there, and a model without a server, are refused", async () => {
  const cwd = notesProject();
  const [agent, model, routed] = await tenonEach(
    { cwd },
    ["run", "--agent", "nobody", "hello"],
    ["run", "--json", "--model", "some-model", "hello"],
    ["run", "--json", "--model", "some/model", "hello"],
  );
  expect(agent.err).toMatch(/^error bad_input .*nobody.*notes, idle/);
  expect(agent).toMatchObject({ code: 1, out: "" });
  expect(JSON.parse(model.out)).toMatchObject({
    error: { code: "missing_variable", data: { variable: "TENON_BASE_URL" } },
  });
  expect(model.code).toBe(1);
  expect(JSON.parse(routed.out)).toMatchObject({
    status: "failed",
    error: { code: "missing_variable", data: { variable: "OPENROUTER_API_KEY" } },
  });
});

test("a thread that waits takes no other run: told with how to decide", async () => {
  const cwd = notesProject();
  await tenon(["run", "--thread", "t1", "--owner", "ann", 'call note_save {"text":"x"}'], { cwd });
  const { code, out, err } = await tenon(["run", "--thread", "t1", "--owner", "ann", "hello"], { cwd });
  expect(err).toMatch(/^error thread_busy /m);
  expect(err).toContain("To decide, open it on a terminal: npx tenon chat --thread t1 --owner ann\n");
  expect({ code, out }).toEqual({ code: 1, out: "" });
});
