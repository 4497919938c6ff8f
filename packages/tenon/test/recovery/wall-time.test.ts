import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { defineAgent, defineTool, defineWorkflow } from "tenon";
import { callTool, crashEverywhere, replyWith } from "tenon/testing";
import type { JournalRecord } from "../../src/journal/store.js";
import { bundledChild } from "./bundled-child.js";

const child = bundledChild("wall-time-child.mjs");

test("a run that was killed in the middle of a call has used what it used: the next process ends it in time", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-wall-time-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const began = `${Date.now()}`;
  const start = (mode: string) =>
    spawnSync(process.execPath, ["--no-warnings", child, folder, began, mode], { encoding: "utf8" });
  expect(start("run")).toMatchObject({ signal: "SIGKILL", stderr: "" });
  const { stdout, stderr } = start("recover");
  expect(stderr).toBe("");
  const { result, records } = JSON.parse(stdout) as { result: unknown; records: readonly JournalRecord[] };
  expect(result).toMatchObject({
    status: "failed",
    stopReason: "limit",
    error: { data: { limit: "limits.perRun.wallTimeMs", max: 60_000 } },
  });
  const marks = records.filter(({ key }) => key.startsWith("active:"));
  // Sixty seconds in all, each five of them once; the last ones may share their moment with the end.
  expect(marks.length === 11 || marks.length === 12).toBe(true);
  expect(marks.map(({ key }) => key)).toEqual(marks.map((_, i) => `active:${i + 1}`));
  const [killed, ...others] = new Set(marks.map(({ activation }) => activation));
  expect(others).toHaveLength(1);
  expect(marks.filter(({ activation }) => activation === killed).length).toBeGreaterThanOrEqual(4);
});

test("a crash at any point changes nothing of a run whose time is limited", async () => {
  await crashEverywhere({
    app: (world) => {
      const pay = defineTool({
        name: "pay",
        description: "Pays.",
        access: "write",
        inDoubt: "rerun",
        approval: true,
        run: (_input, ctx) => world.effect("pay", ctx.callId, () => "paid"),
      });
      const clerk = defineAgent({ name: "clerk", description: "Works.", tools: [pay] });
      const limits = { perRun: { wallTimeMs: 3_600_000 } };
      return world.createApp(defineWorkflow({ name: "desk", agents: [clerk], limits }), {
        models: { default: world.model(callTool(pay, {}), replyWith("done")) },
      });
    },
    drive: (app) => app.run({ prompt: "go" }, { runId: "crash-run-one" }),
    twice: false,
  });
});
