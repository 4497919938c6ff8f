import { describe, expect, test } from "vitest";
import {
  createApp,
  defineTool,
  DisposeError,
  memoryStore,
  token,
  Workflow,
  type Store,
} from "../../src/doors/tenon/index.js";
import { callTool, replyWith, scriptedModel } from "../../src/doors/testing/index.js";
import { agentOf, resultsIn } from "./wire.js";

const A = token<object>("A");
const B = token<object>("B");
const C = token<object>("C");
const Unused = token<object>("Unused");

/** A part that says when it begins and ends to close; with `fails` it does not. */
function part(log: string[], name: string, fails?: Error) {
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      log.push(`${name} closes`);
      await new Promise((resolve) => setTimeout(resolve));
      if (fails !== undefined) throw fails;
      log.push(`${name} closed`);
    },
  };
}

const useA = defineTool({ name: "use_a", description: "Uses A.", deps: [A], run: (_input, _ctx, a) => typeof a });
const useB = defineTool({ name: "use_b", description: "Uses B.", deps: [B], run: (_input, _ctx, b) => typeof b });

/** A store that says when it is closed. */
function loggedStore(log: string[], fails?: Error): Store {
  const store = memoryStore();
  return new Proxy(store, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (key === "close") {
        return () => {
          log.push("store closed");
          if (fails !== undefined) throw fails;
          return target.close();
        };
      }
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

describe("close", () => {
  test("[B115] A needs B needs C, B does not close: A, B, C in this order, then the store, one error that has the cause", async () => {
    const log: string[] = [];
    const failure = new Error("B does not close");
    const made: string[] = [];
    const make = (name: string, fails?: Error) => () => {
      made.push(name);
      return part(log, name, fails);
    };
    const providers = [
      { provide: A, deps: [B], useFactory: make("A") },
      { provide: B, deps: [C], useFactory: make("B", failure) },
      { provide: C, useFactory: make("C") },
      { provide: Unused, useFactory: make("Unused") },
    ] as const;
    class Desk {}
    Workflow({ name: "desk", agents: [agentOf([useA])], providers: providers as never })(Desk);
    const app = await createApp(Desk, {
      models: { default: scriptedModel(callTool(useA), replyWith("done")) },
      store: loggedStore(log),
      env: {},
    });
    expect(made).toEqual([]);
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(made).toEqual(["C", "B", "A"]);

    const thrown: unknown = await app.close().catch((error: unknown) => error);
    expect(log).toEqual(["A closes", "A closed", "B closes", "C closes", "C closed", "store closed"]);
    expect(DisposeError.is(thrown)).toBe(true);
    expect((thrown as DisposeError).errors).toEqual([failure]);
    expect((thrown as DisposeError).data).toEqual({ names: ["B"] });
    // Closed is closed: again gives the same, and nothing is done twice.
    await expect(app.close()).rejects.toBe(thrown);
    await expect(app[Symbol.asyncDispose]()).rejects.toBe(thrown);
    expect(log).toHaveLength(6);
    await expect(app.run({ prompt: "more" })).rejects.toMatchObject({ code: "app_closed" });
  });

  test("[B115] several do not close, the store too: all are in one error", async () => {
    const log: string[] = [];
    const providers = [
      { provide: A, deps: [B], useFactory: () => part(log, "A", new Error("A")) },
      { provide: B, useFactory: () => part(log, "B", new Error("B")) },
    ] as const;
    const app = await createApp(agentOf([useA]), {
      models: { default: scriptedModel(callTool(useA), replyWith("done")) },
      store: loggedStore(log, new Error("store")),
      providers: providers as never,
      env: {},
    });
    await app.run({ prompt: "go" });
    const thrown = (await app.close().catch((error: unknown) => error)) as DisposeError;
    expect(thrown.errors.map((error) => (error as Error).message)).toEqual(["A", "B", "store"]);
    expect(thrown.data).toEqual({ names: ["A", "B", "store"] });
    expect(log).toEqual(["A closes", "B closes", "store closed"]);
  });

  test("[B115] where C cannot be made its call is an error with the cause, and those already up are closed", async () => {
    const log: string[] = [];
    const providers = [
      { provide: B, useFactory: () => part(log, "B") },
      {
        provide: A,
        deps: [B, C],
        useFactory: () => part(log, "A"),
      },
      {
        provide: C,
        useFactory: () => {
          throw new Error("C is down");
        },
      },
    ] as const;
    const model = scriptedModel(callTool(useA), callTool(useB), replyWith("done"));
    const app = await createApp(agentOf([useA, useB]), {
      models: { default: model },
      providers: providers as never,
      env: {},
    });
    expect((await app.run({ prompt: "go" })).status).toBe("completed");
    expect(resultsIn(model.requests[2])).toMatchObject([
      { isError: true, text: expect.stringMatching(/use_a.*C/s) },
      { isError: false, text: "object" },
    ]);
    await app.close();
    expect(log).toEqual(["B closes", "B closed"]);
  });

  test("[B115] an app that cannot be put together makes nothing, so there is nothing to close", async () => {
    const made: string[] = [];
    const providers = [{ provide: A, deps: [C], useFactory: () => made.push("A") }];
    await expect(
      createApp(agentOf([useA]), { models: { default: scriptedModel() }, providers: providers as never, env: {} }),
    ).rejects.toMatchObject({ code: "assembly_error", message: expect.stringContaining("C") });
    expect(made).toEqual([]);
  });

  test("[B115] what one run made is closed with the run, in reverse order, whatever becomes of the run", async () => {
    for (const how of ["completed", "failed", "paused"] as const) {
      const log: string[] = [];
      const providers = [
        { provide: A, deps: [B], scope: "run", useFactory: () => part(log, "A") },
        { provide: B, scope: "run", useFactory: () => part(log, "B") },
      ] as const;
      const ask = defineTool({ name: "ask", description: "Asks.", approval: true, run: () => "asked" });
      const model = scriptedModel(callTool(useA));
      if (how === "completed") model.thenReturn(replyWith("done"));
      if (how === "paused") model.thenReturn(callTool(ask), replyWith("done"));
      const app = await createApp(agentOf([useA, ask]), {
        models: { default: model },
        providers: providers as never,
        env: {},
      });
      const { status, pauses, runId } = await app.run({ prompt: "go" });
      expect(status).toBe(how);
      await expect.poll(() => log).toEqual(["A closes", "A closed", "B closes", "B closed"]);
      if (how === "paused")
        expect((await app.resume(runId, { [pauses[0]!.id]: { approved: true, by: "ann" } })).status).toBe("completed");
      await app.close();
      expect(log).toHaveLength(4);
    }
  });

  test("[B115] close waits for a run's own parts before it closes what they use", async () => {
    const log: string[] = [];
    const providers = [
      { provide: A, deps: [B], scope: "run", useFactory: () => part(log, "A") },
      { provide: B, useFactory: () => part(log, "B") },
    ] as const;
    const app = await createApp(agentOf([useA]), {
      models: { default: scriptedModel(callTool(useA), replyWith("done")) },
      store: loggedStore(log),
      providers: providers as never,
      env: {},
    });
    await app.run({ prompt: "go" });
    await app.close();
    expect(log).toEqual(["A closes", "A closed", "B closes", "B closed", "store closed"]);
  });
});
