// One source for every compiler: its DTOs and what they give. `dto-compilers.test.ts` compiles it in each way there is.
import {
  Choice,
  DateTime,
  Flag,
  Int,
  Json,
  ListOf,
  MapOf,
  Nested,
  OneOf,
  Text,
  compileSchema,
  jsonSchemaOf,
  loadValidator,
} from "./tenon-under-test.js";

class Item {
  @Text({ prompt: "Which one." }) id!: string;
  @Int({ optional: true }) count?: number;
}
class Base {
  @Text({ min: 1 }) query!: string;
  @Flag({ optional: true }) deep?: boolean;
}
class Near {
  @Choice(["near"]) kind!: "near";
  @MapOf(() => Item, { optional: true }) items?: Record<string, Item>;
}
class Far {
  @Choice(["far"]) kind!: "far";
  @Json({ optional: true }) where?: unknown;
}
class Search extends Base {
  @OneOf([Near, () => Far], { by: "kind", optional: true }) range?: Near | Far;
  @DateTime({ optional: true, prompt: "From when on." }) since?: string;
  @Int({ default: 10, prompt: "How many." }) limit!: number;
  @Choice(["up", "down"], { nullable: true }) order!: "up" | "down" | null;
  @ListOf(() => Item, { optional: true }) items?: Item[];
  @Nested(() => Search, { optional: true, prompt: "And then." }) next?: Search;
  @Text({ max: 5, prompt: "Once more." }) override query: string = "initial";
  note = "initial";
}
// Like a tool: its own fields have nothing to do with its input's.
class SearchTool {
  readonly input = Search;
  api!: { ask(): string };
  run(input: Search): string {
    return `${input.query} ${input.limit}`;
  }
}

/** Everything that must not depend on the compiler. */
export async function report(): Promise<unknown> {
  await loadValidator();
  const tool = new SearchTool();
  const schema = compileSchema(tool.input, "input");
  const check = (value: unknown): any => schema.check(value);
  const good = check({
    query: "abc",
    order: null,
    items: [{ id: "1", count: null }],
    next: { query: "d", order: "up" },
    range: { kind: "near", items: { a: { id: "2" } } },
    since: "2026-01-02T03:04:05Z",
    deep: "true",
  });
  const value = schema.toValue(good.input) as Search;
  return {
    json: jsonSchemaOf(Search),
    base: jsonSchemaOf(Base),
    good,
    bad: [
      check({}),
      check({ query: "too long", order: "left", note: "x" }),
      check({ query: 5, order: null, items: [{}] }),
      check({ query: "a", order: null, range: { kind: "far", items: 1 }, since: "soon" }),
    ],
    keys: [Object.keys(value), Object.keys(value.items![0]!), Object.keys(value.next!)],
    isInstance: [
      value instanceof Search,
      value.items![0] instanceof Item,
      value.next instanceof Search,
      value.range instanceof Near,
    ],
    run: tool.run(value),
  };
}
