import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** A field that holds a point in time as RFC 3339 text, with a date, a time and an offset: `2026-03-01T09:30:00Z`. The handler gets that text. */
export function DateTime<
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends string | null = never,
>(options?: FieldOptions<{}, Optional, Nullable, Default>): Field<string, string, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "datetime", options: options ?? {} });
}
