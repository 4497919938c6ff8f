import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** The forms of text that can be checked. `url` is an absolute http, https or ftp address with a public host name; `uri` any absolute URI. */
export type TextFormat =
  | "email"
  | "url"
  | "uri"
  | "uuid"
  | "date"
  | "time"
  | "date-time"
  | "duration"
  | "hostname"
  | "ipv4"
  | "ipv6";

/** Bounds of a text field. Lengths count code points. */
export interface TextBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Found anywhere in the text unless anchored. Only the flag `u` is allowed: JSON Schema knows no flags. */
  readonly pattern?: RegExp | undefined;
  readonly format?: TextFormat | undefined;
}

/** A field that holds text. Numbers and booleans are not turned into text. */
export function Text<
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends string | null = never,
>(options?: FieldOptions<TextBounds, Optional, Nullable, Default>): Field<string, string, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "text", options: options ?? {} });
}
