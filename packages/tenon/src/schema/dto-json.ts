import type { JsonValue } from "../protocol/json.js";
import type { Dto, Holds } from "./dto.js";
import type { SchemaObject } from "./schema-node.js";

type Options = Record<string, any>;

/** The parts of exported DTO schemas whose values are not shown: they are known by identity, so no keyword is sent to a model. */
export const sensitiveParts: WeakSet<object> = new WeakSet();

/** The JSON Schema of a DTO. Recursive classes are in `$defs`, named after the field that leads to them; all others stand in place. */
export function dtoJson(dto: Dto): SchemaObject {
  const names = new Map<Dto, string>();
  const $defs: Record<string, SchemaObject> = {};

  function object(of: Dto): SchemaObject {
    const properties: Record<string, SchemaObject> = {};
    const required: string[] = [];
    for (const { key, holds } of of.fields) {
      properties[key] = part(holds, key);
      const { optional, default: fallback } = holds.record.options as Options;
      if (optional !== true && fallback === undefined) required.push(key);
    }
    return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
  }

  function part(holds: Holds, key: string): SchemaObject {
    const { prompt, nullable, sensitive, default: fallback } = holds.record.options as Options;
    const { type, $ref, ...rest } = bare(holds, key);
    const description = prompt === undefined ? {} : { description: prompt as string };
    const node: SchemaObject =
      $ref !== undefined ? (nullable === true ? { anyOf: [{ $ref }, { type: "null" }], ...description } : { $ref, ...description }) : { type: nullable === true ? [type as string, "null"].flat() : type!, ...description, ...rest };
    if (nullable === true && node.enum !== undefined) node.enum = [...node.enum, null];
    if (fallback !== undefined) node.default = JSON.parse(JSON.stringify(fallback)) as JsonValue;
    if (sensitive === true) sensitiveParts.add(node);
    return node;
  }

  function bare({ record, item, dto: nested }: Holds, key: string): SchemaObject {
    const { min, max, pattern, format, unique } = record.options as Options;
    switch (record.kind) {
      case "text":
        return defined({ type: "string", minLength: min, maxLength: max, pattern: (pattern as RegExp | undefined)?.source, format });
      case "num":
        return defined({ type: "number", minimum: min, maximum: max });
      case "int":
        return defined({ type: "integer", minimum: min, maximum: max });
      case "flag":
        return { type: "boolean" };
      case "choice": {
        const values = record.values as (string | number)[];
        const types = [...new Set(values.map((value) => typeof value))];
        return { type: types.length === 1 ? types[0]! : types, enum: [...values] };
      }
      case "list":
        return defined({ type: "array", items: part(item!, key), minItems: min, maxItems: max, uniqueItems: unique === true ? true : undefined });
      case "nested":
        return nested!.recursive ? { $ref: `#/$defs/${define(nested!, key)}` } : object(nested!);
    }
  }

  function define(of: Dto, key: string): string {
    const before = names.get(of);
    if (before !== undefined) return before;
    const base = key.replaceAll(/[^A-Za-z0-9_]/g, "_");
    let name = base;
    for (let count = 2; Object.hasOwn($defs, name); count++) name = `${base}${count}`;
    names.set(of, name);
    $defs[name] = {};
    $defs[name] = object(of);
    return name;
  }

  const root = object(dto);
  return names.size > 0 ? { ...root, $defs } : root;
}

function defined(node: SchemaObject): SchemaObject {
  for (const keyword of Object.keys(node)) if (node[keyword] === undefined) delete node[keyword];
  return node;
}
