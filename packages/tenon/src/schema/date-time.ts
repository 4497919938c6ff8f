import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** A field that holds a point in time as RFC 3339 text, with a date, a time and an offset: `2026-03-01T09:30:00Z`. The handler gets that text. */
export function DateTime<const O extends FieldOptions<string, {}> = {}>(options?: O): Field<string, string, O> {
  return fieldDecorator({ kind: "datetime", options: options ?? {} });
}
