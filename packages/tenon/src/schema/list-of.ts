import type { Class } from "../util/class.js";
import {
  fieldDecorator,
  type Field,
  type FieldDecorator,
  type FieldOptions,
  type FieldValue,
} from "./field-decorator.js";

interface Scalars {
  text: string;
  num: number;
  int: number;
  flag: boolean;
  datetime: string;
}

/** What a list may hold: a DTO class, a lazy one, a scalar by name, or what another field decorator describes. */
export type Item = Class<object> | (() => Class<object>) | keyof Scalars | FieldDecorator<any, any>;

/** The type of an item's value. */
export type ItemValue<I> =
  I extends Class<infer T>
    ? T
    : I extends keyof Scalars
      ? Scalars[I]
      : I extends FieldDecorator<any, any>
        ? FieldValue<I>
        : I extends () => Class<infer T>
          ? T
          : never;

/** Bounds of a list: how many items, and whether two equal ones are refused. */
export interface ListBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly unique?: boolean | undefined;
}

/** A field that holds a list. Use `() => X` for a class that is defined later or refers back. */
export function ListOf<
  const I extends Item,
  Optional extends boolean = false,
  Nullable extends boolean = false,
  Default extends readonly ItemValue<I>[] | null = never,
>(
  item: I,
  options?: FieldOptions<ListBounds, Optional, Nullable, Default>,
): Field<ItemValue<I>[], ItemValue<I>[] | readonly ItemValue<I>[], Optional, Nullable, Default> {
  return fieldDecorator({ kind: "list", options: options ?? {}, item });
}
