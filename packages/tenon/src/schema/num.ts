import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";

/** Bounds of a number, both inclusive. */
export interface NumBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A field that holds a finite number. */
export function Num<const O extends FieldOptions<number, NumBounds> = {}>(options?: O): Field<number, number, O> {
  return fieldDecorator({ kind: "num", options: options ?? {} });
}

/** A field that holds an integer of the safe range, whatever its bounds. */
export function Int<const O extends FieldOptions<number, NumBounds> = {}>(options?: O): Field<number, number, O> {
  return fieldDecorator({ kind: "int", options: options ?? {} });
}
