import { APP_ENV, createApp, defineAgent, defineTool, provide, type AppOptions, type Env } from "tenon";
import { scriptedModel } from "tenon/testing";
import { expect, test } from "vitest";

const region = defineTool({
  name: "region",
  description: "The region of this process.",
  deps: [APP_ENV],
  run: (_, _ctx, env) => env["TENON_TEST_REGION"] ?? "none",
});
const Clerk = defineAgent({ name: "clerk", description: "Knows the region.", tools: [region] });

async function asked(options: AppOptions): Promise<unknown> {
  await using app = await createApp(Clerk, { ...options, models: { default: scriptedModel() } });
  const result = await app.tool(region).invoke();
  return result.kind === "ok" ? result.value : result;
}

test("a tool gets the environment of its app", async () => {
  expect(await asked({ env: { TENON_TEST_REGION: "north" } })).toBe("north");
  expect(await asked({ env: {} })).toBe("none");
});

test("without the option it is the one of the process, as it is at the call", async () => {
  await using app = await createApp(Clerk, { models: { default: scriptedModel() } });
  process.env["TENON_TEST_REGION"] = "west";
  try {
    expect(await app.tool(region).invoke()).toEqual({ kind: "ok", value: "west" });
  } finally {
    delete process.env["TENON_TEST_REGION"];
  }
});

test("a provider of the app's own wins", async () => {
  const own: Env = { TENON_TEST_REGION: "south" };
  expect(await asked({ env: {}, providers: [provide(APP_ENV, { useValue: own })] })).toBe("south");
});
