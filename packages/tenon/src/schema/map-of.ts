import { fieldDecorator, type Field, type FieldOptions } from "./field-decorator.js";
import type { Item, ItemValue } from "./list-of.js";

/** Bounds of a map: how many entries. */
export interface MapBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A field that holds an object with keys of any name (but `__proto__`), each with a value of one kind. Takes the same items as `ListOf`. */
export function MapOf<
  const I extends Item,
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends Readonly<Record<string, ItemValue<I>>> | null = never,
>(
  item: I,
  options?: FieldOptions<MapBounds, Optional, Nullable, Default>,
): Field<Record<string, ItemValue<I>>, Readonly<Record<string, ItemValue<I>>>, Optional, Nullable, Default> {
  return fieldDecorator({ kind: "map", options: options ?? {}, item });
}
