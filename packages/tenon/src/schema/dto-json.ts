import type { JsonValue } from "../protocol/json.js";
import type { Dto, Holds } from "./dto.js";
import { partMarks } from "./part-marks.js";
import type { SchemaObject } from "./schema-node.js";

/** The options of any field, after they were checked. */
interface Options {
  readonly prompt?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly nullable?: boolean | undefined;
  readonly sensitive?: boolean | undefined;
  readonly default?: JsonValue | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly pattern?: RegExp | undefined;
  readonly format?: string | undefined;
  readonly unique?: boolean | undefined;
  readonly by?: string | undefined;
}

/** What is written so far of one schema's `$defs`. */
interface Defs {
  readonly names: Map<Dto, string>;
  readonly parts: Record<string, SchemaObject>;
}

/** The JSON Schema of a DTO. Recursive classes are in `$defs`, named after the field that leads to them; all others stand in place. */
export function dtoJson(dto: Dto): SchemaObject {
  const defs: Defs = { names: new Map(), parts: {} };
  const root = objectOf(dto, defs);
  return defs.names.size > 0 ? { ...root, $defs: defs.parts } : root;
}

function objectOf(dto: Dto, defs: Defs): SchemaObject {
  const properties: Record<string, SchemaObject> = {};
  const required: string[] = [];
  for (const { key, holds } of dto.fields) {
    properties[key] = partOf(holds, key, defs);
    const { optional, default: fallback }: Options = holds.record.options;
    if (optional !== true && fallback === undefined) required.push(key);
  }
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

function partOf(holds: Holds, key: string, defs: Defs): SchemaObject {
  const { prompt, nullable, sensitive, default: fallback, by }: Options = holds.record.options;
  const { type, ...rest } = bare(holds, key, defs);
  const part: SchemaObject = type === undefined ? {} : { type };
  if (prompt !== undefined) part.description = prompt;
  Object.assign(part, rest);
  if (nullable === true) allowNull(part);
  if (fallback !== undefined) part.default = JSON.parse(JSON.stringify(fallback)) as JsonValue;
  if (sensitive === true) partMarks.sensitive.add(part);
  if (by !== undefined) partMarks.by.set(part, by);
  if (holds.record.kind === "json") partMarks.anyJson.add(part);
  return part;
}

function allowNull(part: SchemaObject): void {
  if (part.type !== undefined) part.type = [part.type, "null"].flat();
  if (part.enum !== undefined) part.enum = [...part.enum, null];
  if (part.anyOf !== undefined) part.anyOf = [...part.anyOf, { type: "null" }];
  if (part.$ref === undefined) return;
  part.anyOf = [{ $ref: part.$ref }, { type: "null" }];
  delete part.$ref;
}

function bare({ record, item, dto, cases }: Holds, key: string, defs: Defs): SchemaObject {
  const { min, max, pattern, format, unique }: Options = record.options;
  switch (record.kind) {
    case "text":
      return defined({ type: "string", minLength: min, maxLength: max, pattern: pattern?.source, format });
    case "num":
      return defined({ type: "number", minimum: min, maximum: max });
    case "int":
      return defined({ type: "integer", minimum: min, maximum: max });
    case "flag":
      return { type: "boolean" };
    case "datetime":
      return { type: "string", format: "date-time" };
    case "json":
      return {};
    case "choice": {
      const values = record.values as (string | number)[];
      const types = [...new Set(values.map((value) => typeof value))];
      return { type: types.length === 1 ? types[0] : types, enum: [...values] };
    }
    case "list": {
      const uniqueItems = unique === true ? true : undefined;
      return defined({ type: "array", items: partOf(item!, key, defs), minItems: min, maxItems: max, uniqueItems });
    }
    case "map":
      return defined({
        type: "object",
        additionalProperties: partOf(item!, key, defs),
        minProperties: min,
        maxProperties: max,
      });
    case "nested":
      return referenceTo(dto!, key, defs);
    case "oneof":
      return { anyOf: cases!.map((one) => referenceTo(one.dto, key, defs)) };
  }
}

function referenceTo(dto: Dto, key: string, defs: Defs): SchemaObject {
  return dto.recursive ? { $ref: `#/$defs/${definedAs(dto, key, defs)}` } : objectOf(dto, defs);
}

function definedAs(dto: Dto, key: string, { names, parts }: Defs): string {
  const before = names.get(dto);
  if (before !== undefined) return before;
  const base = key.replaceAll(/[^A-Za-z0-9_]/g, "_");
  let name = base;
  for (let count = 2; Object.hasOwn(parts, name); count++) name = `${base}${count}`;
  names.set(dto, name);
  parts[name] = {};
  parts[name] = objectOf(dto, { names, parts });
  return name;
}

function defined(part: SchemaObject): SchemaObject {
  for (const keyword of Object.keys(part)) if (part[keyword] === undefined) delete part[keyword];
  return part;
}
