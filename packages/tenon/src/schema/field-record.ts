import type { Class } from "../util/class.js";

/** What a field decorator leaves behind: plain data, so that two copies of the package read each other's. */
export interface FieldRecord {
  readonly kind: "text" | "num" | "int" | "flag" | "choice" | "datetime" | "json" | "list" | "map" | "nested" | "oneof";
  /** The options as given; checked when the schema is made, not when the class is defined. */
  readonly options: object;
  /** Of a choice. */
  readonly values?: unknown;
  /** Of a list, a map or a nested field, as given; of `oneof` the list of classes. */
  readonly item?: unknown;
}

type Fields = Map<string, FieldRecord>;
type Home = { [fieldsKey]?: Fields; [metadataKey]?: Home | null };

const fieldsKey: unique symbol = Symbol.for("tenon.fields") as never;
const metadataKey: unique symbol = ((Symbol as { metadata?: symbol }).metadata ??
  Symbol.for("Symbol.metadata")) as never;

/**
 * Adds a field to its home: the class's own prototype (legacy decorators) or the class's metadata object (TC39). It is no
 * property of an instance, so no compiler setting for class fields can overwrite it.
 */
export function addField(home: object, key: string, record: FieldRecord): void {
  if (!Object.hasOwn(home, fieldsKey)) Object.defineProperty(home, fieldsKey, { value: new Map() });
  (home as Home)[fieldsKey]!.set(key, record);
}

/**
 * The fields of a class, inherited ones first, each at the place of its first declaration; a child's declaration of a field
 * replaces its parent's. Undefined for a class that has none.
 */
export function fieldsOf(dto: Class<object>): ReadonlyMap<string, FieldRecord> | undefined {
  const homes: Fields[] = [];
  for (
    let level: Class<object> | null = dto;
    typeof level === "function";
    level = Object.getPrototypeOf(level) as Class<object> | null
  ) {
    for (const home of [level.prototype as Home | undefined, own(level as never, metadataKey)]) {
      const fields = home == null ? undefined : own(home, fieldsKey);
      if (fields !== undefined) homes.unshift(fields);
    }
  }
  if (homes.length === 0) return undefined;
  const all: Fields = new Map();
  for (const fields of homes) for (const [key, record] of fields) all.set(key, record);
  return all;
}

function own<K extends keyof Home>(home: Home, key: K): Home[K] | undefined {
  return Object.hasOwn(home, key) ? home[key] : undefined;
}
