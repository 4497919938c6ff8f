import { expect, test } from "vitest";
import { tenon, tenonEach } from "./run-cli.js";
import { emptyProject } from "./temp-project.js";

const files = {
  "package.json": '{ "type": "module" }',
  "tenon.config.mjs": `
    import { createApp, defineAgent } from "tenon";
    import { sqliteStore } from "tenon/sqlite";
    import { failWith, replyWith, scriptedModel } from "tenon/testing";

    const named = (modelId, model) => Object.assign(model, { modelId });
    const first = named("first", scriptedModel(failWith(new Error("no such model"), { status: 404 })));
    const second = named("second", scriptedModel(replyWith("Here I am.")));
    const clerk = defineAgent({ name: "clerk", description: "Answers.", model: [first, second] });
    export default { app: () => createApp(clerk, { store: sqliteStore("runs.db"), env: {} }) };
  `,
};

test("fallbacks are described, and an attempt that failed is told as it happens and with the run", async () => {
  const cwd = emptyProject(files);
  const [described, json] = await tenonEach({ cwd }, ["describe"], ["describe", "--json"]);
  expect(described.out).toContain("clerk  first, else second · thinking default");
  expect(JSON.parse(json.out).agents).toMatchObject([
    { model: "first", fallbacks: ["second"], modelCall: { retries: 2, timeoutMs: 600_000 } },
  ]);
  const ran = await tenon(["run", "--json", "hello"], { cwd });
  const { runId, text } = JSON.parse(ran.out);
  expect(text).toBe("Here I am.");
  const told = await tenon(["chat"], { cwd, input: "hello\n" });
  expect(told.out).toMatch(/an attempt failed: .*no such model\. Asking second next\.\n[^]*Here I am\./);
  expect(told.out).toMatch(/ · 1 model call in 2 attempts, 0 tool calls · /);
  const shown = await tenon(["runs", "show", runId], { cwd });
  expect(shown.out).toMatch(
    /turn 1 · second · stop\n +an attempt failed: .*first.*no such model\. Asking second next\.\n/,
  );
});

test("what was only refused is not called free, and the limit that allows no other attempt is named", async () => {
  const refused = files["tenon.config.mjs"].replace(
    'replyWith("Here I am.")',
    'failWith(new Error("busy"), { status: 429 })',
  );
  const limited = refused
    .replace(
      "createApp(clerk,",
      'createApp(defineWorkflow({ name: "w", agents: [clerk], limits: { perRun: { modelCalls: 2 } } }),',
    )
    .replace("defineAgent }", "defineAgent, defineWorkflow }");
  const cwd = emptyProject({ ...files, "tenon.config.mjs": limited });
  const { code, err } = await tenon(["run", "hello"], { cwd });
  expect(code).toBe(1);
  expect(err).toMatch(
    /the run failed model_error .*busy\. No other attempt was made: .*limits\.perRun\.modelCalls = 2\./,
  );
  expect(err).toMatch(/\ncost: \$0 \(nothing was billed\) · about \d+ tokens in, 0 out · 1 model call in 2 attempts, /);
});
