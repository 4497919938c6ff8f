import { Agent, createApp, defineTool, type App, type Store } from "../../src/doors/tenon/index.js";
import { scriptedModel, type ModelStep } from "../../src/doors/testing/index.js";

/** A clerk whose tools hang or ask, and what they did. `running` resolves when one that hangs has started. */
export function stuckDesk(inDoubt: "ask" | "rerun" = "ask") {
  let started = (): void => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const ran: string[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays, and never comes back.",
    access: "write",
    inDoubt,
    run: () => {
      ran.push("pay");
      started();
      return new Promise<string>(() => {});
    },
  });
  const save = defineTool({
    name: "save",
    description: "Saves.",
    access: "write",
    approval: true,
    approvalExpiresIn: "1h",
    run: () => void ran.push("save"),
  });
  const look = defineTool({
    name: "look",
    description: "Looks, and never comes back.",
    run: () => {
      ran.push("look");
      started();
      return new Promise<string>(() => {});
    },
  });
  @Agent({ name: "clerk", description: "d", tools: [pay, save, look] })
  class Clerk {}
  const app = (store: Store, ...steps: readonly ModelStep[]): Promise<App> =>
    createApp(Clerk, { models: { default: scriptedModel(...steps) }, store });
  return { pay, save, look, running, ran, app, Clerk };
}

/** The results of all calls of a run. */
export async function resultsOf(app: App, runId: string): Promise<readonly unknown[]> {
  return (await app.inspect(runId)).turns.flatMap(({ calls }) => calls.map(({ result }) => result));
}
