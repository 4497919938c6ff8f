import { targetOf, type SchemaNode, type SchemaObject } from "./schema-node.js";
import { shortText } from "./value-path.js";

/** What one part of a schema wants, in a few words: `an integer from 1 to 5`, `one of "a", "b"`. */
export function describePart(root: SchemaObject, node: SchemaNode | undefined): string {
  const shape = targetOf(root, node);
  if (takesAll(shape)) return "any JSON";
  if (shape.const !== undefined) return shortText(JSON.stringify(shape.const), 80);
  if (shape.enum !== undefined)
    return `one of ${shortText(shape.enum.map((value) => JSON.stringify(value)).join(", "), 240)}`;
  const branches = shape.anyOf ?? shape.oneOf;
  if (branches !== undefined)
    return shortText([...new Set(branches.map((branch) => describePart(root, branch)))].join(" or "), 240);
  if (shape.type === undefined)
    return shape.allOf === undefined
      ? "another value"
      : shortText(shape.allOf.map((part) => describePart(root, part)).join(" and "), 240);
  return [shape.type]
    .flat()
    .map((type) => describeType(type, shape))
    .join(" or ");
}

function takesAll({ type, default: _default, sensitive: _sensitive, ...rest }: SchemaObject): boolean {
  return type === undefined ? Object.keys(rest).length === 0 : Array.isArray(type) && type.length === 6;
}

function describeType(type: string, shape: SchemaObject): string {
  switch (type) {
    case "string":
      return `a string${range("of", shape.minLength, shape.maxLength, " characters")}${shape.format === undefined ? "" : ` in the form ${shape.format}`}${shape.pattern === undefined ? "" : ` that matches ${shortText(shape.pattern, 120)}`}`;
    case "integer":
      return `an integer${numbers(shape)}`;
    case "number":
      return `a number${numbers(shape)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list${range("of", shape.minItems, shape.maxItems, " items")}${shape.uniqueItems === true ? " without duplicates" : ""}`;
    case "object":
      return `an object${range("with", shape.minProperties, shape.maxProperties, " members")}${constants(shape)}`;
    default:
      return type;
  }
}

function constants({ properties, by }: SchemaObject): string {
  if (by !== undefined) {
    const { enum: values } = properties![by] as SchemaObject;
    return ` with ${by} ${shortText(values!.map((value) => JSON.stringify(value)).join(" or "), 120)}`;
  }
  const words = Object.entries(properties ?? {}).flatMap(([key, member]) =>
    typeof member === "object" && member.const !== undefined ? [`${key} ${JSON.stringify(member.const)}`] : [],
  );
  return words.length === 0 ? "" : ` with ${shortText(words.join(", "), 80)}`;
}

function numbers(shape: SchemaObject): string {
  const words: string[] = [];
  const [min, max] = [shape.minimum, shape.maximum].map((bound) =>
    bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound,
  );
  words.push(range("", min, max, ""));
  if (shape.exclusiveMinimum !== undefined) words.push(` above ${shape.exclusiveMinimum}`);
  if (shape.exclusiveMaximum !== undefined) words.push(` below ${shape.exclusiveMaximum}`);
  if (shape.multipleOf !== undefined) words.push(` divisible by ${shape.multipleOf}`);
  return words.join("");
}

function range(before: string, min: number | undefined, max: number | undefined, unit: string): string {
  const start = before === "" ? " " : ` ${before} `;
  if (min !== undefined && max !== undefined)
    return min === max ? `${start}exactly ${min}${unit}` : `${before === "" ? " from " : start}${min} to ${max}${unit}`;
  if (min !== undefined) return `${start}at least ${min}${unit}`;
  return max === undefined ? "" : `${start}at most ${max}${unit}`;
}
