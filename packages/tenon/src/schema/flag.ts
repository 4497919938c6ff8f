import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** A field that holds true or false. */
export function Flag<
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends boolean | null = never,
>(options?: FieldOptions<{}, Optional, Nullable, Default>): Field<boolean, boolean, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "flag", options: options ?? {} });
}
