// Which field types fit their decorator. Checked by the compiler alone: `tsc -p packages/tenon/test`.
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  Choice,
  DateTime,
  Flag,
  Int,
  Json,
  ListOf,
  MapOf,
  Nested,
  Num,
  OneOf,
  PlainText,
  Text,
  type FieldDecorator,
} from "../../src/doors/dto/index.js";
import { jsonSchema, type JsonSchemaSource } from "../../src/schema/json-schema-source.js";
import type { NoInput, Parsed, Returned, Schema, Sent } from "../../src/schema/schema.js";

class Part {
  @Text() sku!: string;
}
class Bolt {
  @Choice(["bolt"]) kind!: "bolt";
  @Num() length!: number;
}
class Nut {
  @Choice(["nut", "cap-nut"]) kind!: "nut" | "cap-nut";
  @Text() thread!: string;
}
class Fits {
  @Text() plain!: string;
  @Text({ optional: true }) mayBeAbsent?: string;
  @Text({ optional: true }) mayBeUndefined!: string | undefined;
  @Text({ nullable: true }) mayBeNull!: string | null;
  @Text({ optional: true, nullable: true }) mayBeBoth?: string | null;
  @Num({ min: 0, max: 1 }) share!: number;
  @Int({ default: 5 }) withDefault!: number;
  @Int({ default: 5 }) withDefaultOptional?: number;
  @Int({ default: 5 }) withDefaultInitial: number = 5;
  @Flag({ nullable: true, default: null }) flag!: boolean | null;
  @Choice(["s", "m", "l"]) size!: "s" | "m" | "l";
  @Choice([1, 2, 3], { optional: true }) level?: 1 | 2 | 3;
  @ListOf(Part) parts!: Part[];
  @ListOf(Part) partsReadonly!: readonly Part[];
  @ListOf(() => Fits) more!: Fits[];
  @ListOf("text", { min: 1, max: 9, unique: true }) tags!: string[];
  @ListOf("flag", { default: [true] }) flags!: boolean[];
  @ListOf(Choice(["a", "b"])) letters!: ("a" | "b")[];
  @ListOf(ListOf("int")) table!: number[][];
  @ListOf(Num({ nullable: true }), { optional: true }) gaps?: (number | null)[];
  @Nested(Part) part!: Part;
  @Nested(() => Fits, { optional: true }) next?: Fits;
  @Nested(Bolt, { nullable: true }) bolt!: Bolt | null;
  @DateTime() at!: string;
  @DateTime({ optional: true, nullable: true }) until?: string | null;
  @DateTime({ default: "2026-01-01T00:00:00Z" }) since!: string;
  @ListOf("datetime") times!: string[];
  @MapOf("num", { min: 1, max: 9 }) prices!: Record<string, number>;
  @MapOf("datetime", { optional: true }) openings?: Record<string, string>;
  @MapOf(Part) stock!: Readonly<Record<string, Part>>;
  @MapOf(() => Fits, { nullable: true }) variants!: Record<string, Fits> | null;
  @MapOf(ListOf(Choice(["a", "b"])), { default: { x: ["a"] } }) graph!: { [name: string]: ("a" | "b")[] };
  @MapOf(MapOf("flag")) matrix!: Record<string, Record<string, boolean>>;
  @OneOf([Bolt, Nut], { by: "kind" }) fastener!: Bolt | Nut;
  @OneOf([Bolt, () => Nut], { by: "kind", optional: true, nullable: true }) spare?: Bolt | Nut | null;
  @OneOf([Nut, Bolt], { by: "kind", default: { kind: "bolt", length: 1 } }) standard!: Bolt | Nut;
  @OneOf([Bolt], { by: "kind" }) only!: Bolt;
  @ListOf(OneOf([Bolt, Nut], { by: "kind" })) box!: (Bolt | Nut)[];
  @MapOf(OneOf([Bolt, Nut], { by: "kind" })) named!: Record<string, Bolt | Nut>;
  @OneOf([() => Branch, () => Leaf], { by: "is" }) tree!: Branch | Leaf;
  @Json() body!: unknown;
  @Json({ prompt: "any", default: { a: 1 } }) extra!: any;
  @Json({ optional: true }) typed?: { own: number };
  @ListOf(Json()) list!: unknown[];
  @Text({ optional: true, nullable: true, default: null, min: 1, prompt: "all of it" }) whole?: string | null;
  @Text({ optional: false, nullable: undefined }) saysNo!: string;
  @Nested(Part, { default: { sku: "x" } }) nestedDefault?: Part;
  @ListOf(Part, { default: [], nullable: true }) noParts!: readonly Part[] | null;
  readonly untold = 1;
}
class Branch {
  @Choice(["branch"]) is!: "branch";
  @ListOf(OneOf([() => Branch, () => Leaf], { by: "is" })) all!: (Branch | Leaf)[];
  @MapOf(() => Branch, { optional: true }) named?: Record<string, Branch>;
}
class Leaf {
  @Choice(["leaf"]) is!: "leaf";
}
class Child extends Part {
  @Text({ max: 8 }) override sku: string = "";
}

class Wrong {
  // @ts-expect-error text for a number
  @Text() a!: number;
  // @ts-expect-error the field may be absent, the decorator says it is there
  @Text() b?: string;
  // @ts-expect-error optional, and the field does not say so
  @Int({ optional: true }) c!: number;
  // @ts-expect-error nullable, and the field does not say so
  @Flag({ nullable: true }) d!: boolean;
  // @ts-expect-error the field may be null, the decorator says it is not
  @Num() e!: number | null;
  // @ts-expect-error narrower than what the check lets through
  @Text() f!: "x" | "y";
  // @ts-expect-error wider than what the check lets through
  @Flag() g!: boolean | string;
  // @ts-expect-error another choice
  @Choice(["s", "m"]) h!: "s" | "l";
  // @ts-expect-error any text instead of the choice
  @Choice(["s", "m"]) i!: string;
  // @ts-expect-error one part instead of a list
  @ListOf(Part) j!: Part;
  // @ts-expect-error items of another type
  @ListOf("int") k!: string[];
  // @ts-expect-error items of another class
  @ListOf(() => Part) l!: Bolt[];
  // @ts-expect-error another class
  @Nested(Bolt) m!: Part;
  // @ts-expect-error a default of another type
  @Num({ default: "1" }) n!: number;
  // @ts-expect-error a default that is no choice
  @Choice(["s", "m"], { default: "l" }) o!: "s" | "m";
  // @ts-expect-error no such bound
  @Text({ minimum: 1 }) p!: string;
  // @ts-expect-error no such bound of a flag
  @Flag({ min: 1 }) q!: boolean;
  // @ts-expect-error no such format
  @Text({ format: "phone" }) r!: string;
  // @ts-expect-error nothing to choose from
  @Choice([]) s!: never;
  // @ts-expect-error no such scalar
  @ListOf("date") t!: string[];
  // @ts-expect-error a point in time is text
  @DateTime() aa!: Date;
  // @ts-expect-error a point in time has no bounds
  @DateTime({ min: 1 }) ab!: string;
  // @ts-expect-error values of another type
  @MapOf("num") ac!: Record<string, string>;
  // @ts-expect-error a list is no map
  @MapOf(Part) ad!: Part[];
  // @ts-expect-error a map that may be absent
  @MapOf("text", { optional: true }) ae!: Record<string, string>;
  // @ts-expect-error no such bound of a map
  @MapOf("text", { unique: true }) af!: Record<string, string>;
  // @ts-expect-error a default of another type
  @MapOf("num", { default: { a: "1" } }) ag!: Record<string, number>;
  // @ts-expect-error `by` is no member of both
  @OneOf([Bolt, Nut], { by: "length" }) ah!: Bolt | Nut;
  // @ts-expect-error `by` is missing
  @OneOf([Bolt, Nut]) ai!: Bolt | Nut;
  // @ts-expect-error one of them only
  @OneOf([Bolt, Nut], { by: "kind" }) aj!: Bolt;
  // @ts-expect-error one more than there is
  @OneOf([Bolt, Nut], { by: "kind" }) ak!: Bolt | Nut | Part;
  // @ts-expect-error plain text cannot decide
  @OneOf([Part, Part], { by: "sku" }) al!: Part;
  // @ts-expect-error nothing to choose from
  @OneOf([], { by: "kind" }) am!: Bolt;
  // @ts-expect-error a default that is none of them
  @OneOf([Bolt, Nut], { by: "kind", default: { kind: "screw" } }) an!: Bolt | Nut;
  // @ts-expect-error no such option
  @Json({ max: 1 }) ao!: unknown;
  // @ts-expect-error a default, and the field may be null
  @Int({ default: 1 }) ap!: number | null;
  // @ts-expect-error a nested default of another class
  @Nested(Bolt, { default: { sku: "x" } }) aq!: Bolt;
  // @ts-expect-error a default of other items
  @ListOf("text", { default: [1] }) ar!: string[];
  // @ts-expect-error wider items, to read only
  @ListOf("text") as!: readonly (string | number)[];
  // @ts-expect-error any object
  @ListOf("text") at!: object;
  // @ts-expect-error a map with values of more types
  @MapOf("text") au!: Readonly<Record<string, string | number>>;
  // @ts-expect-error optional is true or false
  @Text({ optional: "yes" }) av?: string;
  // @ts-expect-error a private field
  @Text() private u!: string;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function yes<T extends true>(): T;

// [B58] the model's side and the handler's side of a schema
const Event = z.object({
  at: z.string().transform((text) => new Date(text)),
  name: z.string().trim(),
  count: z.number().default(1),
});
yes<Same<Parsed<typeof Event>, { at: Date; name: string; count: number }>>();
yes<Same<Sent<typeof Event>, { at: string; name: string; count?: number | undefined }>>();
yes<Same<Returned<typeof Event>, Sent<typeof Event>>>();
yes<Same<Parsed<typeof Part>, Part>>();
yes<Same<Sent<typeof Part>, Part>>();
yes<Same<Parsed<undefined>, NoInput>>();
yes<Same<Returned<undefined>, unknown>>();

const ArkEvent = type({ at: "string.date.parse", name: "string", count: "number = 1", "note?": "string" });
yes<Same<Parsed<typeof ArkEvent>, { at: Date; name: string; count: number; note?: string }>>();
yes<Same<Sent<typeof ArkEvent>["at"], string>>();
yes<Same<Returned<typeof ArkEvent>, Sent<typeof ArkEvent>>>();
const ValibotEvent = v.object({
  at: v.pipe(
    v.string(),
    v.transform((text) => new Date(text)),
  ),
  name: v.pipe(v.string(), v.trim()),
  count: v.optional(v.number(), 1),
});
yes<Same<Parsed<typeof ValibotEvent>, { at: Date; name: string; count: number }>>();
yes<Same<Sent<typeof ValibotEvent>, { at: string; name: string; count?: number | undefined }>>();
yes<Same<Returned<typeof ValibotEvent>, Sent<typeof ValibotEvent>>>();
const ValibotLate = v.objectAsync({
  n: v.pipeAsync(
    v.string(),
    v.transformAsync(async (text) => text.length),
  ),
});
yes<Same<Parsed<typeof ValibotLate>, { n: number }>>();
const Given = jsonSchema<{ q: string }>({ type: "object" });
yes<Same<Parsed<typeof Given>, { q: string }>>();
yes<Same<Sent<typeof Given>, { q: string }>>();
yes<Same<Returned<typeof Given>, { q: string }>>();
const Open = jsonSchema({ type: "object" });
yes<Same<Parsed<typeof Open>, Record<string, unknown>>>();
const wider: JsonSchemaSource<{ q: string | number }> = Given;
// @ts-expect-error of another type
const other: JsonSchemaSource<{ q: number }> = Given;
// @ts-expect-error a schema is an object
jsonSchema("object");

const schemas: Schema[] = [Part, Event, PlainText, Child, ArkEvent, ValibotEvent, ValibotLate, Given, Open];
// @ts-expect-error a Standard Schema without JSON Schema
schemas.push({ "~standard": { version: 1 as const, vendor: "old", validate: (value: unknown) => ({ value }) } });
// @ts-expect-error no schema at all
schemas.push({ q: "string" });
const decorator: FieldDecorator<string> = Text();
void [Fits, Wrong, decorator, wider, other];
