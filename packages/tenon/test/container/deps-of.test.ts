import { expect, test } from "vitest";
import { depsOf } from "../../src/container/inject.js";
import { inject, optional, token, type Dep } from "../../src/doors/container/index.js";

const NAME = token<string>("NAME");
class Api {
  readonly url = "http://localhost";
}

test("an explicit list wins over @inject, and both give the dependencies in order", () => {
  class Both {
    constructor(
      @inject(Api) readonly api: Api,
      @inject(optional(NAME)) readonly name?: string,
    ) {}
  }
  expect(depsOf(Both).deps.map((dep) => ("kind" in dep ? dep.kind : "class"))).toEqual(["class", "optional"]);
  expect(depsOf(Both, [Api])).toEqual({ deps: [Api], faults: [] });
  expect(depsOf(Both, [])).toEqual({ deps: [], faults: [] });
});

test("a parameter without @inject is named by its index, in the middle and at the end", () => {
  class Middle {
    constructor(
      @inject(Api) readonly a: Api,
      readonly b: Api,
      @inject(NAME) readonly c: string,
    ) {}
  }
  class End {
    constructor(
      @inject(Api) readonly a: Api,
      readonly b: string,
    ) {}
  }
  expect(depsOf(Middle)).toEqual({
    deps: [],
    faults: [expect.stringContaining("Middle: constructor parameter [1] has no @inject")],
  });
  expect(depsOf(End).faults).toEqual([expect.stringContaining("End: constructor parameter [1] has no @inject")]);
});

test("a constructor with parameters and nothing that says what they are is a fault", () => {
  class Bare {
    constructor(
      readonly a: Api,
      readonly b: string,
    ) {}
  }
  class Defaults {
    constructor(readonly a: string = "x") {}
  }
  expect(depsOf(Bare).faults).toEqual([
    "Bare: the constructor takes 2 parameters and nothing says what they are; list them in `deps`, or put @inject on each",
  ]);
  expect(depsOf(Defaults)).toEqual({ deps: [], faults: [] });
  expect(depsOf(Api)).toEqual({ deps: [], faults: [] });
});

test("an inherited constructor brings its @inject, an own one does not, and a subclass leaves its parent alone", () => {
  class Parent {
    constructor(@inject(NAME) readonly name: string) {}
  }
  class Inherits extends Parent {}
  class Own extends Parent {
    constructor(@inject(Api) readonly api: Api) {
      super("own");
    }
  }
  class Bare extends Parent {
    constructor(readonly extra: number) {
      super("bare");
    }
  }
  expect(depsOf(Inherits)).toEqual({ deps: [NAME], faults: [] });
  expect(depsOf(Own)).toEqual({ deps: [Api], faults: [] });
  expect(depsOf(Parent)).toEqual({ deps: [NAME], faults: [] });
  expect(depsOf(Bare).faults).toHaveLength(1);
});

test("a dependency that is none is a fault, wherever it stands", () => {
  class Wrong {
    constructor(@inject(undefined as never) readonly a: never) {}
  }
  expect(depsOf(Wrong).faults).toEqual([
    expect.stringContaining("Wrong: @inject of constructor parameter [0] is undefined (an import cycle"),
  ]);
  for (const [bad, text] of [
    [undefined, "is undefined"],
    [null, "is null"],
    ["x", 'is "x"'],
    [() => 1, "is the function"],
    [optional("x" as never), 'is optional("x")'],
    [[Api], "is a list"],
  ] as const) {
    expect(depsOf(Api, [NAME, bad as unknown as Dep]).faults).toEqual([
      expect.stringContaining(`Api: deps[1] ${text}`),
    ]);
  }
  expect(depsOf(Api, "NAME" as never).faults).toEqual(["Api: deps is not a list"]);
});

test("@inject on a method's parameter throws where the class is defined", () => {
  const decorate = inject(NAME) as unknown as (target: object, key: string, index: number) => void;
  expect(() => decorate(Api.prototype, "run", 0)).toThrowError(expect.objectContaining({ code: "bad_input" }));
});

test("what @inject noted and what token made is found by another copy of the package", () => {
  const foreign = class Foreign {
    constructor(readonly name: string) {}
  };
  Object.defineProperty(foreign, Symbol.for("tenon.inject"), {
    value: [Object.assign(Object.create({ [Symbol.for("tenon.token")]: true }), { kind: "token", name: "F" })],
  });
  const { deps, faults } = depsOf(foreign);
  expect(faults).toEqual([]);
  expect(deps).toHaveLength(1);
});
