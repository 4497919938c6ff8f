import type { Class } from "../util/class.js";
import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";
import type { ItemValue } from "./list-of.js";

/** A field that holds another DTO. Use `() => X` for a class that is defined later or refers back. */
export function Nested<
  const I extends Class<object> | (() => Class<object>),
  const O extends FieldOptions<ItemValue<I>, {}> = {},
>(item: I, options?: O): Field<ItemValue<I>, ItemValue<I>, O> {
  return fieldDecorator({ kind: "nested", options: options ?? {}, item });
}
