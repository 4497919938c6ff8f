import type { Class } from "../util/class.js";
import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";
import type { ItemValue } from "./list-of.js";

type Alternatives = readonly [Class<object> | (() => Class<object>), ...(Class<object> | (() => Class<object>))[]];

/** The members that all of a union have and that are no plain text or number: those that can tell its parts apart. */
type Telling<U> = {
  [K in keyof U & string]: string extends U[K] ? never : number extends U[K] ? never : K;
}[keyof U & string];

/**
 * A field that holds one of several DTOs. `by` names a `@Choice` field that all of them have, always there, with other values in
 * each: it alone decides which one a value is, so a fault is told of that one. Use `() => X` for a class that is defined later
 * or refers back.
 */
export function OneOf<
  const C extends Alternatives,
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends ItemValue<C[number]> | null = never,
>(
  classes: C,
  options: FieldOptions<{ readonly by: Telling<ItemValue<C[number]>> }, Optional, Nullable, Default>,
): Field<ItemValue<C[number]>, ItemValue<C[number]>, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "oneof", options: options ?? {}, item: classes });
}
