import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

type Values = readonly [string | number, ...(string | number)[]];

/** A field that holds one of the listed texts or numbers. */
export function Choice<
  const V extends Values,
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends V[number] | null = never,
>(
  values: V,
  options?: FieldOptions<{}, Optional, Nullable, Default>,
): Field<V[number], V[number], Optional, Nullable, Default> {
  return fieldDecorator({ kind: "choice", options: options ?? {}, values });
}
