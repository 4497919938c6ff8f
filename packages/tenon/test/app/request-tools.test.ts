import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Agent, createApp, defineTool } from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";

@Agent({ name: "clerk", description: "A clerk." })
class Clerk {}

test("tools of a request are freed with it", () => {
  const child = fileURLToPath(new URL("./request-tools-child.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", child], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^-?\d+\n$/);
  expect(Number(stdout), "bytes that a request leaves behind").toBeLessThan(3_000);
});

test("what is wrong with a request's tools is told each time, and does not spoil the next request", async () => {
  const bad = defineTool({ name: "bad name", description: "", run: () => 1 });
  const good = defineTool({ name: "good", description: "Is good.", run: () => "fine" });
  const model = scriptedModel(callTool(good), replyWith("done"));
  await using app = await createApp(Clerk, { models: { default: model }, env: {} });
  for (let i = 0; i < 2; i++)
    await expect(app.run({ prompt: "go", tools: [bad] })).rejects.toMatchObject({ code: "assembly_error" });
  expect((await app.run({ prompt: "go", tools: [good] })).text).toBe("done");
});
