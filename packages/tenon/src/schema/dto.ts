import { SchemaError } from "../errors/assembly-errors.js";
import { isClass, type Class } from "../util/class.js";
import { recordOf } from "./field-decorator.js";
import { fieldFaults } from "./field-faults.js";
import { fieldsOf, type FieldRecord } from "./field-record.js";

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

/** What a field or an item holds. `item` of a list, `dto` of a nested field. */
export interface Holds {
  readonly record: FieldRecord;
  readonly item?: Holds | undefined;
  readonly dto?: Dto | undefined;
}

const known = new WeakMap<object, Dto>();

/** Reads a DTO class and all it refers to. Throws one SchemaError that names every fault with its class and field. */
export function dtoOf(of: Class<object>): Dto {
  const found = known.get(of);
  if (found !== undefined) return found;
  const faults: string[] = [];
  const read = new Map<object, Dto>();
  const dto = readDto(of, read, faults);
  if (dto === undefined) {
    throw new SchemaError(
      "A class without any field is used as a schema",
      nameOf(of),
      "Decorate its fields (`@Text()`, `@Int()`, …); a tool without arguments declares no input.",
    );
  }
  if (faults.length > 0)
    throw new SchemaError("A DTO cannot be used", faults.join("; "), "Mend the fields that are named.");
  for (const one of read.values()) {
    one.recursive = reaches(one, one, new Set());
    known.set(one.of, one);
  }
  return dto;
}

function readDto(of: Class<object>, read: Map<object, Dto>, faults: string[]): Dto | undefined {
  const before = read.get(of);
  if (before !== undefined) return before;
  const records = fieldsOf(of);
  if (records === undefined) return undefined;
  const fields: DtoField[] = [];
  const dto: Dto = { of, name: nameOf(of), fields, recursive: false };
  read.set(of, dto);
  for (const [key, record] of records) {
    const at = `${dto.name}.${key}`;
    if (key === "__proto__") faults.push(`${at}: a field cannot have this name`);
    fields.push({ key, holds: readHolds(record, at, read, faults) });
  }
  return dto;
}

function readHolds(record: FieldRecord, at: string, read: Map<object, Dto>, faults: string[]): Holds {
  for (const fault of fieldFaults(record)) faults.push(`${at}: ${fault}`);
  if (record.kind === "nested") return { record, dto: readReference(record.item, at, read, faults) };
  if (record.kind !== "list") return { record };
  const item = itemRecord(record.item);
  const options = item.options as Record<string, unknown> | null;
  if (options?.["optional"] !== undefined || options?.["default"] !== undefined)
    faults.push(`${at}: an item is neither optional nor has a default`);
  return { record, item: readHolds(item, at, read, faults) };
}

function itemRecord(item: unknown): FieldRecord {
  if (item === "text" || item === "num" || item === "int" || item === "flag") return { kind: item, options: {} };
  return recordOf(item) ?? { kind: "nested", options: {}, item };
}

function readReference(reference: unknown, at: string, read: Map<object, Dto>, faults: string[]): Dto | undefined {
  let of = reference;
  if (typeof reference === "function" && !isClass(reference)) {
    try {
      of = (reference as () => unknown)();
    } catch (thrown) {
      of = undefined;
      faults.push(`${at}: its reference throws (${thrown instanceof Error ? thrown.message : String(thrown)})`);
      return undefined;
    }
  }
  const dto = isClass(of) ? readDto(of as Class<object>, read, faults) : undefined;
  if (dto !== undefined) return dto;
  if (of === undefined) faults.push(`${at}: the class it refers to is undefined; in an import cycle write \`() => X\``);
  else if (isClass(of))
    faults.push(`${at}: the class it refers to, ${nameOf(of as Class<object>)}, has no decorated field`);
  else
    faults.push(
      `${at}: it refers to ${typeof of === "string" ? JSON.stringify(of) : `a value of type ${typeof of}`}, which is no DTO class`,
    );
  return undefined;
}

function nameOf({ name }: Class<object>): string {
  return name === "" ? "(class without a name)" : name;
}

function reaches(from: Dto, to: Dto, seen: Set<Dto>): boolean {
  for (const { holds } of from.fields) {
    let inner: Holds | undefined = holds;
    while (inner?.item !== undefined) inner = inner.item;
    const next = inner?.dto;
    if (next === to) return true;
    if (next === undefined || seen.has(next)) continue;
    seen.add(next);
    if (reaches(next, to, seen)) return true;
  }
  return false;
}
