import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** A field that holds true or false. */
export function Flag<const O extends FieldOptions<boolean, {}> = {}>(options?: O): Field<boolean, boolean, O> {
  return fieldDecorator({ kind: "flag", options: options ?? {} });
}
