import { describe, expect, test } from "vitest";
import { createContainer } from "../../src/container/container.js";
import { optional, token } from "../../src/doors/container/index.js";
import { AppClosedError } from "../../src/errors/run-errors.js";
import { DependencyError, type DisposeError } from "../../src/errors/assembly-errors.js";
import { containerOf, now, rejected } from "./now.js";

const A = token<unknown>("A");
const B = token<unknown>("B");
const C = token<unknown>("C");
const D = token<unknown>("D");

/** A promise that is settled by hand. */
function deferred<T>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}

describe("factories that take their time", () => {
  test("are waited for, one after the other in order, and are synchronous once they are there", async () => {
    const log: string[] = [];
    const slow = (name: string) => async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      return name;
    };
    const container = containerOf(
      { provide: A, useFactory: slow("a") },
      { provide: B, useFactory: slow("b") },
      { provide: C, deps: [A, optional(D), B], useFactory: (...all: unknown[]) => all.map(String).join() },
    );
    const asked = container.get(C);
    expect(asked).toBeInstanceOf(Promise);
    expect(await asked).toBe("a,undefined,b");
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(now(container.get(C))).toBe("a,undefined,b");
    expect(now(container.values([B, C, A], "t"))).toEqual(["b", "a,undefined,b", "a"]);
    expect(container.idle()).toBeUndefined();
  });

  test("are made once for all who ask meanwhile, of two runs too", async () => {
    let made = 0;
    const gate = deferred<void>();
    const container = containerOf({
      provide: A,
      useFactory: async () => {
        made++;
        await gate.promise;
        return { made };
      },
    });
    const [one, two] = [container.openScope(), container.openScope()];
    const asked = [one.get(A), two.get(A), container.get(A), two.values([A], "t"), one.instantiate((a) => a, [A])];
    gate.resolve();
    const [first, second, third, [fourth], fifth] = (await Promise.all(asked)) as [any, any, any, [any], any];
    expect(new Set([first, second, third, fourth, fifth]).size).toBe(1);
    expect(made).toBe(1);
  });

  test("of a run are made once for that run", async () => {
    let made = 0;
    const container = containerOf({ provide: A, scope: "run", useFactory: async () => ++made });
    const [one, two] = [container.openScope(), container.openScope()];
    expect(await Promise.all([one.get(A), one.get(A), two.get(A)])).toEqual([1, 1, 2]);
    expect([now(one.get(A)), now(two.get(A))]).toEqual([1, 2]);
  });

  test("that reject fail everybody who waits, with path and cause, and are tried again by the next", async () => {
    const cause = new Error("no network");
    let tries = 0;
    const container = containerOf(
      {
        provide: A,
        useFactory: async () => {
          if (++tries === 1) throw cause;
          return "up";
        },
      },
      { provide: B, deps: [A], useFactory: (a: unknown) => `b on ${String(a)}` },
    );
    const failed = await Promise.all([rejected(container.get(B)), rejected(container.values([A], "tool t"))]);
    for (const error of failed) {
      expect(DependencyError.is(error)).toBe(true);
      expect(error.cause).toBe(cause);
      expect(error.message).toContain("no network");
    }
    expect(failed[0].data).toEqual({ path: "B -> A" });
    expect(tries).toBe(1);
    expect(await container.get(B)).toBe("b on up");
    expect(now(container.get(B))).toBe("b on up");
  });

  test("that nobody waits for any more still end up in the container", async () => {
    const gate = deferred<string>();
    const container = containerOf({ provide: A, useFactory: () => gate.promise });
    void container.get(A);
    const idle = container.idle();
    gate.resolve("late");
    await idle;
    expect(now(container.get(A))).toBe("late");
  });

  test("may give any thenable; a value that is a promise stays one", async () => {
    const value = Promise.resolve("x");
    const container = containerOf(
      { provide: A, useFactory: () => ({ then: (done: (text: string) => void) => done("thenable") }) },
      { provide: B, useValue: value },
    );
    expect(await container.get(A)).toBe("thenable");
    expect(now(container.values([B], "t"))).toEqual([value]);
    expect(now(container.values([B], "t"))[0]).toBe(value);
  });
});

describe("transient ones", () => {
  class Part {
    readonly id = ++parts;
    [Symbol.dispose]() {
      ended.push(this.id);
    }
  }
  let parts = 0;
  let ended: number[] = [];
  const part = { provide: Part, useClass: Part, scope: "transient" };
  const fresh = () => {
    parts = 0;
    ended = [];
  };

  test("are made for each who takes them, and end with the scope that made them, in reverse order", async () => {
    fresh();
    const container = containerOf(
      part,
      { provide: A, deps: [Part, Part], useFactory: (...all: Part[]) => all.map(({ id }) => id) },
      { provide: B, deps: [Part], scope: "run", useFactory: ({ id }: Part) => id },
    );
    const scope = container.openScope();
    expect(scope.get(A)).toEqual([1, 2]);
    expect(scope.get(A)).toEqual([1, 2]);
    expect(scope.get(B)).toBe(3);
    expect(now(scope.get(Part)).id).toBe(4);
    expect(now(scope.values([Part, Part], "t")).map((made) => (made as Part).id)).toEqual([5, 6]);
    void scope.dispose();
    expect(ended).toEqual([6, 5, 4, 3]);
    await container.dispose();
    expect(ended).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test("of a promise are made for each, too", async () => {
    let made = 0;
    const container = containerOf({ provide: A, scope: "transient", useFactory: async () => ++made });
    expect(await Promise.all([container.get(A), container.get(A)])).toEqual([1, 2]);
    expect(await container.values([A, A], "t")).toEqual([3, 4]);
  });

  test("live as long as a run where they need something of it", () => {
    const container = containerOf(
      { provide: A, scope: "run", useFactory: () => ({}) },
      { provide: B, deps: [optional(A)], scope: "transient", useFactory: () => ({}) },
      part,
    );
    expect(container.lifetime([B])).toBe("run");
    expect(container.lifetime([Part])).toBe("singleton");
    expect(() => container.get(B)).toThrowError(/outside of a run/);
  });

  test("that were made for what failed end at once, and those of others stay", async () => {
    fresh();
    let fails = true;
    const container = containerOf(
      part,
      { provide: B, deps: [Part], scope: "transient", useFactory: (own: Part) => ({ own }) },
      {
        provide: A,
        deps: [Part, B, C],
        useFactory: (own: Part) => own.id,
      },
      {
        provide: C,
        useFactory: () => {
          if (fails) throw new Error("down");
        },
      },
    );
    void container.get(Part);
    expect(() => container.get(A)).toThrowError(/down/);
    expect(ended).toEqual([3, 2]);
    expect(() => container.values([Part, C], "t")).toThrowError(/down/);
    expect(ended).toEqual([3, 2, 4]);
    fails = false;
    expect(container.get(A)).toBe(5);
    await container.dispose();
    expect(ended).toEqual([3, 2, 4, 6, 5, 1]);
  });
});

describe("onStart and onStop", () => {
  /** Says what is done to it; `fails` is what its `onStart` fails with. */
  function part(log: string[], name: string, fails?: { start?: Error; stop?: Error; dispose?: Error }) {
    return {
      name,
      onStart() {
        log.push(`${name} starts`);
        if (fails?.start !== undefined) throw fails.start;
      },
      async onStop() {
        log.push(`${name} stops`);
        await Promise.resolve();
        if (fails?.stop !== undefined) throw fails.stop;
      },
      async [Symbol.asyncDispose]() {
        log.push(`${name} is disposed`);
        await Promise.resolve();
        if (fails?.dispose !== undefined) throw fails.dispose;
      },
    };
  }

  test("[B115] are called in order of creation and in reverse, each stop before its disposal, once", async () => {
    const log: string[] = [];
    const container = containerOf(
      { provide: A, deps: [B], useFactory: () => part(log, "A") },
      { provide: B, useFactory: async () => part(log, "B") },
      { provide: C, useFactory: () => part(log, "C") },
    );
    await container.get(A);
    await container.get(A);
    void container.instantiate(
      class {
        readonly onStart = () => void log.push("tool starts");
        readonly onStop = () => void log.push("tool stops");
      },
      [],
    );
    expect(log).toEqual(["B starts", "A starts", "tool starts"]);
    await container.dispose();
    expect(log.slice(3)).toEqual(["tool stops", "A stops", "A is disposed", "B stops", "B is disposed"]);
  });

  test("an onStart that takes its time is waited for before the first use", async () => {
    const gate = deferred<void>();
    let ready = false;
    const container = containerOf(
      {
        provide: A,
        useFactory: () => ({
          onStart: async () => {
            await gate.promise;
            ready = true;
          },
        }),
      },
      { provide: B, deps: [A], useFactory: () => ready },
    );
    const asked = container.get(B);
    expect(asked).toBeInstanceOf(Promise);
    gate.resolve();
    expect(await asked).toBe(true);
  });

  test("[B115] an onStart that fails is a failed creation: the object is disposed but not stopped, what is up stays until the end", async () => {
    for (const late of [false, true]) {
      const log: string[] = [];
      const cause = new Error("port in use");
      let tries = 0;
      const container = containerOf(
        { provide: A, deps: [B, C], useFactory: () => part(log, "A") },
        { provide: B, useFactory: () => part(log, "B") },
        {
          provide: C,
          deps: [D],
          useFactory: () => {
            const made = part(log, `C${++tries}`, tries === 1 && !late ? { start: cause } : {});
            return late && tries === 1 ? { ...made, onStart: () => Promise.reject(cause) } : made;
          },
        },
        { provide: D, scope: "transient", useFactory: () => part(log, "D") },
      );
      const error = await rejected(container.get(A));
      expect(error).toMatchObject({ code: "dependency_failed", cause, data: { path: "A -> C" } });
      const started = late ? [] : ["C1 starts"];
      expect(log).toEqual(["B starts", "D starts", ...started, "C1 is disposed", "D stops", "D is disposed"]);
      log.length = 0;
      expect(await container.get(A)).toMatchObject({ name: "A" });
      expect(log).toEqual(["D starts", "C2 starts", "A starts"]);
      log.length = 0;
      await container.dispose();
      expect(log.filter((line) => line.endsWith("stops"))).toEqual(["A stops", "C2 stops", "D stops", "B stops"]);
    }
  });

  test("where what failed does not end either, the cause has both", async () => {
    const [start, dispose] = [new Error("start"), new Error("dispose")];
    const container = containerOf({ provide: A, useFactory: () => part([], "A", { start, dispose }) });
    const error = await rejected(container.get(A));
    expect(error.data).toEqual({ path: "A" });
    expect(error.cause).toBeInstanceOf(AggregateError);
    expect(error.cause.errors).toEqual([expect.objectContaining({ cause: start }), dispose]);
    await container.dispose();
  });

  test("[B115] an onStop that fails keeps nothing from being stopped and disposed; all that failed is told", async () => {
    const log: string[] = [];
    const [stop, dispose] = [new Error("stop"), new Error("dispose")];
    const container = containerOf(
      { provide: A, useFactory: () => part(log, "A") },
      { provide: B, deps: [A], useFactory: () => part(log, "B", { stop, dispose }) },
    );
    void container.get(B);
    log.length = 0;
    const error = (await rejected(container.dispose())) as DisposeError;
    expect(log).toEqual(["B stops", "B is disposed", "A stops", "A is disposed"]);
    expect(error.errors).toEqual([stop, dispose]);
    expect(error.data).toEqual({ names: ["B", "B"] });
  });

  test("what the caller made, and methods that want arguments, are left alone; an alias starts once", async () => {
    const log: string[] = [];
    const listening = { onStart: (_listener: unknown) => void log.push("subscribed") };
    const container = containerOf(
      { provide: A, useValue: part(log, "value") },
      { provide: B, useFactory: () => listening },
      { provide: C, useFactory: () => part(log, "C") },
      { provide: D, deps: [A, C], scope: "run", useFactory: (_a: unknown, c: unknown) => c },
    );
    void container.values([A, B], "t");
    const scope = container.openScope();
    void scope.get(D);
    await scope.dispose();
    expect(log).toEqual(["C starts"]);
    await container.dispose();
    expect(log).toEqual(["C starts", "C stops", "C is disposed"]);
  });

  test("a client that makes up its members is not started", () => {
    const asked: PropertyKey[] = [];
    const client = new Proxy(
      {},
      {
        get(_target, name) {
          asked.push(name);
          return name === "then" ? undefined : () => asked.push("called");
        },
      },
    );
    const container = containerOf({ provide: A, useFactory: () => client });
    expect(container.get(A)).toBe(client);
    expect(asked).toEqual(["then"]);
  });

  test("of a run's scope are that run's", async () => {
    const log: string[] = [];
    let made = 0;
    const container = containerOf({ provide: A, scope: "run", useFactory: () => part(log, `A${++made}`) });
    const [one, two] = [container.openScope(), container.openScope()];
    void one.get(A);
    void two.get(A);
    await one.dispose();
    expect(log).toEqual(["A1 starts", "A2 starts", "A1 stops", "A1 is disposed"]);
  });
});

describe("[B115] a scope that is disposed while something is being made", () => {
  test("idle waits for it, whatever comes of it, and for what it goes on with", async () => {
    const [one, two] = [deferred<void>(), deferred<void>()];
    const container = containerOf(
      { provide: A, useFactory: () => one.promise },
      { provide: B, deps: [A, C], useFactory: () => "b" },
      {
        provide: C,
        useFactory: async () => {
          await two.promise;
          throw new Error("down");
        },
      },
    );
    const asked = rejected(container.get(B));
    let idle = false;
    const waiting = container.idle()!.then(() => (idle = true));
    one.resolve();
    await new Promise(setImmediate);
    expect(idle).toBe(false);
    two.resolve();
    await waiting;
    expect((await asked).message).toContain("down");
  });

  test.each(["app", "run"])("ends what comes too late, and makes nothing more: %s", async (whose) => {
    const gate = deferred<void>();
    const log: string[] = [];
    const container = containerOf(
      {
        provide: A,
        scope: whose === "run" ? "run" : "singleton",
        useFactory: async () => {
          await gate.promise;
          return { onStart: () => log.push("starts"), [Symbol.dispose]: () => log.push("disposed") };
        },
      },
      { provide: B, deps: [A, C], scope: whose === "run" ? "run" : "singleton", useFactory: () => log.push("B") },
      { provide: C, useFactory: () => log.push("C") },
    );
    const scope = whose === "run" ? container.openScope() : container;
    const asked = rejected(scope.get(B));
    await scope.dispose();
    gate.resolve();
    const error = await asked;
    expect(whose === "run" ? DependencyError.is(error) : AppClosedError.is(error)).toBe(true);
    expect(log).toEqual(["disposed"]);
  });

  test("an onStart that ends too late leaves its object disposed, and fails", async () => {
    const gate = deferred<void>();
    const log: string[] = [];
    const container = containerOf({
      provide: A,
      useFactory: () => ({
        onStart: () => gate.promise,
        onStop: () => log.push("stops"),
        [Symbol.dispose]: () => log.push("disposed"),
      }),
    });
    const asked = rejected(container.get(A));
    await container.dispose();
    expect(log).toEqual(["disposed"]);
    gate.resolve();
    expect(AppClosedError.is(await asked)).toBe(true);
    expect(log).toEqual(["disposed"]);
  });
});

test("a cycle that was not checked is an error also where its members take their time", async () => {
  const { container } = createContainer({
    providers: [
      {
        at: "providers",
        entries: [
          { provide: A, deps: [C, B], useFactory: async () => "a" },
          { provide: B, deps: [A], useFactory: async () => "b" },
          { provide: C, useFactory: async () => "c" },
        ],
      },
    ],
    roots: [],
  });
  expect((await rejected(container.get(A))).data).toEqual({ path: "A -> B -> A" });
});
