import { type Schema, Validator } from "@cfworker/json-schema";
import type { FieldSchema, OfflineTool } from "./offline-choice.js";
import { isStop, reads, wordsOf } from "./offline-words.js";

const QUOTED = `"([^"]+)"|“([^”]+)”|(?<!\\S)'([^']+)'(?!\\p{L})`;
const NUMBER = "(?<![\\p{L}\\p{N}.-])([-+]?\\d+(?:\\.\\d+)?)(?![\\p{L}\\p{N}-])";
const DATE =
  "(?:\\b(?:since|until|from|on|by|before|after)\\s+)?\\b(\\d{4}-\\d{2}-\\d{2}" +
  "(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2}))?)(?![\\p{L}\\p{N}-])";
const TITLE = /^(title|name|subject|heading)$/;
const MAIN = /^(query|q|search|text|content|body|message|question|term|topic|keywords?|note|description)$/;

/** The message with spaces for what is quoted. */
export function withoutQuotes(text: string): string {
  return text.replace(new RegExp(QUOTED, "gu"), (quote) => " ".repeat(quote.length));
}

/**
 * Fills a tool's fields from the user's message: what is named, quoted, of the right form or among the choices, and the rest
 * into the main text field. Gives input that fits the tool's schema, or the fields to ask for.
 */
export function fillArguments(tool: OfflineTool, message: string): { input?: object; missing: readonly string[] } {
  const { properties = {}, required = [], $defs } = tool.inputSchema;
  const draft = new Draft(message);
  const input = new Map<string, unknown>();
  const put = (field: string | undefined, value: unknown): void => {
    if (field === undefined || field === "__proto__" || value === undefined) return;
    if (fits(value, { ...properties[field], $defs })) input.set(field, value);
  };
  for (const [field, given] of Object.entries(properties))
    put(field, draft.value(field, given, required.includes(field)));
  const rank = (field: string): number => Number(MAIN.test(field)) * 2 + Number(required.includes(field));
  const texts = Object.keys(properties).filter((field) => !input.has(field) && isText(properties[field]!));
  const main = texts.toSorted((a, b) => rank(b) - rank(a))[0];
  const title = texts.find((field) => field !== main && TITLE.test(field));
  put(title ?? main, draft.take(QUOTED));
  if (main !== undefined && !input.has(main)) put(main, draft.rest(tool.name));
  const missing = required.filter((field) => !input.has(field));
  const whole = Object.fromEntries(input);
  if (missing.length === 0 && fits(whole, tool.inputSchema)) return { input: whole, missing };
  return { missing: missing.length > 0 ? missing : Object.keys(properties) };
}

// What has not been read of the message yet: nothing is used twice. What was taken leaves NUL characters.
class Draft {
  #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  value(field: string, given: FieldSchema, required: boolean): unknown {
    const schema = plain(given);
    const name = `(?<!\\p{L})${words(field)}`;
    if (schema.enum !== undefined)
      return schema.enum.find((one) => this.take(`(?<!\\p{L})(${words(String(one))})(?!\\p{L})`));
    if (schema.type === "boolean") {
      const said = this.take(`((?:(?:not|no|non|without)[\\s-]+)?${name})(?!\\p{L})`);
      return said === undefined ? schema.default : !/^(not?|non|without)\b/i.test(said);
    }
    if (schema.type === "integer" || schema.type === "number") {
      const top = /limit|max|top|size/i.test(field) ? this.take("\\b(?:top|first|last)\\s+(\\d+)\\b") : undefined;
      const said =
        top ?? this.take(`${name}\\s*(?:is|of|to|[:=])?\\s*${NUMBER}`) ?? (required ? this.take(NUMBER) : undefined);
      return said === undefined ? schema.default : Number(said);
    }
    if (!isText(schema)) return schema.default;
    if (/date|since|until/i.test(`${field} ${schema.format}`)) return this.take(DATE) ?? schema.default;
    const called = TITLE.test(field) ? "|(?:titled|called|named)\\s+" : "";
    const quoted = this.take(`(?:${name}\\s*[:=]?\\s*${called})(?:${QUOTED})`);
    return (
      quoted ??
      this.take(`(?:${name}\\s*[:=]\\s*${called})([^\\s"“]${MAIN.test(field) ? "[^]*" : "[^:,\\n]*"})`) ??
      schema.default
    );
  }

  // What is left without the words that only name the tool; for a look-up, what stands behind "about".
  rest(toolName: string): string | undefined {
    const looksUp = wordsOf(toolName).some(reads);
    const own = new Set(wordsOf(toolName).map(({ sense }) => sense));
    const text =
      (looksUp ? /\b(?:about|regarding|concerning|mentioning|matching)\s+([^]+)$/i.exec(this.#text)?.[1] : undefined) ??
      this.#text;
    const found = wordsOf(text);
    const idle = found.map((word) => isStop(word) || own.has(word.sense) || reads(word));
    let first = 0;
    while (idle[first] === true && !(first > 0 && /[:\0]/.test(text.slice(found[first - 1]!.end, found[first]!.start))))
      first++;
    const last = looksUp ? idle.lastIndexOf(false) : found.length - 1;
    if (first > last) return undefined;
    return text
      .slice(found[first]!.start, looksUp ? found[last]!.end : undefined)
      .replace(/\s*\0[\s\0]*/g, " ")
      .trim();
  }

  take(pattern: string): string | undefined {
    const match = new RegExp(pattern, "iu").exec(this.#text);
    if (match === null) return undefined;
    const end = match.index + match[0].length;
    this.#text = this.#text.slice(0, match.index) + "\0".repeat(match[0].length) + this.#text.slice(end);
    return match
      .slice(1)
      .find((group) => group !== undefined)
      ?.trim();
  }
}

// A pattern for a name's words; one that never matches for a name without any.
function words(name: string): string {
  return (
    wordsOf(name)
      .map(({ text }) => text)
      .join("[\\s_-]*") || "(?!)"
  );
}

// The first branch of a union that is not null.
function plain(given: FieldSchema): FieldSchema {
  const schema = given.anyOf?.find(({ type }) => type !== "null") ?? given;
  return typeof schema.type === "object" ? { ...schema, type: schema.type.find((type) => type !== "null") } : schema;
}

function isText(schema: FieldSchema): boolean {
  return plain(schema).type === "string" && plain(schema).enum === undefined;
}

// The schema has the last word; one that cannot be checked fits nothing.
function fits(value: unknown, schema: FieldSchema): boolean {
  try {
    return new Validator(schema as Schema, "2020-12").validate(value).valid;
  } catch {
    return false;
  }
}
