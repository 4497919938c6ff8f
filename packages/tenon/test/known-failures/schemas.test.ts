import { type as ark } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  AssemblyError,
  createApp,
  defineTool,
  jsonSchema,
  loadSchemas,
  Tool,
  toolDefinitionOf,
} from "../../src/doors/tenon/index.js";
import { Choice, Flag, Int, ListOf, Nested, Num, PlainText, Text } from "../../src/doors/dto/index.js";
import { callAll, rawCall, replyWith, scriptedModel, type WireTool } from "../../src/doors/testing/index.js";
import { agentOf, play, resultsIn, ways } from "./wire.js";

const done = replyWith("done");

/** The tools that a run with them sends. */
async function sent(...tools: Parameters<typeof agentOf>[0]): Promise<readonly WireTool[]> {
  return (await play(tools, [done])).requests[0]!.tools;
}

type Node = { readonly [key: string]: unknown };

/** Every schema inside a schema. */
function* nodes(node: unknown): Generator<Node> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node) && ("type" in node || "$ref" in node || "anyOf" in node)) yield node;
  for (const member of Object.values(node)) yield* nodes(member);
}

@Tool({ name: "ping", description: "Pings." })
class Ping {
  run(): string {
    return "pong";
  }
}

describe("what the model is shown", () => {
  test("[B53] a tool without input is an object with properties, in every form", async () => {
    class Empty {
      @Text({ optional: true }) maybe?: string;
    }
    const tools = await sent(
      Ping,
      defineTool({ name: "bare", description: "Bare.", run: () => 1 }),
      defineTool({ name: "zod_empty", description: "Empty.", input: z.object({}), run: () => 1 }),
      defineTool({ name: "zod_strict", description: "Empty.", input: z.strictObject({}), run: () => 1 }),
      defineTool({ name: "zod_loose", description: "Loose.", input: z.looseObject({}), run: () => 1 }),
      defineTool({ name: "all_optional", description: "Optional.", input: Empty, run: () => 1 }),
      defineTool({ name: "plain", description: "Plain.", input: PlainText, run: () => 1 }),
    );
    expect(tools).toHaveLength(7);
    for (const { name, inputSchema } of tools) {
      expect(inputSchema, name).toMatchObject({ type: "object", properties: expect.any(Object) });
      expect(inputSchema, name).not.toHaveProperty("$schema");
      for (const key of ["anyOf", "oneOf", "allOf", "$ref"]) expect(inputSchema, name).not.toHaveProperty(key);
    }
    expect(tools[0]!.inputSchema).toEqual({ type: "object", properties: {}, additionalProperties: false });
    expect(tools[1]!.inputSchema).toEqual(tools[0]!.inputSchema);
  });

  class Leaf {
    @ListOf("int") numbers!: number[];
  }
  class Branch {
    @ListOf("text") names!: string[];
    @ListOf(Leaf) leaves!: Leaf[];
    @ListOf(ListOf(Choice(["a", "b"]))) grid!: ("a" | "b")[][];
    @ListOf(() => Branch, { optional: true }) children?: Branch[];
  }

  test("[B53] every list says what is in it, at every depth", async () => {
    const tools = await sent(
      defineTool({ name: "dto", description: "DTO.", input: Branch, run: () => 1 }),
      defineTool({
        name: "zod",
        description: "Zod.",
        input: z.object({
          any: z.array(z.unknown()),
          lists: z.array(z.array(z.string())),
          pair: z.tuple([z.string(), z.int()]),
        }),
        run: () => 1,
      }),
    );
    for (const { name, inputSchema } of tools) {
      const lists = [...nodes(inputSchema)].filter(({ type }) => type === "array");
      expect(lists.length, name).toBeGreaterThan(3);
      for (const list of lists)
        expect("items" in list || "prefixItems" in list, `${name} ${JSON.stringify(list)}`).toBe(true);
    }
  });

  test("[B53] a schema of some other library is mended: properties at the root, items in lists", async () => {
    const json = { $schema: "x", type: "object", additionalProperties: { type: "array" } };
    const own = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => json, output: () => json },
      },
    } as const;
    const [only] = await sent(defineTool({ name: "own", description: "Own.", input: own, run: () => 1 }));
    expect(only!.inputSchema).toEqual({
      type: "object",
      properties: {},
      additionalProperties: { type: "array", items: {} },
    });
  });

  test("[B53] schemas that hold themselves are checked each by itself, down to the bottom", async () => {
    const Tree = z.object({
      name: z.string(),
      get kids() {
        return z.array(Tree).optional();
      },
    });
    const Chain = z.object({
      n: z.int(),
      get next() {
        return Chain.optional();
      },
    });
    const seen: unknown[] = [];
    const tools = [
      defineTool({ name: "tree", description: "Tree.", input: Tree, run: (input) => void seen.push(input) }),
      defineTool({ name: "chain", description: "Chain.", input: Chain, run: (input) => void seen.push(input) }),
    ] as const;
    const good = {
      tree: { name: "a", kids: [{ name: "b", kids: [] }] },
      chain: { n: 1, next: { n: 2, next: { n: 3 } } },
    };
    const turn = callAll(
      rawCall({ id: "a", name: "tree", arguments: JSON.stringify(good.tree) }),
      rawCall({ id: "b", name: "chain", arguments: JSON.stringify(good.chain) }),
      rawCall({ id: "c", name: "tree", arguments: '{"name":"a","kids":[{"name":"b","kids":[{"name":5}]}]}' }),
      rawCall({ id: "d", name: "chain", arguments: '{"n":1,"next":{"n":2,"next":{"name":"x"}}}' }),
    );
    const results = resultsIn((await play(tools, [turn, done])).requests[1]);
    expect(seen).toEqual([good.tree, good.chain]);
    expect(results[2]).toMatchObject({ isError: true, text: expect.stringContaining("kids[0].kids[0].name: ") });
    expect(results[3]).toMatchObject({ isError: true, text: expect.stringContaining("next.next.n: ") });
  });

  test.each([
    ["a union", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ["a text", z.string()],
    ["a list", z.array(z.string())],
  ])("[B53] a root that is %s is refused at assembly, or sent as an object", async (_kind, input) => {
    const tool = defineTool({
      name: "odd",
      description: "Odd.",
      input: input as unknown as typeof PlainText,
      run: () => 1,
    });
    const thrown: unknown = await createApp(agentOf([tool]), { models: { default: scriptedModel() }, env: {} }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (thrown === undefined)
      expect(toolDefinitionOf(tool).inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
    else expect(AssemblyError.is(thrown) && thrown.message).toMatch(/odd/);
  });

  class Inner {
    @Text({ prompt: "text of nested" }) inside!: string;
  }
  class Everything {
    @Text({ prompt: "text of required" }) required!: string;
    @Int({ prompt: "text of optional", optional: true }) optional?: number;
    @Num({ prompt: "text of nullable", nullable: true }) nullable!: number | null;
    @Flag({ prompt: "text of defaulted", default: true }) defaulted!: boolean;
    @Nested(Inner, { prompt: "text of object" }) object!: Inner;
    @ListOf(Inner, { prompt: "text of list" }) list!: Inner[];
    @ListOf(Text({ prompt: "text of item" })) items!: string[];
    @Choice(["a", "b"], { prompt: "text of enum" }) choice!: "a" | "b";
    @Nested(() => Everything, { prompt: "text of recursion", optional: true }) again?: Everything;
  }
  const zodEverything = z.object({
    required: z.string().describe("text of required"),
    optional: z.int().optional().describe("text of optional"),
    nullable: z.number().nullable().describe("text of nullable"),
    defaulted: z.boolean().default(true).describe("text of defaulted"),
    object: z.object({ inside: z.string().describe("text of nested") }).describe("text of object"),
    list: z.array(z.object({ inside: z.string() })).describe("text of list"),
    items: z.array(z.string().describe("text of item")),
    choice: z.enum(["a", "b"]).describe("text of enum"),
    get again() {
      return zodEverything.optional().describe("text of recursion");
    },
  }) as z.ZodType;
  const arkInner = ark({ inside: ark("string").describe("text of nested") });
  const arkEverything = ark({
    required: ark("string").describe("text of required"),
    "optional?": ark("number.integer").describe("text of optional"),
    nullable: ark("number | null").describe("text of nullable"),
    defaulted: ark("boolean").describe("text of defaulted").default(true),
    object: arkInner.describe("text of object", "self"),
    list: arkInner.array().describe("text of list", "self"),
    items: ark("string").describe("text of item").array(),
    choice: ark.enumerated("a", "b").describe("text of enum"),
    "again?": ark({ "again?": "unknown" }).describe("text of recursion", "self"),
  });
  const told = <S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text));
  const valibotInner = v.object({ inside: told(v.string(), "text of nested") });
  const valibotEverything: v.GenericSchema = v.object({
    required: told(v.string(), "text of required"),
    optional: v.optional(told(v.pipe(v.number(), v.integer()), "text of optional")),
    nullable: told(v.nullable(v.number()), "text of nullable"),
    defaulted: told(v.optional(v.boolean(), true), "text of defaulted"),
    object: told(valibotInner, "text of object"),
    list: told(v.array(v.object({ inside: v.string() })), "text of list"),
    items: v.array(told(v.string(), "text of item")),
    choice: told(v.picklist(["a", "b"]), "text of enum"),
    again: told(v.optional(v.lazy(() => valibotEverything)), "text of recursion"),
  });
  const part = (schema: object, text: string): object => ({ ...schema, description: `text of ${text}` });
  const inside = { type: "object", properties: { inside: part({ type: "string" }, "nested") } };
  const givenEverything = jsonSchema({
    type: "object",
    properties: {
      required: part({ type: "string" }, "required"),
      optional: part({ type: "integer" }, "optional"),
      nullable: part({ type: ["number", "null"] }, "nullable"),
      defaulted: part({ type: "boolean", default: true }, "defaulted"),
      object: part(inside, "object"),
      list: part({ type: "array", items: { type: "object" } }, "list"),
      items: { type: "array", items: part({ type: "string" }, "item") },
      choice: part({ type: "string", enum: ["a", "b"] }, "enum"),
      again: part({ $ref: "#" }, "recursion"),
    },
    required: ["required"],
  });
  const texts = [
    "required",
    "optional",
    "nullable",
    "defaulted",
    "nested",
    "object",
    "list",
    "item",
    "enum",
    "recursion",
  ].map((name) => `text of ${name}`);

  test.each([
    ["DTO", Everything],
    ["Zod", zodEverything],
    ["ArkType", arkEverything],
    ["Valibot", valibotEverything],
    ["JSON Schema", givenEverything],
  ])("[B56] every description is sent, at every depth (%s)", async (_kind, input) => {
    const tool = defineTool({
      name: "all",
      description: "Everything.",
      input: input as typeof Everything,
      run: () => 1,
    });
    const [only] = await sent(tool);
    expect(only!.description).toBe("Everything.");
    const found = new Set([...nodes(only!.inputSchema)].map(({ description }) => description));
    await loadSchemas(tool);
    for (const text of texts) expect(found, text).toContain(text);
    expect(toolDefinitionOf(tool)).toEqual({ name: "all", description: "Everything.", inputSchema: only!.inputSchema });
  });

  test("[B56] a class that inherits fields shows theirs, and two agents that share a tool send the same", async () => {
    class Child extends Inner {
      @Text({ prompt: "its own text" }) own!: string;
    }
    const tool = defineTool({ name: "child", description: "Child.", input: Child, run: () => 1 });
    const [first] = await sent(tool);
    const [again] = await sent(Ping, tool).then((tools) => tools.slice(1));
    expect(first!.inputSchema).toMatchObject({
      properties: { inside: { description: "text of nested" }, own: { description: "its own text" } },
    });
    expect(again).toEqual(first);
  });
});

describe.each(ways)("what the handler gets, %s", (way) => {
  const Event = z.object({
    at: z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
    name: z.string().trim().min(2),
    length: z.string().transform((text) => text.length),
    count: z.int().default(3),
    mail: z
      .string()
      .refine(async (text) => text.includes("@"), { error: "is no mail address" })
      .optional(),
  });

  test("[B58] Zod: the model is shown the input, the handler gets the output, the types say so", async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: "plan",
      description: "Plans.",
      input: Event,
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{
          at: Date;
          name: string;
          length: number;
          count: number;
          mail?: string | undefined;
        }>();
        expect(input.at).toBeInstanceOf(Date);
        seen.push(input);
        return input.at;
      },
    });
    const given = { at: "2026-01-02T03:04:05Z", name: "  Ann ", length: "four" };
    const { requests, stored } = await play(
      [tool],
      [rawCall({ id: "a", name: "plan", arguments: JSON.stringify({ ...given, mail: "a@b" }) }), done],
      way,
    );
    expect(requests[0]!.tools[0]!.inputSchema).toMatchObject({
      properties: {
        at: { type: "string", format: "date-time" },
        name: { type: "string" },
        length: { type: "string" },
        count: { type: "integer", default: 3 },
      },
      required: ["at", "name", "length"],
    });
    expect(seen).toEqual([{ at: new Date("2026-01-02T03:04:05Z"), name: "Ann", length: 4, count: 3, mail: "a@b" }]);
    expect(stored[0]!.result).toEqual({ kind: "ok", value: "2026-01-02T03:04:05.000Z" });
  });

  test.each([
    [{ at: "tomorrow", name: "Ann", length: "x" }, "at"],
    [{ at: "2026-01-02T03:04:05Z", name: " x ", length: "x" }, "name"],
    [{ at: "2026-01-02T03:04:05Z", name: "Ann", length: 4 }, "length"],
    [{ at: "2026-01-02T03:04:05Z", name: "Ann", length: "x", mail: "nobody" }, "mail"],
  ])("[B58] Zod: what its own checks refuse is an error with the path: %j", async (given, path) => {
    let ran = 0;
    const tool = defineTool({ name: "plan", description: "Plans.", input: Event, run: () => ++ran });
    const { requests } = await play(
      [tool],
      [rawCall({ id: "a", name: "plan", arguments: JSON.stringify(given) }), done],
      way,
    );
    expect(resultsIn(requests[1])).toMatchObject([{ isError: true, text: expect.stringContaining(`${path}: `) }]);
    expect(ran).toBe(0);
  });

  test("[B58] a transform that throws, at the check or at the handler, is the call's error", async () => {
    let asked = 0;
    const input = z.object({
      text: z.string().transform((text) => {
        if (++asked > (text === "late" ? 1 : 0)) throw new Error("the transform fails");
        return text;
      }),
    });
    for (const text of ["early", "late"]) {
      asked = 0;
      const tool = defineTool({ name: "plan", description: "Plans.", input, run: () => "ran" });
      const { result, requests } = await play(
        [tool],
        [rawCall({ id: "a", name: "plan", arguments: JSON.stringify({ text }) }), done],
        way,
      );
      expect(result.status).toBe("completed");
      expect(resultsIn(requests[1])).toMatchObject([{ isError: true }]);
    }
  });

  const ArkEvent = ark({
    at: "string.date.iso.parse",
    name: ark("string")
      .pipe((text) => text.trim())
      .to("string >= 2"),
    length: ark("string").pipe((text) => text.length),
    count: "number.integer = 3",
    "mail?": ark("string").narrow((text, ctx) => text.includes("@") || ctx.mustBe("a mail address")),
  });
  const ValibotEvent = v.objectAsync({
    at: v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.transform((text) => new Date(text)),
    ),
    name: v.pipe(v.string(), v.trim(), v.minLength(2)),
    length: v.pipe(
      v.string(),
      v.transform((text) => text.length),
    ),
    count: v.optional(v.pipe(v.number(), v.integer()), 3),
    mail: v.optionalAsync(
      v.pipeAsync(
        v.string(),
        v.checkAsync(async (text) => text.includes("@"), "is no mail address"),
      ),
    ),
  });
  interface Planned {
    at: Date;
    name: string;
    length: number;
    count: number;
    mail?: string | undefined;
  }
  const planned: Planned[] = [];
  const plans = {
    ArkType: defineTool({
      name: "plan",
      description: "Plans.",
      input: ArkEvent,
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{ at: Date; name: string; length: number; count: number; mail?: string }>();
        planned.push(input);
        return input.at;
      },
    }),
    Valibot: defineTool({
      name: "plan",
      description: "Plans.",
      input: ValibotEvent,
      run(input) {
        expectTypeOf(input).toEqualTypeOf<Planned>();
        planned.push(input);
        return input.at;
      },
    }),
  };
  const kinds = ["ArkType", "Valibot"] as const;

  test.each(kinds)(
    "[B58] %s: the model is shown the input, the handler gets the output, the types say so",
    async (kind) => {
      planned.length = 0;
      const given = { at: "2026-01-02T03:04:05Z", name: "  Ann ", length: "four", mail: "a@b" };
      const { requests, stored } = await play(
        [plans[kind]],
        [rawCall({ id: "a", name: "plan", arguments: JSON.stringify(given) }), done],
        way,
      );
      expect(requests[0]!.tools[0]!.inputSchema).toMatchObject({
        properties: {
          at: { type: "string" },
          name: { type: "string" },
          length: { type: "string" },
          count: { type: "integer" },
          mail: { type: "string" },
        },
        required: expect.arrayContaining(["at", "name", "length"]),
      });
      expect((requests[0]!.tools[0]!.inputSchema as { required: unknown[] }).required).toHaveLength(3);
      expect(planned).toEqual([
        { at: new Date("2026-01-02T03:04:05Z"), name: "Ann", length: 4, count: 3, mail: "a@b" },
      ]);
      expect(planned[0]!.at).toBeInstanceOf(Date);
      expect(stored[0]!.result).toEqual({ kind: "ok", value: "2026-01-02T03:04:05.000Z" });
    },
  );

  test.each(
    kinds.flatMap((kind) => [
      [kind, { at: "tomorrow", name: "Ann", length: "x" }, "at"] as const,
      [kind, { at: "2026-01-02T03:04:05Z", name: " x ", length: "x" }, "name"] as const,
      [kind, { at: "2026-01-02T03:04:05Z", name: "Ann", length: 4 }, "length"] as const,
      [kind, { at: "2026-01-02T03:04:05Z", name: "Ann", length: "x", mail: "nobody" }, "mail"] as const,
    ]),
  )("[B58] %s: what its own checks refuse is an error with the path: %j", async (kind, given, path) => {
    planned.length = 0;
    const { requests } = await play(
      [plans[kind]],
      [rawCall({ id: "a", name: "plan", arguments: JSON.stringify(given) }), done],
      way,
    );
    expect(resultsIn(requests[1])).toMatchObject([{ isError: true, text: expect.stringContaining(`${path}: `) }]);
    expect(planned).toEqual([]);
  });

  class Where {
    @Text() city!: string;
    shown(): string {
      return `in ${this.city}`;
    }
  }
  class Ask {
    @Nested(Where) where!: Where;
    @Int({ default: 3 }) days!: number;
    @ListOf(Where, { optional: true }) more?: Where[];
    constructor(..._any: unknown[]) {
      throw new Error("no constructor runs");
    }
    note = "an initializer";
  }

  test("[B58] DTO: the handler gets instances with exactly the checked fields, defaults filled in, no constructor run", async () => {
    const seen: Ask[] = [];
    const tool = defineTool({
      name: "ask",
      description: "Asks.",
      input: Ask,
      run(input) {
        expectTypeOf(input).toEqualTypeOf<Ask>();
        seen.push(input);
        return input.where.shown();
      },
    });
    const { requests } = await play(
      [tool],
      [rawCall({ id: "a", name: "ask", arguments: '{"where":{"city":"Ulm"},"more":[{"city":"Bonn"}]}' }), done],
      way,
    );
    expect(resultsIn(requests[1])).toMatchObject([{ text: "in Ulm", isError: false }]);
    expect(seen[0]).toBeInstanceOf(Ask);
    expect(seen[0]!.more![0]!.shown()).toBe("in Bonn");
    expect(Object.keys(seen[0]!)).toEqual(["where", "days", "more"]);
    expect(seen[0]!.days).toBe(3);
    expect(requests[0]!.tools[0]!.inputSchema).toMatchObject({
      properties: { days: { type: "integer", default: 3 } },
      required: ["where"],
    });
  });
});
