import type { Class } from "../util/class.js";
import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** A field that holds another DTO. Use `() => X` for a class that is defined later or refers back. */
export function Nested<
  T extends object,
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends T | null = never,
>(
  item: Class<T> | (() => Class<T>),
  options?: FieldOptions<{}, Optional, Nullable, Default>,
): Field<T, T, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "nested", options: options ?? {}, item });
}
