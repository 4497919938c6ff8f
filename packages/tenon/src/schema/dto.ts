import type { Class } from "../util/class.js";
import type { FieldRecord } from "./field-record.js";

/** A DTO class with its fields read and its references followed. */
export interface Dto {
  readonly of: Class<object>;
  readonly name: string;
  readonly fields: readonly DtoField[];
  /** It can be reached from its own fields. */
  recursive: boolean;
}

/** One field: what it holds under which name. */
export interface DtoField {
  readonly key: string;
  readonly holds: Holds;
}

/** What a field or an item holds. `item` of a list or a map, `dto` of a nested field, `cases` of a `oneof`. */
export interface Holds {
  readonly record: FieldRecord;
  readonly item?: Holds | undefined;
  readonly dto?: Dto | undefined;
  readonly cases?: readonly Case[] | undefined;
}

/** One alternative of a `oneof`, and the values of the deciding field that mean it. */
export interface Case {
  readonly dto: Dto;
  /** Filled in when the class has been read. */
  values: readonly unknown[];
}

/** The DTOs that a field or an item holds, whatever is around them. */
export function dtosIn({ item, dto, cases }: Holds): readonly Dto[] {
  if (item !== undefined) return dtosIn(item);
  if (dto !== undefined) return [dto];
  return cases === undefined ? [] : cases.map((one) => one.dto);
}
