import { SchemaError } from "../errors/assembly-errors.js";
import { addField, type FieldRecord } from "./field-record.js";

// TC39 decorators keep their data in `context.metadata`, which compilers only make where the symbol exists.
(Symbol as { metadata?: symbol }).metadata ??= Symbol.for("Symbol.metadata");

declare const fieldType: unique symbol;
declare const fieldTakes: unique symbol;
const recordKey: unique symbol = Symbol.for("tenon.field") as never;

/**
 * Options that every field has, beside its bounds. The types of the three that change the field's type are inferred one by
 * one: fields that say the same of them share one decorator type, whatever their bounds and texts.
 */
export type FieldOptions<Bounds, Optional extends boolean, Nullable extends boolean, Default> = Bounds & {
  /** What the model reads about the field. */
  readonly prompt?: string | undefined;
  /** The field may be absent; `null` then counts as absent. Default false. */
  readonly optional?: Optional | undefined;
  /** The field may be `null`. Default false. */
  readonly nullable?: Nullable | undefined;
  /** The value of an absent field; it must fit the field's own bounds. Nothing else is a default: no initialiser runs. */
  readonly default?: Default | undefined;
  /** The value is masked in events and never shown in a message. Default false. */
  readonly sensitive?: boolean | undefined;
};

type If<Flag, T> = [Flag] extends [true] ? T : never;

/** The declared type of the decorated field, in either calling convention. */
type FieldType<T, At> = At extends keyof T ? T[At] : At extends { access: { get(object: any): infer F } } ? F : never;

/** Two types side by side, so that one comparison settles both. A tuple would do, but a fresh one has all members of a list. */
interface Pair<out A, out B> {
  readonly a: A;
  readonly b: B;
}

/** `At` when the field's type fits its decorator, else a type whose name says what is wrong. One comparison where it fits: there are many fields. */
export type FitsField<R, W, F, At> =
  Pair<R, F> extends Pair<F, W> ? At : [F] extends [never] ? FieldMustBePublic : FieldMustBe<R, F>;

/** Named for the compiler's message: the field's type (`Found`) does not fit its decorator (`Wanted`). */
export interface FieldMustBe<out Wanted, out Found> {
  readonly "the field's type does not fit its decorator": { readonly wanted: Wanted; readonly found: Found };
}

/** Named for the compiler's message: a DTO field is public. */
export interface FieldMustBePublic {
  readonly "a DTO field is public": never;
}

/**
 * A field decorator, in the legacy form `(prototype, key)` and the TC39 form `(undefined, context)`; also an item of `ListOf`.
 * `NoInfer` spares the compiler the search of a whole check for what `At` alone says.
 */
export interface FieldDecorator<out R, out W = R> {
  readonly [fieldType]: R;
  readonly [fieldTakes]: W;
  <T, At extends string | ClassFieldDecoratorContext<any, any>>(
    target: T,
    at: At & NoInfer<FitsField<R, W, FieldType<T, At>, At>>,
  ): void;
}

/** The type that a field decorator gives. */
export type FieldValue<D> = D extends { readonly [fieldType]: infer R } ? R : never;

/**
 * The decorator of a field with these options: what the check gives, and what the declared type may be at most. The unions
 * stand here without a name, so that the compiler knows them as the ones that fields are declared with, and shows those.
 */
export type Field<R, W, Optional extends boolean, Nullable extends boolean, Default> = FieldDecorator<
  R | If<Nullable, null> | If<Optional, undefined>,
  W | If<Nullable, null> | ([Default] extends [never] ? If<Optional, undefined> : undefined)
>;

/** Makes the decorator that leaves `record` on the class. Throws a SchemaError where the decorated thing is no public field. */
export function fieldDecorator<D>(record: FieldRecord): D {
  const decorate = (target: unknown, at: unknown): void => {
    if (typeof at === "object" && at !== null) {
      const { kind, name, metadata, static: isStatic, private: isPrivate } = at as ClassFieldDecoratorContext;
      if (kind !== "field" || isStatic || isPrivate || typeof name !== "string") throw noField(name);
      addField(metadata, name, record);
    } else {
      if (typeof target !== "object" || target === null || typeof at !== "string") throw noField(at);
      addField(target, at, record);
    }
  };
  return Object.defineProperty(decorate, recordKey, { value: record }) as D;
}

/** The record of a field decorator that is used as an item, from any copy of the package. */
export function recordOf(value: unknown): FieldRecord | undefined {
  return typeof value === "function" ? (value as { [recordKey]?: FieldRecord })[recordKey] : undefined;
}

function noField(name: unknown): SchemaError {
  return new SchemaError(
    "A field decorator stands on something that is no public field of an instance",
    String(name),
    "Put it on a public, non-static field.",
  );
}
