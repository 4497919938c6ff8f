import { describe, expect, test } from "vitest";
import { createContainer, type ContainerOptions } from "../../src/container/container.js";
import { inject, optional, provide, token } from "../../src/doors/container/index.js";

const FILE = token<string>("NOTES_FILE");
class NotesRepo {
  constructor(@inject(FILE) readonly file: string) {}
}
class Clock {
  readonly now = () => 1;
}

function faults(entries: unknown, roots: ContainerOptions["roots"] = [], more?: unknown): string[] {
  const { violations } = createContainer({
    providers: [
      { at: "providers of workflow desk", entries },
      { at: "providers of createApp", entries: more },
    ],
    roots,
  });
  for (const { code } of violations) expect(code).toBe("assembly_error");
  return violations.map(({ at, message }) => `${at}: ${message}`);
}

describe("missing providers", () => {
  test("print the path from the root that wanted them, once, with the other roots", () => {
    const roots = [
      { name: "tool note_save", deps: [NotesRepo] },
      { name: "tool note_search", deps: [NotesRepo, FILE] },
    ];
    expect(faults([NotesRepo], roots)).toEqual([
      "tool note_save: no provider for NOTES_FILE: tool note_save -> NotesRepo -> NOTES_FILE (also wanted by tool note_search); add { provide: NOTES_FILE, useValue: … } to `providers`",
    ]);
  });

  test("of a class with parameters name the class; one without parameters needs none", () => {
    expect(faults([], [{ name: "tool a", deps: [Clock, NotesRepo] }])).toEqual([
      "tool a: no provider for NotesRepo: tool a -> NotesRepo; add NotesRepo (its constructor takes parameters) to `providers`",
    ]);
  });

  test("are found in providers that no root uses", () => {
    expect(faults([NotesRepo])[0]).toContain("no provider for NOTES_FILE: NotesRepo -> NOTES_FILE");
  });

  test("are no fault where the dependency is optional", () => {
    expect(faults([], [{ name: "tool a", deps: [optional(FILE), optional(NotesRepo)] }])).toEqual([]);
  });

  test("a subclass that only inherits a constructor with parameters is not made without them", () => {
    class Mine extends NotesRepo {}
    class Own extends NotesRepo {
      constructor() {
        super("own");
      }
    }
    class Field extends Mine {
      readonly extra = 1;
    }
    expect(faults([], [{ name: "tool a", deps: [Mine] }])[0]).toContain("no provider for Mine");
    expect(faults([], [{ name: "tool a", deps: [Field] }])[0]).toContain("no provider for Field");
    expect(faults([Mine], [{ name: "tool a", deps: [Mine] }])[0]).toContain("tool a -> Mine -> NOTES_FILE");
    expect(faults([], [{ name: "tool a", deps: [Own] }])).toEqual([]);
  });
});

describe("cycles", () => {
  const A = token<object>("A");
  const B = token<object>("B");
  const C = token<object>("C");
  const on = (key: unknown, ...deps: unknown[]) => ({ provide: key, deps, useFactory: () => ({}) });

  test("print the path, each once, whoever comes in first", () => {
    const found = faults(
      [on(A, B), on(B, A, C), on(C, B), on(token("D"), A)],
      [
        { name: "tool t", deps: [A] },
        { name: "tool u", deps: [B] },
      ],
    );
    expect(found).toHaveLength(2);
    expect(found[0]).toContain("tool t: dependency cycle A -> B -> A;");
    expect(found[1]).toContain("tool t: dependency cycle B -> C -> B;");
  });

  test("of one, through optional, and outside of every root", () => {
    expect(faults([on(A, A)])[0]).toContain("providers of workflow desk[0]: dependency cycle A -> A;");
    expect(faults([on(A, optional(B)), on(B, A)])[0]).toContain("dependency cycle A -> B -> A");
  });
});

test("[B115] a singleton that would keep an instance of one run is refused, with the path; a root or a run-scoped one is not", () => {
  const RUN = token<object>("RUN_INFO");
  const CACHE = token<object>("CACHE");
  const run = { provide: RUN, useFactory: () => ({}), scope: "run" };
  const found = faults(
    [run, { provide: CACHE, deps: [optional(RUN)], useFactory: () => ({}) }],
    [
      { name: "tool t", deps: [CACHE] },
      { name: "tool u", deps: [CACHE] },
    ],
  );
  expect(found).toEqual([
    'tool t: CACHE lives as long as the app and would keep RUN_INFO of one run: tool t -> CACHE -> RUN_INFO; give CACHE `scope: "run"`',
  ]);
  expect(
    faults(
      [run, { provide: CACHE, deps: [RUN], useFactory: () => ({}), scope: "run" }],
      [{ name: "tool t", deps: [CACHE, RUN] }],
    ),
  ).toEqual([]);
});

test("a singleton that would keep an instance of one run through transient ones is refused, with the whole path", () => {
  const RUN = token<object>("RUN");
  const STEP = token<object>("STEP");
  const LEG = token<object>("LEG");
  const CACHE = token<object>("CACHE");
  const on = (key: unknown, scope: string, ...deps: unknown[]) => ({
    provide: key,
    deps,
    scope,
    useFactory: () => ({}),
  });
  const entries = [on(RUN, "run"), on(STEP, "transient", RUN), on(LEG, "transient", STEP)];
  // The transient ones were seen before, by a root of its own.
  const roots = [{ name: "tool t", deps: [LEG, STEP] }];
  expect(faults(entries, roots)).toEqual([]);
  expect(faults([...entries, on(CACHE, "singleton", LEG)], [...roots, { name: "tool u", deps: [CACHE] }])).toEqual([
    'tool u: CACHE lives as long as the app and would keep RUN of one run: tool u -> CACHE -> LEG -> STEP -> RUN; give CACHE `scope: "run"`',
  ]);
  expect(faults([...entries, on(CACHE, "run", LEG)], [{ name: "tool u", deps: [CACHE] }])).toEqual([]);
});

test("a cycle of transient ones is a fault, and is followed once", () => {
  const ONE = token<object>("ONE");
  const TWO = token<object>("TWO");
  const TOP = token<object>("TOP");
  const found = faults([
    { provide: ONE, deps: [TWO], scope: "transient", useFactory: () => ({}) },
    { provide: TWO, deps: [ONE], scope: "transient", useFactory: () => ({}) },
    { provide: TOP, deps: [ONE], useFactory: () => ({}) },
  ]);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain("dependency cycle ONE -> TWO -> ONE");
});

test("two tokens of one name are a fault; a token used twice is not", () => {
  const again = token<string>("NOTES_FILE");
  const found = faults(
    [
      { provide: FILE, useValue: "a" },
      { provide: again, useValue: "b" },
    ],
    [{ name: "tool t", deps: [FILE, again, FILE] }],
  );
  expect(found).toEqual([
    "providers of workflow desk[1]: there are two different tokens named NOTES_FILE, the other one at providers of workflow desk[0]; make the token once and import it, or give one another name",
  ]);
  expect(faults([{ provide: FILE, useValue: "a" }], [{ name: "tool t", deps: [optional(again)] }])[0]).toContain(
    "tool t: there are two different tokens named NOTES_FILE",
  );
});

test("a later list overrides an earlier one; in one list a key stands once", () => {
  const one = { provide: FILE, useValue: "a" };
  expect(faults([one], [{ name: "tool t", deps: [FILE] }], [one])).toEqual([]);
  expect(faults([one, one])).toEqual([
    "providers of workflow desk[1]: NOTES_FILE is provided twice in one list, first at providers of workflow desk[0]; keep one",
  ]);
  class Api {
    constructor(readonly missing: string) {}
  }
  expect(
    faults([{ provide: Api, deps: [FILE], useClass: Api }], [], [{ provide: Api, useValue: new Api("mock") }]),
  ).toEqual([]);
});

test.each<[string, unknown, string]>([
  ["undefined", undefined, "[0]: is undefined (an import cycle"],
  ["null", null, "is no provider; write a class"],
  ["a text", "FILE", "is no provider"],
  ["a list", [FILE], "is no provider"],
  ["a token", FILE, "has an unknown option `kind`"],
  ["a function", () => 1, "is no provider"],
  ["no key", { useValue: 1 }, "`provide` is undefined"],
  ["a text as the key", { provide: "FILE", useValue: 1 }, '`provide` is "FILE", which is neither a class nor a token'],
  ["an optional key", { provide: optional(FILE), useValue: "x" }, "`provide` is optional(…); give the key itself"],
  ["nothing to use", { provide: FILE }, "NOTES_FILE: has none of useValue, useClass, useFactory"],
  [
    "two to use",
    { provide: FILE, useValue: "x", useFactory: () => "x" },
    "NOTES_FILE: has useValue and useFactory; keep one",
  ],
  [
    "an undefined value",
    { provide: FILE, useValue: undefined },
    "`useValue` is undefined; leave the provider out and use optional(NOTES_FILE)",
  ],
  ["an undefined class", { provide: FILE, useClass: undefined }, "`useClass` is undefined"],
  [
    "an unknown option",
    { provide: FILE, useValue: "x", useVale: 1 },
    "has an unknown option `useVale`; did you mean `useValue`?",
  ],
  [
    "an unknown scope",
    { provide: FILE, useFactory: () => "x", scope: "request" },
    'unknown `scope` "request"; it is "singleton", "run" or "transient"',
  ],
  [
    "a scope that is no text",
    { provide: FILE, useFactory: () => "x", scope: { toString: () => "run" } },
    "unknown `scope` object;",
  ],
  ["a scope of a value", { provide: FILE, useValue: "x", scope: "run" }, "`scope` does not go with `useValue`"],
  ["deps of a value", { provide: FILE, useValue: "x", deps: [] }, "`deps` does not go with `useValue`"],
  ["a function as a class", { provide: FILE, useClass: () => 1 }, "`useClass` is no class"],
  ["a class as a factory", { provide: FILE, useFactory: Clock }, "`useFactory` is a class; give it as `useClass`"],
  ["a text as a factory", { provide: FILE, useFactory: "x" }, "`useFactory` is no function"],
  [
    "deps that are no list",
    { provide: FILE, useFactory: () => "x", deps: FILE },
    "NOTES_FILE (factory): deps is not a list",
  ],
  [
    "an undefined dep",
    { provide: FILE, useFactory: () => "x", deps: [undefined] },
    "NOTES_FILE (factory): deps[0] is undefined (an import cycle",
  ],
  [
    "a wrong dep",
    { provide: FILE, useClass: Clock, deps: [{ a: 1 }] },
    "Clock: deps[0] is an object, which is neither",
  ],
])("a wrong entry is one fault at its place: %s", (_, entry, text) => {
  const found = faults([entry]);
  expect(found.join("\n")).toContain(text);
  expect(found[0]).toContain("providers of workflow desk[0]: ");
});

test("a wrong entry still holds its key, so that it is not missing as well", () => {
  expect(faults([{ provide: FILE }], [{ name: "tool t", deps: [FILE] }])).toHaveLength(1);
});

test("providers that are no list are a fault; none are none", () => {
  expect(faults({ 0: Clock })).toEqual(["providers of workflow desk: is not a list; write `providers: [ … ]`"]);
  expect(faults(undefined)).toEqual([]);
});

test("a graph with very many ways through it is checked once a provider", () => {
  const steps = Array.from({ length: 60 }, (_, index) => token<number>(`STEP_${index}`));
  const entries = steps.map((step, index) => ({
    provide: step,
    deps: index + 1 < steps.length ? [steps[index + 1], optional(steps[index + 1]!)] : [FILE],
    useFactory: () => index,
  }));
  expect(faults(entries, [{ name: "tool t", deps: [steps[0]!] }])[0]).toContain("STEP_59 -> NOTES_FILE");
});

test("nothing runs when it is checked", () => {
  let ran = 0;
  class Loud {
    readonly loud = true;
    constructor() {
      ran++;
    }
  }
  const entries = [
    Loud,
    { provide: FILE, useFactory: () => `${ran++}` },
    provide(token<Loud>("LOUD"), { deps: [Loud], useFactory: (loud) => (ran++, loud) }),
  ];
  expect(faults(entries, [{ name: "tool t", cls: NotesRepo }])).toEqual([]);
  expect(ran).toBe(0);
});

test("further roots are checked later, without the providers' faults", () => {
  const { container, violations } = createContainer({
    providers: [{ at: "providers", entries: [NotesRepo] }],
    roots: [],
  });
  expect(violations).toHaveLength(1);
  expect(container.check([{ name: "tool t", deps: [Clock] }])).toEqual([]);
  expect(container.check([{ name: "tool t", deps: [FILE] }])[0]?.message).toContain("tool t -> NOTES_FILE");
});
