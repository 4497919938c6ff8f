import { expect, test } from "vitest";
import { listServer, read, tools } from "./g-mcp-project.js";
import { schemaTools } from "./mcp-tool-lists.js";
import { tenon } from "./run-cli.js";
import { emptyProject } from "./temp-project.js";

test("a schema becomes classes that say the same, or stays with the reason", async () => {
  const cwd = emptyProject(tools(schemaTools));
  const { code } = await tenon(
    ["g", "mcp", "x", "--command", "node", "--args", listServer, "tools.json", "--out", "src/x"],
    { cwd },
  );
  expect(code).toBe(0);
  expect(read(cwd, "src/x/scalars.ts")).toBe(`import type { ToolContext, ToolHandler } from "tenon";
import { Choice, DateTime, Flag, Int, Json, Num, PlainText, Text } from "tenon/dto";
import { McpTool } from "tenon/mcp";
import { X } from "./x.js";

export class ScalarsInput {
  @Text({ prompt: "A text.", min: 1, max: 9 }) text!: string;
  @Text({ format: "email" }) mail!: string;
  @DateTime() at!: string;
  @Int({ min: 1, max: 10 }) count!: number;
  @Int({ optional: true }) big?: number | undefined;
  @Num({ default: 0.5, min: 0 }) rate!: number;
  @Flag({ default: true }) on!: boolean;
  @Choice(["fast", "safe"], { default: "safe" }) mode!: "fast" | "safe";
  @Choice([1, 2, 3], { optional: true }) level?: 1 | 2 | 3 | undefined;
  @Choice(["this"]) only!: "this";
  @Text({ nullable: true, default: null }) note!: string | null;
  @Int({ nullable: true, default: null }) size!: number | null;
  @Json({ optional: true }) any?: unknown;
  @Text({ optional: true }) "with-dash"?: string | undefined;
  @Text({ default: "https://example.com/a", format: "uri" }) url!: string;
  @Int({ prompt: "Default: \\"none\\"", optional: true }) bad?: number | undefined;
}

/**
 * The tool "scalars" of the MCP server x.
 * The server says that it only reads; where that is not so, write \`access: "write"\`.
 */
@McpTool({
  server: X,
  tool: "scalars",
  description: "Every scalar.",
  input: ScalarsInput,
  output: PlainText,
  access: "read",
})
export class Scalars implements ToolHandler<ScalarsInput, PlainText> {
  constructor(private readonly server: X) {}

  run(input: ScalarsInput, ctx: ToolContext): Promise<PlainText> {
    return this.server.call("scalars", input, ctx);
  }
}
`);
  expect(read(cwd, "src/x/parts.ts")).toContain(`export class PartsHome {
  @Text() street!: string;
  @Text({ optional: true, pattern: new RegExp("^[0-9]{5}$", "u") }) zip?: string | undefined;
}
`);
  expect(read(cwd, "src/x/parts.ts")).toContain(`export class PartsInput {
  @Nested(PartsHome, { prompt: "Where." }) home!: PartsHome;
  @Nested(PartsWork, { optional: true }) work?: PartsWork | undefined;
  @Nested(PartsWork, { optional: true }) other?: PartsWork | undefined;
  @ListOf(Text({ min: 1 }), { min: 1, max: 3, unique: true }) list!: string[];
  @ListOf(ListOf("num"), { optional: true }) grid?: number[][] | undefined;
  @ListOf(PartsEdits) edits!: PartsEdits[];
  @MapOf("text", { optional: true }) labels?: Record<string, string> | undefined;
  @MapOf(Json(), { optional: true }) free?: Record<string, unknown> | undefined;
  @OneOf([PartsWhoPerson, PartsWhoTeam], { by: "kind" }) who!: PartsWhoPerson | PartsWhoTeam;
  @Nested(PartsTree, { optional: true }) tree?: PartsTree | undefined;
}
`);
  expect(read(cwd, "src/x/parts.ts")).toContain(
    `@ListOf(() => PartsTree, { optional: true }) children?: PartsTree[] | undefined;`,
  );
  expect(read(cwd, "src/x/conditions.ts")).toContain('because DTO classes cannot say it: "it uses `anyOf`". */');
  expect(read(cwd, "src/x/open-input.ts")).toContain('"an object takes members that are not named"');
  expect(read(cwd, "src/x/open-output.ts")).toContain("jsonSchema<OpenOutputOutput>(");
  expect(read(cwd, "src/x/nothing.ts")).toMatch(/access: "write"[^]*run\(_input: NoInput, ctx/);
});
