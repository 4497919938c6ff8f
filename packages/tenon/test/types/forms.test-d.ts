/** What the compiler accepts and refuses of the forms of a tool. Checked by `npm run typecheck`; never run. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { defineTool, jsonSchema, optional, token, Tool, type ToolContext, type ToolHandler } from "tenon";
import { callTool } from "tenon/testing";
import { Ask, Database, Post, type Search, SEARCH, SETTINGS, Told } from "./parts.js";

declare const noJson: StandardSchemaV1<{ words: string }>;

// ---- form A that fits
@Tool({ name: "a", description: "d", input: Ask, output: Told, deps: [SEARCH, Database, Post] })
export class Whole implements ToolHandler<Ask, Told> {
  constructor(readonly search: Search, readonly database: Database, readonly post: Post) {}
  async run(input: Ask): Promise<Told> {
    return { text: input.words + (input.limit ?? 0) };
  }
}
@Tool({ name: "a", description: "d", input: Ask, deps: [SEARCH, optional(SETTINGS)] })
export class WithOptional {
  constructor(readonly search: Search, readonly settings?: { size: number }) {}
  run(input: Ask, ctx: ToolContext<{ user: string }>): string {
    return ctx.executionContext.user + input.words;
  }
}
@Tool({ name: "a", description: "d" })
export class NoArguments implements ToolHandler {
  run(): string {
    return "x";
  }
}
@Tool({ name: "a", description: "d", input: z.object({ n: z.coerce.number(), o: z.string().optional(), d: z.number().default(3) }), output: z.object({ s: z.string() }) })
export class WithZod {
  run(input: { n: number; o?: string | undefined; d: number }): { s: string } {
    return { s: String(input.n + input.d) };
  }
}
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: true, hooks: [{ onBeforeCall: (_ctx, call) => (call.access === "write" ? { action: "deny", reason: "r" } : undefined) }] })
export class Arrow {
  run = (input: Ask): string => input.words;
}

@Tool({ name: "a", description: "d", input: type({ words: "string", "limit?": "number", at: "string.date.parse" }), output: type({ s: "string" }) })
export class WithArkType {
  run(input: { words: string; limit?: number; at: Date }): { s: string } {
    return { s: input.words + input.at.toISOString() };
  }
}
@Tool({ name: "a", description: "d", input: v.object({ n: v.pipe(v.string(), v.transform(Number)), d: v.optional(v.number(), 3) }), output: v.object({ s: v.string() }) })
export class WithValibot {
  run(input: { n: number; d: number }): { s: string } {
    return { s: String(input.n + input.d) };
  }
}
@Tool({ name: "a", description: "d", input: jsonSchema<{ words: string }>({ type: "object" }), output: jsonSchema<{ s: string }>({ type: "object" }) })
export class WithJsonSchema {
  run(input: { words: string }): { s: string } {
    return { s: input.words };
  }
}

@Tool({ name: "a", description: "d", deps: [SEARCH] })
class TakesAnything {
  constructor(readonly any: unknown) {}
  run(): string {
    return String(this.any);
  }
}
@Tool({ name: "a", description: "d", deps: [SEARCH, Database] })
class TakesAll {
  constructor(...all: readonly unknown[]) {
    void all;
  }
  run(): void {}
}
@Tool({ name: "a", description: "d" })
class TakesNothing {
  constructor(readonly search?: Search) {}
  run(): void {}
}

// ---- form A, mistakes
@Tool({
  name: "a",
  // @ts-expect-error a misspelled option is told where it stands, and nothing else is
  descripton: "d",
  input: Ask,
})
class M19 { run(i: Ask) { return i.words; } }
// @ts-expect-error one too many, for a parameter that takes anything
@Tool({ name: "a", description: "d", deps: [SEARCH, Database] }) class M20 { constructor(readonly s: unknown) {} run() { return 1; } }
// @ts-expect-error a dependency, and no parameter
@Tool({ name: "a", description: "d", deps: [SEARCH] }) class M21 { run() { return 1; } }
// @ts-expect-error an optional parameter of another type
@Tool({ name: "a", description: "d", deps: [SEARCH, Post] }) class M22 { constructor(readonly s: Search, readonly d?: Database) {} run() { return 1; } }
// @ts-expect-error ArkType, and another parameter
@Tool({ name: "a", description: "d", input: type({ at: "string.date.parse" }) }) class L1 { run(i: { at: string }) { return i.at; } }
// @ts-expect-error ArkType, and another output
@Tool({ name: "a", description: "d", output: type({ s: "string" }) }) class L2 { run() { return { s: 1 }; } }
// @ts-expect-error Valibot, and the side that the model sends
@Tool({ name: "a", description: "d", input: v.object({ n: v.pipe(v.string(), v.transform(Number)) }) }) class L3 { run(i: { n: string }) { return i.n; } }
// @ts-expect-error Valibot, and another output
@Tool({ name: "a", description: "d", output: v.object({ s: v.string() }) }) class L4 { run() { return { s: 1 }; } }
// @ts-expect-error a JSON Schema of another type
@Tool({ name: "a", description: "d", input: jsonSchema<{ words: string }>({ type: "object" }) }) class L5 { run(i: { words: number }) { return i.words; } }
// @ts-expect-error a JSON Schema without `jsonSchema()`
@Tool({ name: "a", description: "d", input: { type: "object" } }) class L6 { run() { return 1; } }
// @ts-expect-error the wrong order
@Tool({ name: "a", description: "d", input: Ask, deps: [Database, SEARCH] }) class M1 { constructor(readonly s: Search, readonly d: Database) {} run(i: Ask) { return i.words; } }
// @ts-expect-error one is missing
@Tool({ name: "a", description: "d", input: Ask, deps: [SEARCH] }) class M2 { constructor(readonly s: Search, readonly d: Database) {} run(i: Ask) { return i.words; } }
// @ts-expect-error none at all
@Tool({ name: "a", description: "d", input: Ask }) class M3 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error one too many
@Tool({ name: "a", description: "d", input: Ask, deps: [SEARCH, Database] }) class M4 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error an optional dependency for a parameter that must be there
@Tool({ name: "a", description: "d", input: Ask, deps: [optional(SEARCH)] }) class M5 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error a token without a type
@Tool({ name: "a", description: "d", input: Ask, deps: [token("x")] }) class M6 { constructor(readonly s: Search) {} run(i: Ask) { return i.words; } }
// @ts-expect-error another input
@Tool({ name: "a", description: "d", input: Ask }) class M7 { run(i: { words: number }) { return i.words; } }
// @ts-expect-error a narrower input
@Tool({ name: "a", description: "d", input: Ask }) class M8 { run(i: Ask & { more: string }) { return i.more; } }
// @ts-expect-error another output
@Tool({ name: "a", description: "d", input: Ask, output: Told }) class M9 { run(i: Ask) { return { txt: i.words }; } }
// @ts-expect-error the input is not declared
@Tool({ name: "a", description: "d" }) class M10 { run(i: Ask) { return i.words; } }
// @ts-expect-error no run
@Tool({ name: "a", description: "d" }) class M11 {}
// @ts-expect-error a private constructor
@Tool({ name: "a", description: "d" }) class M12 { private constructor() {} run() { return 1; } }
// @ts-expect-error an abstract class
@Tool({ name: "a", description: "d" }) abstract class M13 { run() { return 1; } }
// @ts-expect-error no such option
@Tool({ name: "a", description: "d", timeout: 5 }) class M14 { run() { return 1; } }
// @ts-expect-error no schema
@Tool({ name: "a", description: "d", input: { words: "string" } }) class M15 { run() { return 1; } }
// @ts-expect-error a Standard Schema that gives no JSON Schema
@Tool({ name: "a", description: "d", input: noJson }) class M16 { run(i: { words: string }) { return i.words; } }
// @ts-expect-error Zod, and another parameter
@Tool({ name: "a", description: "d", input: z.object({ n: z.number() }) }) class M17 { run(i: { n: string }) { return i.n; } }
// @ts-expect-error approval of a field that is not there
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: (i) => i.nothing > 3 }) class M23 { run(i: Ask) { return i.words; } }
// @ts-expect-error approval of another input
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: (i: { other: number }) => i.other > 3 }) class M24 { run(i: Ask) { return i.words; } }
@Tool({ name: "a", description: "d", input: Ask, access: "write", approval: (i) => i.words.length > 3, exclusive: (i) => i.words }) class M25 { run(i: Ask) { return i.words; } }
// @ts-expect-error exclusive of a field that is not there
@Tool({ name: "a", description: "d", input: Ask, exclusive: (i) => i.nothing }) class M26 { run(i: Ask) { return i.words; } }
// @ts-expect-error a maximum cost is an amount, not a bare number
@Tool({ name: "a", description: "d", maxCost: 1 }) class M18 { run() { return 1; } }

// ---- form C
export const sum = defineTool({ name: "sum", description: "d", input: z.object({ q: z.string(), d: z.number().default(1) }), run: (input) => ({ n: input.q.length + input.d }) });
export const look = defineTool({ name: "look", description: "d", input: Ask, output: Told, deps: [SEARCH, Database], run: async ({ words, limit }, ctx, search, database) => ({ text: (await search.get(words)) + database.find(words).join() + ctx.callId + String(limit) }) });
export const one = defineTool({ name: "one", description: "d", run: () => 1 });
export const arked = defineTool({ name: "arked", description: "d", input: type({ n: "string.numeric.parse", "d?": "number" }), run: ({ n, d }) => n + (d ?? 0) });
export const valid = defineTool({ name: "valid", description: "d", input: v.object({ n: v.pipe(v.string(), v.transform(Number)) }), run: ({ n }) => n + 1 });
export const given = defineTool({ name: "given", description: "d", input: jsonSchema<{ n: number }>({ type: "object" }), run: ({ n }) => n + 1 });
callTool(arked, { n: "1" });
callTool(valid, { n: "1" });
callTool(given, { n: 1 });
// @ts-expect-error ArkType: the model sends text
callTool(arked, { n: 1 });
// @ts-expect-error Valibot: the model sends text
callTool(valid, { n: 1 });
// @ts-expect-error a JSON Schema says nothing else of its type
callTool(given, { n: "1" });
// @ts-expect-error another output
defineTool({ name: "c", description: "d", input: Ask, output: Told, run: () => ({ txt: 1 }) });
// @ts-expect-error no such field
defineTool({ name: "c", description: "d", input: Ask, run: (input) => input.nope });
const literal: "sum" = sum.name;

void [literal, L1, L2, L3, L4, L5, L6, M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, M13, M14, M15, M16, M17, M18, M19, M20, M21, M22, M23, M24, M25, M26, TakesAnything, TakesAll, TakesNothing];
