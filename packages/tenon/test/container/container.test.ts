import { describe, expect, test } from "vitest";
import { createContainer } from "../../src/container/container.js";
import { inject, optional, provide, token } from "../../src/doors/container/index.js";
import { DependencyError } from "../../src/errors/assembly-errors.js";
import { containerOf, now } from "./now.js";
import { AppClosedError } from "../../src/errors/run-errors.js";

const NAME = token<string>("NAME");
const NUMBER = token<number>("NUMBER");
class Clock {
  readonly made = ++clocks;
}
let clocks = 0;

describe("singletons", () => {
  test("values, classes and factories come with their dependencies in order, once", () => {
    let calls = 0;
    class Greeter {
      constructor(
        readonly clock: Clock,
        readonly name: string,
        readonly none?: number,
      ) {}
    }
    const container = containerOf(
      { provide: NAME, deps: [Clock], useFactory: (clock: Clock) => `n${clock.made}.${++calls}` },
      provide(Greeter, { useClass: Greeter, deps: [Clock, NAME, optional(NUMBER)] }),
    );
    const greeter = now(container.get(Greeter));
    expect(greeter).toBeInstanceOf(Greeter);
    expect(greeter.name).toBe(`n${greeter.clock.made}.1`);
    expect(greeter.none).toBeUndefined();
    expect(container.get(Greeter)).toBe(greeter);
    expect(container.get(Clock)).toBe(greeter.clock);
    expect(calls).toBe(1);
  });

  test("falsy values are values", () => {
    let calls = 0;
    const EMPTY = token<undefined>("EMPTY");
    const container = containerOf(
      { provide: NUMBER, useValue: 0 },
      { provide: NAME, useValue: "" },
      { provide: EMPTY, useFactory: () => void calls++ },
    );
    expect([container.get(NUMBER), container.get(NAME), container.get(EMPTY), container.get(EMPTY)]).toEqual([
      0,
      "",
      undefined,
      undefined,
    ]);
    expect(calls).toBe(1);
  });

  test("instantiate makes a new one each time, from a class or a function; values gives the list", () => {
    class Tool {
      constructor(
        readonly clock: Clock,
        readonly name: string,
      ) {}
    }
    const container = containerOf({ provide: NAME, useValue: "x" });
    const one = now(container.instantiate(Tool, [Clock, NAME]));
    const two = now(container.instantiate((clock: Clock, name: string) => new Tool(clock, name), [Clock, NAME]));
    expect(two).not.toBe(one);
    expect(two).toEqual(one);
    expect(two.clock).toBe(one.clock);
    expect(container.values([NAME, optional(NUMBER)], "tool t")).toEqual(["x", undefined]);
  });
});

describe("errors carry the path and the cause", () => {
  function caught(run: () => unknown): DependencyError {
    try {
      run();
    } catch (error) {
      if (DependencyError.is(error)) return error;
      throw error;
    }
    throw new Error("did not throw");
  }

  test("a constructor that throws is tried again by the next get", () => {
    const cause = new Error("no disk");
    let fails = true;
    class Repo {
      readonly disk = true;
      constructor() {
        if (fails) throw cause;
      }
    }
    class Service {
      constructor(@inject(Repo) readonly repo: Repo) {}
    }
    const container = containerOf(Service);
    const error = caught(() => container.instantiate(() => undefined, [Service], "tool note_save"));
    expect(error.data).toEqual({ path: "tool note_save -> Service -> Repo" });
    expect(error.message).toContain("no disk");
    expect(error.cause).toBe(cause);
    fails = false;
    expect(now(container.get(Service)).repo).toBeInstanceOf(Repo);
  });

  test("a missing provider, a run's dependency outside of a run, and a cycle that was not checked", () => {
    const { container } = createContainer({
      providers: [
        {
          at: "providers",
          entries: [
            { provide: NAME, deps: [NUMBER], useFactory: (n: number) => `${n}` },
            { provide: NUMBER, deps: [NAME], useFactory: (s: string) => s.length },
          ],
        },
      ],
      roots: [],
    });
    expect(caught(() => container.get(NAME)).data).toEqual({ path: "NAME -> NUMBER -> NAME" });
    expect(caught(() => container.values([token("GONE")], "tool t")).data).toEqual({ path: "tool t -> GONE" });
    const run = containerOf({ provide: NAME, useFactory: () => "r", scope: "run" });
    expect(caught(() => run.get(NAME)).message).toContain("outside of a run");
  });
});

describe("scopes of runs", () => {
  class Session {
    readonly id = ++sessions;
    disposed = 0;
    [Symbol.dispose]() {
      this.disposed++;
    }
  }
  let sessions = 0;
  const session = { provide: Session, useClass: Session, scope: "run" };

  test("[B115] two interleaved runs never see each other's instances, and share the singletons", () => {
    const USER = token<{ session: Session; clock: Clock }>("USER");
    const container = containerOf(session, {
      provide: USER,
      deps: [Session, Clock],
      useFactory: (s: Session, clock: Clock) => ({ session: s, clock }),
      scope: "run",
    });
    const [one, two] = [container.openScope(), container.openScope()];
    const before = sessions;
    const a = now(one.get(USER));
    const b = now(two.get(USER));
    expect(sessions).toBe(before + 2);
    expect(a.session).not.toBe(b.session);
    expect(a.clock).toBe(b.clock);
    expect(one.get(Session)).toBe(a.session);
    expect(
      now(
        two.instantiate(
          class Tool {
            constructor(readonly s: Session) {}
          },
          [Session],
        ),
      ).s,
    ).toBe(b.session);
    void one.dispose();
    expect([a.session.disposed, b.session.disposed]).toEqual([1, 0]);
    expect(two.get(Session)).toBe(b.session);
  });

  test("lifetime tells what must be made anew for a run", () => {
    const container = containerOf(session, { provide: NAME, useValue: "x" });
    expect(container.lifetime([])).toBe("singleton");
    expect(container.lifetime([NAME, Clock, optional(NUMBER)])).toBe("singleton");
    expect(container.lifetime([NAME, optional(Session)])).toBe("run");
  });

  test("[B115] a scope disposes once, synchronously where it can, of what it made only", () => {
    class Shared {
      disposed = 0;
      [Symbol.dispose]() {
        this.disposed++;
      }
    }
    const ALIAS = token<Shared>("ALIAS");
    const own = new Shared();
    const VALUE = token<Shared>("VALUE");
    const VALUE_ALIAS = token<Shared>("VALUE_ALIAS");
    const container = containerOf(
      session,
      { provide: ALIAS, deps: [Shared], useFactory: (s: Shared) => s, scope: "run" },
      { provide: VALUE, useValue: own },
      { provide: VALUE_ALIAS, deps: [VALUE], useFactory: (s: Shared) => s, scope: "run" },
    );
    const scope = container.openScope();
    const made = now(scope.get(Session));
    const shared = now(scope.get(ALIAS));
    void scope.get(VALUE_ALIAS);
    expect(scope.dispose()).toBeUndefined();
    expect(scope.dispose()).toBeUndefined();
    expect([made.disposed, shared.disposed, own.disposed]).toEqual([1, 0, 0]);
    expect(() => scope.get(Session)).toThrowError(expect.objectContaining({ code: "dependency_failed" }));
    expect(() => scope.instantiate(Clock, [])).toThrowError(DependencyError);
    expect(() => scope.values([], "t")).toThrowError(DependencyError);
    expect(container.openScope().dispose()).toBeUndefined();
  });

  test("a scope with an asynchronous disposer gives one promise, also when asked twice", async () => {
    const log: string[] = [];
    const container = containerOf({
      provide: NAME,
      useFactory: () => ({ [Symbol.asyncDispose]: async () => void log.push("closed") }),
      scope: "run",
    });
    const scope = container.openScope();
    void scope.get(NAME);
    const [first, second] = [scope.dispose(), scope.dispose()];
    expect(first).toBeInstanceOf(Promise);
    await Promise.all([first, second]);
    expect(log).toEqual(["closed"]);
  });
});

test("[B115] a container that is disposed refuses everything, its open scopes included", async () => {
  const container = containerOf({ provide: NAME, useValue: "x" });
  const scope = container.openScope();
  const closing = container.dispose();
  for (const use of [
    () => container.get(NAME),
    () => container.openScope(),
    () => container.values([], "t"),
    () => container.instantiate(Clock, []),
    () => scope.get(NAME),
  ]) {
    expect(use).toThrowError(AppClosedError);
  }
  await closing;
  await container.dispose();
});
