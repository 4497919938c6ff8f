// What the types of tools cost the compiler: an app of many tools beside as many plain functions over the same plain classes.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** What the compiler says of one program. Times are in seconds; only the first does not depend on the machine. */
export interface TypeCost {
  readonly instantiations: number;
  readonly checkSeconds: number;
  readonly totalSeconds: number;
}

/** The source of an app with `count` tools in class form, each with two dependencies, three DTOs and eight fields. */
export function toolsSource(count: number): string {
  const all = range(count);
  return [
    `import { Agent, Tool, Workflow, createApp, provide, token, type ToolContext, type ToolHandler } from "tenon";`,
    `import { Choice, DateTime, Flag, Int, ListOf, MapOf, Nested, Text } from "tenon/dto";`,
    `interface Api { get(words: string): Promise<string> } const API = token<Api>("API");`,
    `class Store { private readonly size = 1; find(words: string): string[] { return [words + this.size] } }`,
    ...all.map(
      (n) => `
class Part${n} { @Text() sku!: string; @Int({ min: 1, default: 1 }) count!: number }
class Ask${n} {
  @Text({ prompt: "words", min: 1 }) words!: string; @Choice(["up", "down"], { optional: true }) order?: "up" | "down";
  @ListOf(Part${n}) parts!: Part${n}[]; @MapOf("num", { optional: true }) prices?: Record<string, number>;
}
class Told${n} { @Nested(() => Part${n}) first!: Part${n}; @DateTime() at!: string }
@Tool({ name: "tool_${n}", description: "Tool ${n}.", input: Ask${n}, output: Told${n}, deps: [API, Store] })
class Tool${n} implements ToolHandler<Ask${n}, Told${n}> {
  constructor(private readonly api: Api, private readonly store: Store) {}
  async run(input: Ask${n}, ctx: ToolContext): Promise<Told${n}> {
    ${body("this.api", "this.store", "ctx.callId")}
  }
}`,
    ),
    `@Agent({ name: "main", description: "Works.", tools: [${all.map((n) => `Tool${n}`).join(", ")}] }) class Main {}`,
    `@Workflow({ name: "app", agents: [Main], providers: [provide(API, { useValue: { get: async (words) => words } }), Store] }) class App {}`,
    `export const app = await createApp(App);`,
  ].join("\n");
}

/** The same work as plain functions in a program that uses the package: over classes without decorators, with the same context. */
export function plainSource(count: number): string {
  return [
    `import type { ToolContext } from "tenon";`,
    `interface Api { get(words: string): Promise<string> }`,
    `class Store { private readonly size = 1; find(words: string): string[] { return [words + this.size] } }`,
    ...range(count).map(
      (n) => `
class Part${n} { sku!: string; count!: number }
class Ask${n} { words!: string; order?: "up" | "down"; parts!: Part${n}[]; prices?: Record<string, number> }
class Told${n} { first!: Part${n}; at!: string }
export async function tool${n}(input: Ask${n}, ctx: ToolContext, api: Api, store: Store): Promise<Told${n}> {
  ${body("api", "store", "ctx.callId")}
}`,
    ),
  ].join("\n");
}

/** Type-checks one source against the built package, in the mode that the documentation recommends. Throws where it does not compile. */
export function typeCost(name: string, source: string): TypeCost {
  const dir = join(root, `packages/tenon/node_modules/.type-cost-${process.pid}-${name}`);
  mkdirSync(dir, { recursive: true });
  try {
    writeFileSync(join(dir, "package.json"), `{"type":"module"}`);
    writeFileSync(join(dir, "app.ts"), source);
    const compilerOptions = {
      target: "es2022",
      module: "nodenext",
      strict: true,
      experimentalDecorators: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
      lib: ["es2024", "esnext.disposable", "dom.asynciterable", "esnext.decorators"],
    };
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["app.ts"] }));
    const tsc = join(root, "node_modules/.bin/tsc");
    const said = execFileSync(process.execPath, [tsc, "-p", dir, "--extendedDiagnostics"], { encoding: "utf8" });
    const number = (line: string): number => Number(new RegExp(`^${line}:\\s+([\\d.]+)`, "m").exec(said)?.[1]);
    return {
      instantiations: number("Instantiations"),
      checkSeconds: number("Check time"),
      totalSeconds: number("Total time"),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function body(api: string, store: string, callId: string): string {
  return `const found = [await ${api}.get(input.words), ...${store}.find(${callId})];
    const [first] = input.parts;
    return { first: { sku: first?.sku ?? found.join(), count: (first?.count ?? 0) + (input.prices?.["a"] ?? 0) }, at: input.order ?? "up" };`;
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const count = 200;
  const [tools, plain] = [toolsSource(count), plainSource(count)];
  const ratios: number[] = [];
  let costs: { readonly tools: TypeCost; readonly plain: TypeCost } | undefined;
  // The sides take turns, so what else the machine does meets both.
  for (let round = 0; round < 7; round++) {
    costs = { tools: typeCost("tools", tools), plain: typeCost("plain", plain) };
    ratios.push(costs.tools.totalSeconds / costs.plain.totalSeconds);
  }
  console.table({ [`${count} tools`]: costs!.tools, [`${count} plain functions`]: costs!.plain });
  const few = typeCost("few", toolsSource(10));
  const perTool = Math.round((costs!.tools.instantiations - few.instantiations) / (count - 10));
  const ratio = ratios.toSorted((a, b) => a - b)[3]!;
  console.log(
    `${perTool} instantiations a tool (at most 2000); ${ratio.toFixed(2)} times the time of plain functions (aim: at most 2)`,
  );
}
