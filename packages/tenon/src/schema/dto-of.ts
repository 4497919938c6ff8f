import { SchemaError } from "../errors/assembly-errors.js";
import { isClass, type Class } from "../util/class.js";
import { fillCases } from "./case-values.js";
import { dtosIn, type Case, type Dto, type DtoField, type Holds } from "./dto.js";
import { recordOf } from "./field-decorator.js";
import { fieldFaults } from "./field-faults.js";
import { fieldsOf, type FieldRecord } from "./field-record.js";
import type { Use } from "./use.js";

const scalars: readonly unknown[] = ["text", "num", "int", "flag", "datetime"];
const known = new WeakMap<object, Dto>();

/** What is written where a schema of no fields was meant. */
const without: Record<Use, string> = {
  input: "a tool without arguments declares no input",
  output: "a tool that may give anything declares no output",
  answer: "a question that takes any answer has no schema",
};

/** What is read so far, and what is wrong with it. */
interface Reading {
  readonly dtos: Map<object, Dto>;
  readonly faults: string[];
}

/** Reads a DTO class and all it refers to. Throws one SchemaError that names every fault with its class and field; `use` is what the class was given for. */
export function dtoOf(of: Class<object>, use: Use): Dto {
  const found = known.get(of);
  if (found !== undefined) return found;
  const reading: Reading = { dtos: new Map(), faults: [] };
  const { dtos, faults } = reading;
  const dto = readDto(of, reading);
  if (dto === undefined) {
    throw new SchemaError(
      "A class without any field is used as a schema",
      nameOf(of),
      `Decorate its fields (\`@Text()\`, \`@Int()\`, …); ${without[use]}.`,
    );
  }
  for (const one of dtos.values())
    for (const { key, holds } of one.fields) fillCases(holds, `${one.name}.${key}`, faults);
  if (faults.length > 0)
    throw new SchemaError("A DTO cannot be used", faults.join("; "), "Mend the fields that are named.");
  for (const one of dtos.values()) {
    one.recursive = reaches(one, one, new Set());
    known.set(one.of, one);
  }
  return dto;
}

function readDto(of: Class<object>, reading: Reading): Dto | undefined {
  const before = reading.dtos.get(of);
  if (before !== undefined) return before;
  const records = fieldsOf(of);
  if (records === undefined) return undefined;
  const fields: DtoField[] = [];
  const dto: Dto = { of, name: nameOf(of), fields, recursive: false };
  reading.dtos.set(of, dto);
  for (const [key, record] of records) {
    const at = `${dto.name}.${key}`;
    if (key === "__proto__") reading.faults.push(`${at}: a field cannot have this name`);
    fields.push({ key, holds: readHolds(record, at, reading) });
  }
  return dto;
}

function readHolds(record: FieldRecord, at: string, reading: Reading): Holds {
  for (const fault of fieldFaults(record)) reading.faults.push(`${at}: ${fault}`);
  if (record.kind === "nested") return { record, dto: readReference(record.item, at, reading) };
  if (record.kind === "oneof") return { record, cases: readCases(record.item, at, reading) };
  if (record.kind !== "list" && record.kind !== "map") return { record };
  const item = itemRecord(record.item);
  const options = item.options as Record<string, unknown> | null;
  if (options?.["optional"] !== undefined || options?.["default"] !== undefined)
    reading.faults.push(`${at}: an item is neither optional nor has a default`);
  return { record, item: readHolds(item, at, reading) };
}

function itemRecord(item: unknown): FieldRecord {
  if (scalars.includes(item)) return { kind: item as FieldRecord["kind"], options: {} };
  return recordOf(item) ?? { kind: "nested", options: {}, item };
}

function readCases(classes: unknown, at: string, reading: Reading): readonly Case[] {
  if (!Array.isArray(classes) || classes.length === 0) {
    reading.faults.push(`${at}: it lists no classes to choose from`);
    return [];
  }
  return classes.flatMap((reference: unknown) => {
    const dto = readReference(reference, at, reading);
    return dto === undefined ? [] : [{ dto, values: [] }];
  });
}

function readReference(reference: unknown, at: string, reading: Reading): Dto | undefined {
  let of = reference;
  if (typeof reference === "function" && !isClass(reference)) {
    try {
      of = (reference as () => unknown)();
    } catch (thrown) {
      reading.faults.push(`${at}: its reference throws (${thrown instanceof Error ? thrown.message : String(thrown)})`);
      return undefined;
    }
  }
  const dto = isClass(of) ? readDto(of as Class<object>, reading) : undefined;
  if (dto !== undefined) return dto;
  if (of === undefined)
    reading.faults.push(`${at}: the class it refers to is undefined; in an import cycle write \`() => X\``);
  else if (isClass(of))
    reading.faults.push(`${at}: the class it refers to, ${nameOf(of as Class<object>)}, has no decorated field`);
  else
    reading.faults.push(
      `${at}: it refers to ${typeof of === "string" ? JSON.stringify(of) : `a value of type ${typeof of}`}, which is no DTO class`,
    );
  return undefined;
}

function nameOf({ name }: Class<object>): string {
  return name === "" ? "(class without a name)" : name;
}

function reaches(from: Dto, to: Dto, seen: Set<Dto>): boolean {
  for (const { holds } of from.fields) {
    for (const next of dtosIn(holds)) {
      if (next === to) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      if (reaches(next, to, seen)) return true;
    }
  }
  return false;
}
