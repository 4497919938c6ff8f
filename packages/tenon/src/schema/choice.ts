import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

type Values = readonly [string | number, ...(string | number)[]];

/** A field that holds one of the listed texts or numbers. */
export function Choice<const V extends Values, const O extends FieldOptions<V[number], {}> = {}>(
  values: V,
  options?: O,
): Field<V[number], V[number], O> {
  return fieldDecorator({ kind: "choice", options: options ?? {}, values });
}
