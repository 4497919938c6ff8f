import { afterEach, describe, expect, test } from "vitest";
import { Assert, decorator, inject, type ITool } from "../../src/doors/itool/index.js";
import { Agent, createApp, optional, token, Tool, toolDefinitionOf, toolOf } from "../../src/doors/tenon/index.js";
import { Text } from "../../src/doors/dto/index.js";
import { scriptedModel } from "../../src/doors/testing/index.js";
import { z } from "zod";

const WORD = token<string>("WORD");
class Client {
  ask(): string {
    return "answer";
  }
}
const did: string[] = [];
afterEach(() => void did.splice(0));

/** Everything an app finds wrong with its tools. */
async function faultsOf(...tools: unknown[]): Promise<string[]> {
  @Agent({ name: "a", description: "A.", tools: tools as never[] })
  class A {}
  const thrown: unknown = await createApp(A, {
    models: { default: scriptedModel() },
    providers: [{ provide: WORD, useValue: "hello" }],
  }).then(
    (app) => app.close(),
    (error: unknown) => error,
  );
  return ((thrown as { violations?: { at: string; message: string }[] } | undefined)?.violations ?? []).map(
    ({ at, message }) => `${at}: ${message}`,
  );
}

const wayOut =
  /let the constructor only keep what it gets, or write getName, getDescription and getInputSchema as methods that use no fields/;

describe("what cannot be read is an assembly error with a way out", () => {
  const say = { getName: () => "x", getDescription: () => "d", handler: () => 1 };
  const broken: [string, () => unknown, RegExp][] = [
    ["getName throws", () => ({ ...say, getName: () => fail() }), /^tool Broken: getName\(\) threw \(boom\)\. /],
    ["getDescription throws", () => ({ ...say, getDescription: () => fail() }), /getDescription\(\) threw \(boom\)/],
    ["getInputSchema throws", () => ({ ...say, getInputSchema: () => fail() }), /^tool x: getInputSchema\(\) threw/],
    [
      "a schema that ArkType refuses",
      () => ({ ...say, getInputSchema: () => Assert({ a: "strng" } as never) }),
      /strng/,
    ],
    [
      "a name that is no text",
      () => ({ ...say, getName: () => 5 }),
      /getName\(\) gave 5; it must give a text, at once/,
    ],
    ["a name that is undefined", () => ({ ...say, getName: () => undefined }), /getName\(\) gave undefined/],
    ["a name that is a promise", () => ({ ...say, getName: async () => "x" }), /getName\(\) gave a promise/],
    [
      "a name that is no member",
      () => ({ getDescription: say.getDescription, handler: say.handler }),
      /the class Broken has no getName; write `getName\(\)`/,
    ],
    ["a name that is no function", () => ({ ...say, getName: "x" }), /getName is "x", and not a function/],
    ["a description that is no text", () => ({ ...say, getDescription: () => null }), /getDescription\(\) gave null/],
    [
      "a schema that is none",
      () => ({ ...say, getInputSchema: () => undefined }),
      /gave undefined; it must give a schema; leave the member out/,
    ],
    [
      "a schema that is a promise",
      () => ({ ...say, getInputSchema: async () => Assert({}) }),
      /getInputSchema\(\) gave a promise/,
    ],
    [
      "a schema that is an object of any kind",
      () => ({ ...say, getInputSchema: () => ({ type: "object" }) }),
      /^tool x: input: /,
    ],
    ["a schema of no object", () => ({ ...say, getInputSchema: () => z.string() }), /^tool x: input: /],
    ["no handler", () => ({ ...say, handler: undefined }), /has no handler; write `handler\(param, ctx\)`/],
    ["a handler that is none", () => ({ ...say, handler: 5 }), /handler is 5, and not a function/],
    ["a bad name", () => ({ ...say, getName: () => "not good" }), /^tool not good: name must match/],
    ["an empty description", () => ({ ...say, getDescription: () => " " }), /description must be a text/],
  ];
  function fail(): never {
    throw new Error("boom");
  }
  test.each(broken)("%s", async (_name, members, message) => {
    class Broken {
      constructor() {
        Object.assign(this, members());
      }
    }
    decorator.tool()(Broken as never);
    const faults = await faultsOf(Broken);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
    expect(() => toolDefinitionOf(Broken as never)).toThrow(/cannot be used/);
  });

  test("both of two faults are told, and so is every other fault of the app", async () => {
    @decorator.tool()
    class Two implements ITool {
      getName = (): string => 1 as never;
      getDescription = (): string => 2 as never;
      handler = (): void => {};
    }
    expect(await faultsOf(Two)).toHaveLength(2);
  });

  test("a constructor that throws", async () => {
    @decorator.tool()
    class Throws implements ITool {
      constructor() {
        throw new Error("no disk");
      }
      getName = (): string => "throws";
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    const [fault] = await faultsOf(Throws);
    expect(fault).toMatch(/^tool Throws: the constructor threw \(no disk\)\. /);
    expect(fault).toMatch(wayOut);
  });

  test.each([
    ["reads of a dependency", (client: Client) => void client.ask],
    ["calls one", (client: Client) => void client.ask()],
    ["sets something on one", (client: Client) => void ((client as { x?: number }).x = 1)],
    ["asks what one has", (client: Client) => void ("ask" in client)],
    ["makes text of one", (client: Client) => void JSON.stringify(client)],
    ["copies one", (client: Client) => void Object.keys(client)],
  ])("a constructor that %s", async (_name, use) => {
    @decorator.tool()
    class Eager implements ITool {
      constructor(@inject(Client) client: Client) {
        use(client);
        did.push("the constructor went on");
      }
      getName = (): string => "eager";
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    const [fault] = await faultsOf(Eager);
    expect(fault).toMatch(/^tool Eager: the constructor uses Client, which is not there yet\. /);
    expect(fault).toMatch(wayOut);
    expect(did).toEqual([]);
  });

  test("a name that is known is compared with the others, whatever else is wrong", async () => {
    @decorator.tool({ deps: [Client] })
    class First implements ITool {
      readonly text: string;
      constructor(client: Client) {
        this.text = client.ask();
      }
      getName(): string {
        return "twice";
      }
      getDescription(): string {
        return this.text;
      }
      handler(): void {}
    }
    @decorator.tool({ acces: "write" } as never)
    class Second implements ITool {
      getName = (): string => "twice";
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    expect((await faultsOf(First, Second)).map((fault) => fault.slice(0, 40))).toEqual([
      "tool twice: the constructor uses Client,",
      "agent a: two tools have the name twice",
      "tool twice: unknown option `acces`; did ",
    ]);
  });

  test("an object in the place of its class", async () => {
    @decorator.tool()
    class Made implements ITool {
      getName = (): string => "made";
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    @Tool({ name: "decorated", description: "d" })
    class Decorated {
      run(): void {}
    }
    const [made, decorated, other] = await faultsOf(new Made(), new Decorated(), { name: "x" });
    expect(made).toBe(
      "agent a: tools[0] is an object of the class Made; pass the class, and what its constructor takes in `providers`",
    );
    expect(decorated).toMatch(/tools\[1\] is an object of the class Decorated; pass the class/);
    expect(other).toMatch(/tools\[2\] is no tool: an object; decorate it/);
    expect(() => toolOf(Made as never)).toThrow(/toolOf takes an object of a tool's class: the class Made/);
  });

  test("a name that depends on a dependency is not guessed", async () => {
    @decorator.tool({ deps: [WORD] })
    class Named implements ITool {
      constructor(private readonly word: string) {}
      getName = (): string => `say_${this.word}`;
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    expect((await faultsOf(Named))[0]).toMatch(/^tool Named: getName\(\) uses WORD, which is not there yet/);
    expect(() => toolOf(new Named("hello"))).toThrow(/getName\(\) uses WORD/);
  });

  test("a dependency that nobody names is told as such", async () => {
    @decorator.tool()
    class Forgot implements ITool {
      constructor(readonly client: Client) {}
      getName = (): string => "forgot";
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    expect(await faultsOf(Forgot)).toEqual([
      expect.stringMatching(/^tool forgot: Forgot: the constructor takes 1 parameter and nothing says/),
    ]);
  });

  test.each([
    [{ acces: "write" }, /unknown option `acces`; did you mean `access`\?/],
    [{ access: "rw" }, /access must be/],
    [{ name: "x" }, /name is no option of @decorator.tool\(\); the class says it with getName\(\)/],
    [{ input: z.object({}) }, /the class says it with getInputSchema\(\)/],
    [{ durable: true }, /durable is no option/],
    [{ scope: "transient" }, /scope must be "singleton" or "run", not "transient"/],
    [5, /the options must be a plain object/],
    [null, /the options must be a plain object/],
  ])("options that are none: %j", async (options, message) => {
    class Optioned implements ITool {
      getName = (): string => "optioned";
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    decorator.tool(options as never)(Optioned);
    const faults = await faultsOf(Optioned);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  test("a class without the decorator, and a subclass without its own", async () => {
    class Plain implements ITool {
      getName = (): string => "plain";
      getDescription = (): string => "d";
      handler = (): void => {};
    }
    expect((await faultsOf(Plain))[0]).toMatch(/no tool: Plain; decorate it with @Tool or @decorator\.tool\(\)/);
    decorator.tool()(Plain);
    expect(await faultsOf(Plain)).toEqual([]);
    class Sub extends Plain {}
    expect((await faultsOf(Sub))[0]).toMatch(/no tool: Sub/);
  });

  test("a class in two forms at once", async () => {
    @Tool({ name: "both", description: "d" })
    @decorator.tool()
    class Both implements ITool {
      getName = (): string => "both";
      getDescription = (): string => "d";
      handler = (): void => {};
      run(): void {}
    }
    expect((await faultsOf(Both))[0]).toMatch(/has both @Tool and @decorator\.tool\(\)/);
  });
});

describe("what is constructed, and when", () => {
  test("nothing, where the three are methods that use no fields", async () => {
    @decorator.tool({ deps: [Client] })
    class Methods implements ITool {
      readonly answer: string;
      constructor(client: Client) {
        did.push("constructed");
        this.answer = client.ask();
      }
      getName(): string {
        return this.prefix("methods");
      }
      getDescription(): string {
        return "d";
      }
      handler(): string {
        return this.answer;
      }
      prefix(name: string): string {
        return `my_${name}`;
      }
    }
    expect(toolDefinitionOf(Methods).name).toBe("my_methods");
    expect(await faultsOf(Methods)).toEqual([]);
    expect(did).toEqual([]);
    expect(await toolOf(new Methods(new Client())).invoke()).toEqual({ kind: "ok", value: "answer" });
  });

  test("nothing either where `handler` is a field, also one that hides a method", async () => {
    class Base {
      handler(): string {
        return "of Base";
      }
    }
    @decorator.tool({ deps: [Client] })
    class Arrow extends Base implements ITool {
      readonly answer: string;
      constructor(client: Client) {
        super();
        did.push("constructed");
        this.answer = client.ask();
      }
      getName(): string {
        return "arrow";
      }
      getDescription(): string {
        return "d";
      }
      getInputSchema() {
        return Assert({ "word?": "string" });
      }
      override handler = (): string => this.answer;
    }
    expect(toolDefinitionOf(Arrow).name).toBe("arrow");
    expect(await faultsOf(Arrow)).toEqual([]);
    expect(did).toEqual([]);
    expect(await toolOf(new Arrow(new Client())).invoke()).toEqual({ kind: "ok", value: "answer" });
  });

  test("where it has to be, and its constructor uses a dependency, the fault says why it had to be", async () => {
    @decorator.tool({ deps: [Client] })
    class Copies implements ITool {
      answer = "";
      constructor(client: Client) {
        Object.assign(this, { answer: client.ask() });
      }
      getName(): string {
        return "copies";
      }
      getDescription(): string {
        return "d";
      }
      handler(): string {
        return this.answer;
      }
    }
    const [copies] = await faultsOf(Copies);
    expect(copies).toMatch(wayOut);
    expect(copies).toMatch(/It had to be called here: its source has `assign`$/);

    @decorator.tool({ deps: [Client] })
    class Prefixed implements ITool {
      readonly prefix: string;
      constructor(client: Client) {
        this.prefix = client.ask();
      }
      getName(): string {
        return `${this.prefix}_x`;
      }
      getDescription(): string {
        return "d";
      }
      handler(): void {}
    }
    expect((await faultsOf(Prefixed))[0]).toMatch(
      /nothing is constructed\. It had to be called here: getName\(\) threw \(this\.prefix is not there without a constructor\)$/,
    );
  });

  test("one object with stand-ins, once, where fields are used; it passes instanceof, and may be kept and passed on", async () => {
    @decorator.tool({ deps: [Client, optional(WORD)] })
    class Fields implements ITool {
      private readonly prefix = "my";
      constructor(
        private readonly client: Client,
        word?: string,
      ) {
        did.push(`${client instanceof Client} ${word === undefined}`);
        void Promise.resolve(client);
      }
      getName(): string {
        return `${this.prefix}_fields`;
      }
      getDescription(): string {
        return "d";
      }
      handler(): string {
        return this.client.ask();
      }
    }
    for (let i = 0; i < 3; i++) expect(toolDefinitionOf(Fields).name).toBe("my_fields");
    expect(await faultsOf(Fields)).toEqual([]);
    expect(did).toEqual(["true false"]);
  });

  test("a private field, an inherited field and a field that hides a method are read from an object", async () => {
    class Base implements ITool {
      getName = (): string => "of_base";
      getDescription(): string {
        return "d";
      }
      handler(): number {
        return 1;
      }
    }
    @decorator.tool()
    class Hidden extends Base {
      // @ts-expect-error the field of the base class hides it
      override getName(): string {
        return "of_sub";
      }
    }
    expect(toolDefinitionOf(Hidden).name).toBe(new Hidden().getName());

    @decorator.tool()
    class Private implements ITool {
      readonly #name = "private";
      getName(): string {
        return this.#name;
      }
      getDescription(): string {
        return "d";
      }
      handler(): number {
        return 1;
      }
    }
    expect(toolDefinitionOf(Private).name).toBe("private");
  });
});

test("what asks which members there are is asked of an object", () => {
  class Base {
    readonly field = "real";
    getDescription(): string {
      return "d";
    }
    handler(): void {}
  }
  class Spread extends Base {
    getName(): string {
      // oxlint-disable-next-line typescript/no-misused-spread -- what a class may do, and what is read here
      return `my_${{ ...this }.field}`;
    }
  }
  class Keys extends Base {
    getName(): string {
      return `my_${Object.keys(this).length}`;
    }
  }
  class Own extends Base {
    getName(): string {
      return `my_${Object.hasOwn(this, "field")}`;
    }
  }
  class Private extends Base {
    readonly #x = 1;
    getName(): string {
      return #x in this ? `my_${this.#x}` : "bare";
    }
  }
  for (const cls of [Spread, Keys, Own, Private]) {
    decorator.tool()(cls);
    expect(toolDefinitionOf(cls).name).toBe(new cls().getName());
  }
});

test("a hook that only reading gives is asked", async () => {
  class Guarded {
    constructor() {
      return new Proxy(this, {
        get: (target, name, receiver): unknown =>
          name === "onBeforeCall" ? () => ({ action: "deny", reason: "no" }) : Reflect.get(target, name, receiver),
      });
    }
    getName(): string {
      return "guarded";
    }
    getDescription(): string {
      return "d";
    }
    handler(): string {
      return "ran";
    }
  }
  decorator.tool()(Guarded);
  expect(await toolOf(new Guarded()).invoke()).toMatchObject({ kind: "error", code: "denied" });
});

test("a field that a compiler sets with a helper of its own is seen", () => {
  const setField = (target: object, name: string, value: unknown): void => void Reflect.set(target, name, value);
  class Lowered {
    constructor() {
      setField(this, "getInputSchema", () => Assert({ city: "string" }));
    }
    getName(): string {
      return "lowered";
    }
    getDescription(): string {
      return "d";
    }
    handler(): void {}
  }
  decorator.tool()(Lowered);
  expect(toolDefinitionOf(Lowered).inputSchema).toMatchObject({ required: ["city"] });
});

test("a Zod schema and a DTO class do as a schema, too", async () => {
  class Words {
    @Text({ min: 2 }) text!: string;
  }
  @decorator.tool()
  class WithDto implements ITool<Words, boolean> {
    getName = (): string => "with_dto";
    getDescription = (): string => "d";
    getInputSchema = () => Words;
    handler = (param: Words): boolean => param instanceof Words;
  }
  expect(await toolOf(new WithDto()).invoke({ text: "ab" })).toEqual({ kind: "ok", value: true });
  expect(await toolOf(new WithDto()).invoke({ text: "a" })).toMatchObject({ code: "invalid_input" });

  @decorator.tool()
  class WithZod implements ITool<{ n: number }, number> {
    getName = (): string => "with_zod";
    getDescription = (): string => "d";
    getInputSchema = () => z.object({ n: z.number().default(4) });
    handler = ({ n }: { n: number }): number => n;
  }
  expect(await toolOf(new WithZod()).invoke({})).toEqual({ kind: "ok", value: 4 });
});
