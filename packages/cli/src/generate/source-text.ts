import type { JsonValue } from "tenon";

/** All that is not plainly seen, and what would end a line for some readers. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const WIDTH = 100;

/** A text as a literal of TypeScript: nothing in it ends the literal, hides or turns what is read. */
export function textLiteral(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (found) => {
    let escaped = "";
    for (let i = 0; i < found.length; i++) escaped += `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}

/** A JSON value as an expression of TypeScript. A member `__proto__` is a member as any other. */
export function literal(value: JsonValue | undefined, indent = ""): string {
  if (typeof value === "string") return textLiteral(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((item: JsonValue) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${memberName(key)}: ${literal(item as JsonValue, inner)}`);
  if (parts.length === 0) return `${open}${close}`;
  const line = Array.isArray(value) ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (line.length + indent.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** The name of a member in an object literal. */
function memberName(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return isPlainName(key) ? key : textLiteral(key);
}

/** The name of a field in a class or a type. */
export function fieldName(key: string): string {
  return isPlainName(key) ? key : textLiteral(key);
}

function isPlainName(key: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(key);
}

/** A text of somebody else within a comment: one line, in quotes, cut, and unable to end the comment. */
export function commentText(text: string, max = 100): string {
  const cut = text.length <= max ? text : `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "")}…`;
  return textLiteral(cut).replaceAll("*/", "*\\/");
}

/** Options of a decorator: `{ a: 1, b: 2 }`, over several lines where one is too long. Leaves out what is `undefined`. */
export function optionsText(options: Readonly<Record<string, string | undefined>>, indent = ""): string {
  const parts = Object.entries(options).flatMap(([name, text]) => (text === undefined ? [] : `${name}: ${text}`));
  if (parts.length === 0) return "";
  const line = `{ ${parts.join(", ")} }`;
  if (line.length + indent.length <= WIDTH && !line.includes("\n")) return line;
  return `{\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}}`;
}
