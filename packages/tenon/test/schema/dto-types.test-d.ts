// Which field types fit their decorator. Checked by the compiler alone: `tsc -p packages/tenon/test`.
import { z } from "zod";
import {
  Choice,
  Flag,
  Int,
  ListOf,
  Nested,
  Num,
  PlainText,
  Text,
  type FieldDecorator,
} from "../../src/doors/dto/index.js";
import type { NoInput, Parsed, Returned, Schema, Sent } from "../../src/schema/schema.js";

class Part {
  @Text() sku!: string;
}
class Bolt {
  @Choice(["bolt"]) kind!: "bolt";
  @Num() length!: number;
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
  readonly untold = 1;
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

const schemas: Schema[] = [Part, Event, PlainText, Child];
// @ts-expect-error a Standard Schema without JSON Schema
schemas.push({ "~standard": { version: 1 as const, vendor: "old", validate: (value: unknown) => ({ value }) } });
// @ts-expect-error no schema at all
schemas.push({ q: "string" });
const decorator: FieldDecorator<string> = Text();
void [Fits, Wrong, decorator];
