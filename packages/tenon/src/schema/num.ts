import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** Bounds of a number, both inclusive. */
export interface NumBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A field that holds a finite number. */
export function Num<
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends number | null = never,
>(options?: FieldOptions<NumBounds, Optional, Nullable, Default>): Field<number, number, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "num", options: options ?? {} });
}

/** A field that holds an integer of the safe range, whatever its bounds. */
export function Int<
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends number | null = never,
>(options?: FieldOptions<NumBounds, Optional, Nullable, Default>): Field<number, number, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "int", options: options ?? {} });
}
