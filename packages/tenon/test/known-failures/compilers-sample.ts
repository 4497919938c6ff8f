// One source for every compiler: tools, their DTOs and an agent, and what a run of them gives. `compilers.test.ts` compiles it in each way there is.
import { Agent, createApp, memoryStore, token, Tool, Workflow, type ToolContext } from "tenon";
import { Choice, Flag, Int, ListOf, Nested, Text } from "tenon/dto";
import { Assert, decorator, type AssertType, type ITool } from "tenon/itool";
import { callAll, callTool, rawCall, replyWith, scriptedModel } from "tenon/testing";

interface Clock {
  today(): string;
}
const CLOCK = token<Clock>("CLOCK");

class Item {
  @Text({ prompt: "Which one." }) id!: string;
  @Int({ optional: true }) count?: number;
}
class Base {
  @Text({ min: 1 }) query!: string;
  @Flag({ optional: true }) deep?: boolean;
}
class Search extends Base {
  @Int({ default: 10, prompt: "How many." }) limit!: number;
  @Choice(["up", "down"], { nullable: true }) order!: "up" | "down" | null;
  @ListOf(() => Item, { optional: true }) items?: Item[];
  @Nested(() => Search, { optional: true }) next?: Search;
  @Text({ optional: true }) unset!: string | undefined;
  note = "an initializer";
}
class Found {
  @Text() told!: string;
  @ListOf("text") keys!: string[];
  @Text({ optional: true }) unset?: string;
}

@Tool({ name: "search", description: "Searches.", input: Search, output: Found, deps: [CLOCK] })
class SearchTool {
  unset!: string;
  calls = 0;
  constructor(private readonly clock: Clock) {}
  run(input: Search, _ctx: ToolContext): Found {
    this.calls++;
    return {
      told: `${input.query} ${input.limit} ${this.clock.today()} ${input instanceof Search} ${input.items?.[0] instanceof Item} ${this.calls} ${"unset" in input}`,
      keys: Object.keys(input),
    };
  }
}

@decorator.tool({ deps: [CLOCK] })
class Greet implements ITool<{ name: string }, string> {
  unset?: string;
  private readonly word = "Hello";
  constructor(private readonly clock: Clock) {}
  getName = (): string => "greet";
  getDescription = (): string => "Greets.";
  getInputSchema = (): AssertType => Assert({ name: "string" });
  handler = ({ name }: { name: string }): string => `${this.word} ${name} ${this.clock.today()}`;
}

/** Name and description are there without an object, the schema is not. */
@decorator.tool({ deps: [CLOCK] })
class Part implements ITool<{ name: string }, string> {
  constructor(readonly clock: Clock) {}
  getName(): string {
    return "part";
  }
  getDescription(): string {
    return "Parts.";
  }
  getInputSchema = (): AssertType => Assert({ name: "string" });
  handler({ name }: { name: string }): string {
    return `Bye ${name} ${this.clock.today()}`;
  }
}

@Agent({ name: "finder", description: "Finds.", prompt: "You find.", tools: [SearchTool, Greet, Part] })
class Finder {}

@Workflow({ name: "finders", agents: [Finder], providers: [{ provide: CLOCK, useValue: { today: () => "today" } }] })
class Finders {}

/** Everything that must not depend on the compiler. */
export async function report(): Promise<unknown> {
  const texts = [
    '{"query":"a","order":null}',
    '{"query":"b","order":"up","limit":"3","items":"[{\\"id\\":\\"1\\",\\"count\\":null}]","next":{"query":"c","order":"down"}}',
    '{"query":"","order":"left"}',
    '{"query":"d","order":null,"note":"x"}',
    "",
  ];
  const model = scriptedModel(
    callAll(
      ...texts.map((text, i) => rawCall({ id: `c${i}`, name: "search", arguments: text })),
      callTool(Greet, { name: "Ann" }),
      callTool(Part, { name: "Bob" }),
    ),
    replyWith("done"),
  );
  const store = memoryStore();
  await using app = await createApp(Finders, { models: { default: model }, store, env: {} });
  const { status, text } = await app.run({ prompt: "go" }, { runId: "run-00001" });
  const records = store.records("run-00001");
  const results = records.flatMap(({ type, value }) => (type === "call" ? [value] : []));
  return { status, text, requests: model.requests, results, agents: app.describe().agents };
}
