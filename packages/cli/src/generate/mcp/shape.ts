import type { JsonValue } from "tenon";

/** A class that is to be written: one of a tool's DTOs. */
export interface DtoShape {
  readonly name: string;
  readonly fields: readonly FieldShape[];
}

/** One field of a class. */
export interface FieldShape {
  readonly key: string;
  readonly holds: Shape;
  readonly optional: boolean;
}

/** What a field or an item holds, in the words of `tenon/dto`. */
export type Shape = ShapeOptions &
  (
    | { readonly kind: "Text"; readonly pattern?: string | undefined; readonly format?: string | undefined }
    | { readonly kind: "Num" | "Int" | "Flag" | "DateTime" | "Json" }
    | { readonly kind: "Choice"; readonly values: readonly (string | number)[] }
    | { readonly kind: "ListOf"; readonly item: Shape; readonly unique?: true | undefined }
    | { readonly kind: "MapOf"; readonly item: Shape }
    | { readonly kind: "Nested"; readonly dto: DtoReference }
    | { readonly kind: "OneOf"; readonly dtos: readonly DtoReference[]; readonly by: string }
  );

/** A class by its name; `later` where it is written after the one that refers to it. */
export interface DtoReference {
  readonly name: string;
  readonly later: boolean;
}

/** Options that every kind may have, or several of them. */
export interface ShapeOptions {
  readonly prompt?: string | undefined;
  readonly nullable?: true | undefined;
  readonly default?: JsonValue | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}
