import type { JsonObject, JsonValue } from "tenon";
import { patternFits } from "./pattern-in-time.js";
import { isObject, schemaAt } from "./schema-part.js";

const BY_FORMAT: Readonly<Record<string, string>> = {
  email: "ada@example.com",
  url: "https://example.com/",
  uri: "https://example.com/",
  uuid: "3f2b8c1e-6d0a-4b57-9c43-2e1f5a7d9b10",
  date: "2026-03-01",
  time: "09:30:00Z",
  "date-time": "2026-03-01T09:30:00Z",
  duration: "PT5M",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};
/** Texts that many patterns are made for. */
const TEXTS = [
  "text",
  "a",
  "A",
  "1",
  "0",
  "a1",
  "abc",
  "ABC",
  "10",
  "2026-03-01",
  "09:30",
  "1.0.0",
  "#aabbcc",
  "/a",
  "a@b.co",
];
const DEEPEST = 20;
const PARTS = 2_000;

/**
 * A value that probably fits a schema, with its required members only: `undefined` where none is found. Whether it fits, the
 * caller asks Tenon.
 */
export function sampleValue(root: JsonObject): JsonValue | undefined {
  let left = PARTS;
  try {
    return sampleOf(root, 0, 1);
  } catch {
    return undefined;
  }

  function sampleOf(part: JsonValue | undefined, depth: number, count: number): JsonValue {
    if (depth > DEEPEST || left-- <= 0) throw new Error("it is too deep");
    const { node } = schemaAt(root, part);
    for (const given of [node["const"], node["enum"], node["examples"]]) {
      const first =
        Array.isArray(given) && given !== node["const"] ? (given[(count - 1) % given.length] as JsonValue) : given;
      if (first !== undefined) return first;
    }
    if (node["default"] !== undefined && node["default"] !== null) return node["default"];
    const branches = node["anyOf"] ?? node["oneOf"];
    if (Array.isArray(branches) && branches.length > 0 && node["properties"] === undefined)
      return sampleOf(branches[0] as JsonValue, depth + 1, count);
    const type = [node["type"] ?? (node["properties"] === undefined ? "string" : "object")].flat()[0];
    switch (type) {
      case "string":
        return textOf(node, count);
      case "integer":
      case "number":
        return numberOf(node, type) + (count - 1);
      case "boolean":
        return count % 2 === 1;
      case "null":
        return null;
      case "array": {
        const size = typeof node["minItems"] === "number" ? Math.min(node["minItems"], 20) : 0;
        return Array.from({ length: Math.max(size, 1) }, (_, at) => sampleOf(node["items"] ?? {}, depth + 1, at + 1));
      }
      default:
        return objectOf(node, depth);
    }
  }

  function objectOf(node: JsonObject, depth: number): JsonValue {
    const { properties, required } = node;
    const wanted = Array.isArray(required) ? (required as readonly JsonValue[]) : [];
    const members = isObject(properties) ? Object.entries(properties) : [];
    return Object.fromEntries(
      members.filter(([key]) => wanted.includes(key)).map(([key, part]) => [key, sampleOf(part, depth + 1, 1)]),
    );
  }
}

function textOf(node: JsonObject, count: number): string {
  const { format, pattern, minLength, maxLength } = node;
  const [min, max] = [minLength, maxLength].map((bound) => (typeof bound === "number" ? bound : undefined));
  const known = typeof format === "string" ? BY_FORMAT[format] : undefined;
  const texts = known === undefined ? TEXTS : [known, ...TEXTS];
  if ((min ?? 0) > 1_000) throw new Error("it is too long");
  const sized = texts.map((text) => (count > 1 ? `${text}${count}` : text).padEnd(min ?? 0, "a").slice(0, max));
  if (typeof pattern !== "string") return sized[0]!;
  const found = sized.find((text) => {
    const fits = patternFits(pattern, text);
    if (fits === undefined) throw new Error("the pattern takes too long");
    return fits;
  });
  if (found === undefined) throw new Error("no text is known that fits the pattern");
  return found;
}

function numberOf(node: JsonObject, type: "integer" | "number"): number {
  const bound = (keyword: string): number | undefined => {
    const value = node[keyword];
    return typeof value === "number" ? value : undefined;
  };
  const step = bound("multipleOf") ?? 1;
  const low = bound("minimum") ?? (bound("exclusiveMinimum") ?? Number.NaN) + step;
  const high = bound("maximum") ?? (bound("exclusiveMaximum") ?? Number.NaN) - step;
  const start = Number.isNaN(low)
    ? Number.isNaN(high)
      ? step
      : Math.min(step, high)
    : Math.max(Math.min(step, Number.isNaN(high) ? step : high), low);
  return type === "integer" ? Math.ceil(start) : start;
}
