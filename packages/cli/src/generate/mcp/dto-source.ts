import { fieldName, literal, optionsText, textLiteral } from "../source-text.js";
import type { DtoReference, DtoShape, Shape } from "./shape.js";

/** A list's or map's item that is named by a text. */
const SCALARS: Readonly<Record<string, string>> = {
  Text: "text",
  Num: "num",
  Int: "int",
  Flag: "flag",
  DateTime: "datetime",
};

/** The source of a DTO class. Adds the decorators that it uses to `used`. */
export function dtoSource({ name, fields }: DtoShape, used: Set<string>): string {
  const lines = fields.map(({ key, holds, optional }) => {
    const decorator = `@${decoratorOf(holds, optional, used)}`;
    const declared = `${fieldName(key)}${optional ? "?" : "!"}: ${typeOf(holds)}${optional && holds.kind !== "Json" ? " | undefined" : ""};`;
    return `  ${decorator}${decorator.includes("\n") || decorator.length + declared.length > 110 ? "\n  " : " "}${declared}\n`;
  });
  return `export class ${name} {\n${lines.join("")}}\n`;
}

/** A field decorator with all it says: `Text({ min: 1 })`. */
function decoratorOf(shape: Shape, optional: boolean, used: Set<string>): string {
  used.add(shape.kind);
  const options = optionsText(
    {
      prompt: shape.prompt === undefined ? undefined : textLiteral(shape.prompt),
      optional: optional ? "true" : undefined,
      nullable: shape.nullable === true && shape.kind !== "Json" ? "true" : undefined,
      default: shape.default === undefined ? undefined : literal(shape.default),
      min: shape.min === undefined ? undefined : String(shape.min),
      max: shape.max === undefined ? undefined : String(shape.max),
      pattern:
        shape.kind === "Text" && shape.pattern !== undefined
          ? `new RegExp(${textLiteral(shape.pattern)}, "u")`
          : undefined,
      format: shape.kind === "Text" && shape.format !== undefined ? textLiteral(shape.format) : undefined,
      unique: shape.kind === "ListOf" && shape.unique === true ? "true" : undefined,
      by: shape.kind === "OneOf" ? textLiteral(shape.by) : undefined,
    },
    "  ",
  );
  return `${shape.kind}(${[argumentOf(shape, used), options].filter((text) => text !== "").join(", ")})`;
}

function argumentOf(shape: Shape, used: Set<string>): string {
  switch (shape.kind) {
    case "Choice":
      return literal(shape.values, "  ");
    case "ListOf":
    case "MapOf":
      return itemOf(shape.item, used);
    case "Nested":
      return referenceText(shape.dto);
    case "OneOf":
      return `[${shape.dtos.map(referenceText).join(", ")}]`;
    case "Text":
    case "Num":
    case "Int":
    case "Flag":
    case "DateTime":
    case "Json":
      return "";
  }
}

function itemOf(item: Shape, used: Set<string>): string {
  const { kind, ...options } = item;
  const plain = Object.entries(options).every(([name, value]) => value === undefined || name === "dto");
  if (plain && item.kind === "Nested") return referenceText(item.dto);
  if (plain && SCALARS[kind] !== undefined) return textLiteral(SCALARS[kind]);
  return decoratorOf(item, false, used);
}

function referenceText({ name, later }: DtoReference): string {
  return later ? `() => ${name}` : name;
}

/** The type of a field. */
function typeOf(shape: Shape): string {
  const bare = bareType(shape);
  return shape.nullable === true && shape.kind !== "Json" ? `${bare} | null` : bare;
}

function bareType(shape: Shape): string {
  switch (shape.kind) {
    case "Text":
    case "DateTime":
      return "string";
    case "Num":
    case "Int":
      return "number";
    case "Flag":
      return "boolean";
    case "Json":
      return "unknown";
    case "Choice":
      return shape.values.map((value) => literal(value)).join(" | ");
    case "ListOf": {
      const item = typeOf(shape.item);
      return /^[\w]+(\[\])*$/.test(item) ? `${item}[]` : `(${item})[]`;
    }
    case "MapOf":
      return `Record<string, ${typeOf(shape.item)}>`;
    case "Nested":
      return shape.dto.name;
    case "OneOf":
      return shape.dtos.map(({ name }) => name).join(" | ");
  }
}
