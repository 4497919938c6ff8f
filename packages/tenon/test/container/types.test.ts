import { expect, test } from "vitest";
import {
  inject,
  optional,
  provide,
  token,
  type Class,
  type Dep,
  type DepValues,
  type FitsDeps,
  type Lifecycle,
  type Providers,
} from "../../src/doors/container/index.js";

interface Api {
  get(q: string): Promise<string>;
}
interface Config {
  n: number;
}
const API = token<Api>("API");
const CONFIG = token<Config>("CONFIG");
const LIST = token<string[]>("LIST");
class Db {
  private readonly x = 1;
  query(sql: string): string[] {
    return [sql + this.x];
  }
}
class Service {
  private readonly z = 1;
  constructor(
    readonly api: Api,
    readonly db: Db,
  ) {
    void this.z;
  }
}
abstract class Store {
  abstract size(): number;
}
class DiskStore extends Store {
  size(): number {
    return 1;
  }
}
class Loose {
  constructor(
    readonly api: Api,
    readonly config?: Config,
  ) {}
}

/** The checks below are the compiler's: nothing here is called. */
function providers<P extends readonly unknown[] | [] = [], L = unknown>(list: Providers<P, L> | undefined): void {
  void list;
}
function deps<const D extends readonly Dep[]>(list: D): <C extends Class>(cls: FitsDeps<C, D>) => void {
  void list;
  return () => undefined;
}

function checks(): void {
  providers([
    { provide: API, useValue: { get: async (q) => q.trim() } },
    Db,
    { provide: Store, useClass: DiskStore },
    { provide: LIST, useValue: ["a"] },
  ]);
  providers([
    { provide: CONFIG, deps: [API, Db], useFactory: (_api: Api, db: Db) => ({ n: db.query("x").length }) },
    { provide: CONFIG, deps: [API, Db], useFactory: () => ({ n: 1 }), scope: "run" },
  ]);
  providers([
    { provide: Service, useClass: Service, deps: [API, Db], scope: "run" },
    { provide: Service, useClass: Service },
    { provide: Loose, useClass: Loose, deps: [API] },
  ]);
  providers([
    { provide: Store, useFactory: () => new DiskStore() },
    {
      provide: CONFIG,
      deps: [optional(LIST)],
      useFactory: (list: string[] | undefined) => ({ n: list?.length ?? 0 }),
    },
  ]);
  providers([]);
  providers(undefined);
  providers([
    provide(CONFIG, { useValue: { n: 1 } }),
    Db,
    provide(CONFIG, { deps: [API, LIST], useFactory: (api, list) => ({ n: api === undefined ? 0 : list.length }) }),
  ]);
  const shared = [{ provide: CONFIG, useValue: { n: 1 } }, Db] as const;
  providers(shared);
  providers([...shared, provide(Service, { useClass: Service, deps: [API, Db] })]);

  providers([
    // @ts-expect-error a value of the wrong type
    { provide: API, useValue: { get: 1 } },
  ]);
  providers([
    { provide: CONFIG, useValue: { n: 1 } },
    // @ts-expect-error the second of two is wrong
    { provide: CONFIG, useFactory: () => ({ n: "x" }) },
  ]);
  providers([
    // @ts-expect-error a list of the wrong items
    { provide: LIST, useValue: [1] },
  ]);
  providers([
    // @ts-expect-error deps in the wrong order for the factory
    { provide: CONFIG, deps: [Db, API], useFactory: (api: Api, db: Db) => ({ n: api && db ? 1 : 2 }) },
  ]);
  providers([
    // @ts-expect-error the factory takes what no dep gives
    { provide: CONFIG, useFactory: (api: Api) => ({ n: api ? 1 : 2 }) },
  ]);
  providers([
    // @ts-expect-error one dep is missing for the factory
    { provide: CONFIG, deps: [API], useFactory: (api: Api, db: Db) => ({ n: api && db ? 1 : 2 }) },
  ]);
  providers([
    // @ts-expect-error an optional dep for a parameter that must be there
    { provide: CONFIG, deps: [optional(LIST)], useFactory: (list: string[]) => ({ n: list.length }) },
  ]);
  providers([
    // @ts-expect-error deps in the wrong order for the constructor
    { provide: Service, useClass: Service, deps: [Db, API] },
  ]);
  providers([
    // @ts-expect-error one dep is missing for the constructor
    { provide: Service, useClass: Service, deps: [API] },
  ]);
  providers([
    // @ts-expect-error a class of something else
    { provide: Service, useClass: Db },
  ]);
  providers([
    // @ts-expect-error an abstract class cannot stand for itself
    Store,
  ]);
  providers([
    // @ts-expect-error a value has no scope
    { provide: CONFIG, useValue: { n: 1 }, scope: "run" },
  ]);
  providers([
    // @ts-expect-error no such option
    { provide: CONFIG, useFactory: () => ({ n: 1 }), skope: "run" },
  ]);
  providers([
    // @ts-expect-error two ways at once
    { provide: CONFIG, useFactory: () => ({ n: 1 }), useValue: { n: 1 } },
  ]);
  providers([
    // @ts-expect-error an import that is not there
    undefined,
  ]);
  providers([
    // @ts-expect-error no such scope
    { provide: CONFIG, useFactory: () => ({ n: 1 }), scope: "request" },
  ]);
  providers([
    { provide: CONFIG, useFactory: async () => ({ n: 1 }) },
    {
      provide: CONFIG,
      deps: [API],
      useFactory: async (api: Api) => ({ n: (await api.get("x")).length }),
      scope: "run",
    },
    { provide: Db, useFactory: () => Promise.resolve(new Db()), scope: "transient" },
    { provide: Service, useClass: Service, deps: [API, Db], scope: "transient" },
  ]);
  providers([
    // @ts-expect-error a promise of the wrong type
    { provide: CONFIG, useFactory: async () => ({ n: "x" }) },
  ]);
  providers([
    // @ts-expect-error a promise is no value: a factory gives one
    { provide: CONFIG, useValue: Promise.resolve({ n: 1 }) },
  ]);
  providers([
    // @ts-expect-error a text is no key
    { provide: "x", useValue: 1 },
  ]);

  provide(CONFIG, { deps: [], useFactory: () => ({ n: 1 }) });
  provide(Service, { useClass: Service });
  provide(Store, { useClass: DiskStore, scope: "run" });
  // @ts-expect-error a value of the wrong type
  provide(CONFIG, { useValue: { n: "x" } });
  // @ts-expect-error the inferred parameter has no such member
  provide(CONFIG, { deps: [API], useFactory: (api) => ({ n: api.nope }) });
  // @ts-expect-error one parameter more than deps
  provide(CONFIG, { deps: [API], useFactory: (api, more: Db) => ({ n: api && more ? 1 : 2 }) });
  // @ts-expect-error deps in the wrong order for the constructor
  provide(Service, { useClass: Service, deps: [Db, API] });
  provide(CONFIG, { useFactory: async () => ({ n: 1 }) });
  provide(CONFIG, {
    deps: [API, LIST],
    useFactory: async (api, list) => ({ n: (await api.get("x")).length + list.length }),
  });
  provide(CONFIG, { useFactory: () => ({ n: 1 }), scope: "transient" });
  // @ts-expect-error a promise of the wrong type
  provide(CONFIG, { useFactory: async () => ({ n: "x" }) });
  // @ts-expect-error no such scope
  provide(CONFIG, { useFactory: () => ({ n: 1 }), scope: "request" });

  class Started implements Lifecycle {
    async onStart(): Promise<void> {}
    onStop(): void {}
  }
  class Half implements Lifecycle {
    readonly onStop = async (): Promise<void> => {};
  }
  class Listening implements Lifecycle {
    // @ts-expect-error it is called without arguments
    onStart(listener: () => void): void {
      listener();
    }
  }
  void [Started, Half, Listening];

  deps([API, Db])(Service);
  deps([API])(Loose);
  deps([API, optional(CONFIG)])(Loose);
  deps([])(Db);
  // @ts-expect-error wrong order
  deps([Db, API])(Service);
  // @ts-expect-error one missing
  deps([API])(Service);
  // @ts-expect-error none
  deps([])(Service);
  // @ts-expect-error one too many
  deps([API, Db, LIST])(Service);
  // @ts-expect-error optional for a parameter that must be there
  deps([optional(API), Db])(Service);
  // @ts-expect-error a token without a type
  deps([token("x"), Db])(Service);

  class Injected {
    constructor(
      @inject(API) readonly api: Api,
      @inject(Db) readonly db: Db,
      @inject(optional(CONFIG)) readonly config?: Config,
    ) {}
  }
  class Wrong {
    constructor(
      // @ts-expect-error another class
      @inject(Db) readonly api: Api,
      // @ts-expect-error optional for a parameter that must be there
      @inject(optional(CONFIG)) readonly config: Config,
      // @ts-expect-error a text is no key
      @inject("API") readonly text: string,
    ) {}
  }
  const values: DepValues<[typeof API, typeof Db, ReturnType<typeof optional<Config>>]> = [
    { get: async (q) => q },
    new Db(),
    undefined,
  ];
  void [Injected, Wrong, values];
}

test("the door gives keys that carry a type and a name", () => {
  expect(checks).toBeTypeOf("function");
  expect([API.kind, API.name, optional(API).key]).toEqual(["token", "API", API]);
  expect(Object.isFrozen(API)).toBe(true);
  for (const name of ["", " ", undefined, 1]) {
    expect(() => token(name as string)).toThrowError(expect.objectContaining({ code: "bad_input" }));
  }
  expect(provide(CONFIG, { useValue: { n: 1 } })).toEqual({ provide: CONFIG, useValue: { n: 1 } });
});
