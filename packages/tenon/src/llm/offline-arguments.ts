import { type Schema, Validator } from "@cfworker/json-schema";
import { type FieldSchema, isIdle, isReading, type OfflineTool, QUOTED, wordsOf } from "./offline-choice.js";

const NUMBER = "(?<![\\p{L}\\p{N}.-])([-+]?\\d+(?:\\.\\d+)?)(?![\\p{L}\\p{N}-])";
const DATE =
  "(?:\\b(?:since|until|from|on|by|before|after)\\s+)?\\b(\\d{4}-\\d{2}-\\d{2}" +
  "(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2}))?)(?![\\p{L}\\p{N}-])";
const TITLE = /^(title|name|subject|heading)$/;
const MAIN = /^(query|q|search|text|content|body|message|question|term|topic|keywords?|note|description)$/;

/**
 * Fills a tool's fields from the user's message: what is named, quoted, of the right form or among the choices, and the rest
 * of the sentence into the main text field. Gives input that fits the tool's schema, or the fields to ask for.
 */
export function fillArguments(
  tool: OfflineTool,
  message: string,
): { input?: object | undefined; missing: readonly string[] } {
  const { properties = {}, required = [] } = tool.inputSchema;
  const input = new Map<string, unknown>();
  const put = (field: string | undefined, value: unknown): void => {
    if (field === undefined || field === "__proto__" || value === undefined) return;
    if (fits({ [field]: value }, { ...tool.inputSchema, required: [] })) input.set(field, value);
  };
  // Nothing is read twice: what was taken leaves a NUL character.
  let text = message;
  const take = (pattern: string): string | undefined => {
    const [whole, ...groups] = new RegExp(pattern, "iu").exec(text) ?? [];
    if (whole !== undefined) text = text.replace(whole, "\0");
    return groups.find((group) => group !== undefined)?.trim();
  };
  for (const [field, schema] of Object.entries(properties))
    put(field, valueOf(field, schema, required.includes(field), take));
  const rank = (field: string): number => Number(MAIN.test(field)) * 2 + Number(required.includes(field));
  const texts = Object.keys(properties).filter((field) => !input.has(field) && isText(properties[field]!));
  const main = texts.toSorted((a, b) => rank(b) - rank(a))[0];
  const title = texts.find((field) => field !== main && TITLE.test(field));
  put(title ?? main, take(QUOTED));
  if (main !== undefined && !input.has(main))
    put(main, take(`\0[\\s:,]*(?:${QUOTED})\\s*$`) ?? restOf(text, tool.name));
  const missing = required.filter((field) => !input.has(field));
  const whole = Object.fromEntries(input);
  if (missing.length === 0 && fits(whole, tool.inputSchema)) return { input: whole, missing };
  return { missing: missing.length > 0 ? missing : Object.keys(properties) };
}

function valueOf(
  field: string,
  schema: FieldSchema,
  required: boolean,
  take: (pattern: string) => string | undefined,
): unknown {
  const name = `(?<!\\p{L})${patternOf(field)}`;
  const choices = branchesOf(schema).find((branch) => branch.enum !== undefined)?.enum;
  if (choices !== undefined)
    return choices.find((one) => take(`(?<!\\p{L})(${patternOf(String(one))})(?!\\p{L})`) !== undefined);
  const types = branchesOf(schema).flatMap(({ type }) => type ?? []);
  if (types.includes("boolean")) {
    const said = take(`((?:(?:not|no|non|without)[\\s-]+)?${name})(?!\\p{L})`);
    return said && !/^(not?|non|without)\b/i.test(said);
  }
  if (types.includes("integer") || types.includes("number")) {
    const said = take(`(?:${name}\\s*(?:is|of|to|[:=])?|\\b(?:top|first|last))\\s*${NUMBER}`);
    const number = said ?? (required ? take(NUMBER) : undefined);
    return number === undefined ? undefined : Number(number);
  }
  if (!isText(schema)) return undefined;
  if (branchesOf(schema).some(({ format = field }) => /date|since|until/i.test(format))) return take(DATE);
  const called = TITLE.test(field) ? "|(?:titled|called|named)\\s+" : "";
  const bare = `(?:${name}\\s*[:=]\\s*${called})([^\\s"“]${MAIN.test(field) ? "[^]*" : "[^:,\\n]*"})`;
  return take(`(?:${name}\\s*[:=]?\\s*${called})(?:${QUOTED})`) ?? take(bare);
}

// What is left without the words that only name the tool; for a look-up, what stands behind "about".
function restOf(left: string, toolName: string): string | undefined {
  const own = wordsOf(toolName);
  const looksUp = own.some(isReading);
  const topic = looksUp ? /\b(?:about|regarding|concerning|mentioning|matching)\s+([^]+)$/i.exec(left)?.[1] : undefined;
  const text = topic ?? left;
  const words = wordsOf(text);
  const tells = words.map(
    (word) => !isIdle(word) && !isReading(word) && !own.some(({ sense }) => sense === word.sense),
  );
  const starts = words.map(({ start }, at) => at > 0 && /[:\0]/.test(text.slice(words[at - 1]!.end, start)));
  const first = tells.findIndex((telling, at) => telling || starts[at]);
  const last = looksUp ? tells.lastIndexOf(true) : words.length - 1;
  if (first < 0 || first > last) return undefined;
  return text
    .slice(words[first]!.start, looksUp ? words[last]!.end : undefined)
    .replace(/\s*\0[\s\0]*/g, " ")
    .trim();
}

// A name's words however they are joined; for a name without any, a pattern that never matches.
function patternOf(name: string): string {
  return (
    wordsOf(name)
      .map(({ text }) => text)
      .join("[\\s_-]*") || "(?!)"
  );
}

function branchesOf(schema: FieldSchema): readonly FieldSchema[] {
  return [schema, ...(schema.anyOf ?? [])];
}

function isText(schema: FieldSchema): boolean {
  return (
    branchesOf(schema).some(({ type }) => [type].flat().includes("string")) &&
    branchesOf(schema).every((one) => one.enum === undefined)
  );
}

// The schema has the last word; one that cannot be checked fits nothing.
function fits(value: object, schema: FieldSchema): boolean {
  try {
    // The validator writes into the schema, and schemas are frozen.
    return new Validator(structuredClone(schema) as Schema, "2020-12").validate(value).valid;
  } catch {
    return false;
  }
}
