import { expect, test } from "vitest";
import { createApp, Tool, toolDefinitionOf, toolOf } from "../../src/doors/tenon/index.js";
import { scriptedModel } from "../../src/doors/testing/index.js";
import { agentOf } from "../known-failures/wire.js";

/** A class as one that is not checked by the compiler would be decorated. */
function tool<C extends new (...args: any[]) => object>(cls: C): C {
  Tool({ name: "some_tool", description: "Does it." })(cls as never);
  return cls;
}

function appOf(cls: unknown): ReturnType<typeof createApp> {
  return createApp(agentOf([cls as never]), { models: { default: scriptedModel() }, env: {} });
}

class Base {
  go(): string {
    return "x";
  }
}
const wrong: readonly (readonly [string, new (...args: any[]) => object])[] = [
  ["nothing at all", class Odd {}],
  [
    "another name",
    class Odd {
      handle(): void {}
    },
  ],
  ["an heir of one without", class Odd extends Base {}],
  [
    "static only, under another name",
    class Odd {
      static start(): void {}
    },
  ],
  ["a member that is no function", class Odd {}],
];
Object.defineProperty(wrong[4]![1].prototype, "run", { value: "x" });

test.each(wrong)("a class tool without run is a violation of the assembly: %s", async (_name, cls) => {
  const message = /the class Odd has no method `run`; write `run\(input, ctx\) \{ … \}`/;
  await expect(appOf(tool(cls))).rejects.toMatchObject({
    code: "assembly_error",
    violations: [{ at: "tool some_tool", message: expect.stringMatching(message) }],
  });
  expect(() => toolOf(new cls() as never)).toThrow(message);
  expect(() => toolDefinitionOf(cls as never)).toThrow(message);
});

const right: readonly (readonly [string, new (...args: any[]) => object])[] = [
  [
    "a method",
    class {
      run(): string {
        return "x";
      }
    },
  ],
  [
    "an inherited method",
    class extends class {
      run(): string {
        return "x";
      }
    } {},
  ],
  [
    "a field",
    class {
      run = (): string => "x";
    },
  ],
  [
    "an inherited field",
    class extends class {
      run = (): string => "x";
    } {},
  ],
  [
    "a getter",
    class {
      get run(): () => string {
        return () => "x";
      }
    },
  ],
  [
    "members copied from another object",
    class {
      constructor() {
        Object.assign(this, other);
      }
    },
  ],
  [
    "a member under a name that is made",
    class {
      constructor() {
        (this as any)[["r", "un"].join("")] = () => "x";
      }
    },
  ],
];
const other = { [["r", "un"].join("")]: () => "x" };

test.each(right)("run may be %s", async (_name, cls) => {
  tool(cls);
  await using app = await appOf(cls);
  expect(await app.tool(cls as never).invoke({} as never)).toEqual({ kind: "ok", value: "x" });
  expect(await toolOf(new cls() as never).invoke()).toEqual({ kind: "ok", value: "x" });
});

test("an object whose class sets run only sometimes is refused by toolOf, and is that call's error in an app", async () => {
  class Sometimes {
    declare run: () => string;
    constructor(has = false) {
      if (has) this.run = () => "x";
    }
  }
  tool(Sometimes);
  expect(() => toolOf(new Sometimes())).toThrow(/some_tool cannot be used: this object of Sometimes has no `run`/);
  expect(await toolOf(new Sometimes(true)).invoke()).toEqual({ kind: "ok", value: "x" });
  await using app = await appOf(Sometimes);
  expect(await app.tool(Sometimes).invoke()).toMatchObject({ kind: "error", code: "tool_error" });
});
