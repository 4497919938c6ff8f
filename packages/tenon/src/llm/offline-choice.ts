import { type Schema, Validator } from "@cfworker/json-schema";

/** A function tool as the embedded model reads it. */
export interface OfflineTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: FieldSchema;
  readonly providerOptions?: { readonly tenon?: { readonly access?: unknown } | undefined } | undefined;
}
interface FieldSchema {
  readonly type?: unknown;
  readonly anyOf?: readonly FieldSchema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: { readonly [field: string]: FieldSchema } | undefined;
  readonly required?: readonly string[] | undefined;
}

const QUOTED = `"([^"]+)"|“([^“”]+)”|(?<!\\S)'([^']+)'(?!\\p{L})`;
const NUMBER = "(?<![\\p{L}\\p{N}.-])(-?\\d{1,15}(?:\\.\\d+)?)(?![\\p{L}\\p{N}-])";
const DATE = "(?:\\b(?:since|until|from|on|before|after)\\s+)?\\b(\\d{4}-\\d{2}-\\d{2}(?:T[\\d:.]+(?:Z|[+-][\\d:]+))?)";
const MAIN = /^(query|q|search|text|content|body|message|question|term|topic|keywords?|note)$/;
const SEARCH = stemsOf("search find look locate seek show list get fetch query read see view check display lookup");
const READ = [...SEARCH, ...stemsOf("count number many much")];
const WRITE = stemsOf("save add create write update delete remove send post set edit put make cancel close move book");
const IDLE = wordsOf(`a an the my our your his her their me i we you he she they it its this that these those is are was
  were be been do does did has have had can could should would will may please just of to in on at by for from with about
  into and or but if so any all some there here what which who when where why how say says tell know want need give let s t
  d ll re ve m not no than up out hi hello hey thanks thank good ok okay help user tool called named`);

/** The words of a text in lower case. Names in snake, kebab or camel case fall into words too. */
export function wordsOf(text: string): string[] {
  return (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{L}+|\p{N}+/gu) ?? []).map((word) => word.toLowerCase());
}

// "saving", "saved" and "saves" meet "save". On demand without the words that say nothing about the matter.
function stemsOf(text: string, telling = false): string[] {
  const words = telling ? wordsOf(text).filter((word) => !IDLE.includes(word)) : wordsOf(text);
  return words.map((word) => word.replace(/(?<=..)(ies|(?<=[^aeiou])y|(?<=[^s])s)$|(?<=...)(ing|ed|es?)$/, ""));
}

/** The tool that fits best; a text instead where that is a write and the message does not begin with its verb. */
export function chooseTool(message: string, tools: readonly OfflineTool[]): OfflineTool | string | undefined {
  const text = message.replace(new RegExp(QUOTED, "gu"), " ").replace(/\bhow (many|much)\b/i, "count");
  const [stems, telling] = [stemsOf(text), [...new Set(stemsOf(text, true))]];
  let best: OfflineTool | string | undefined;
  let most = Math.min(3, Math.max(1, telling.length - 1));
  for (const tool of tools) {
    const verb = writeVerbOf(tool);
    const at = verb === undefined ? 0 : stems.indexOf(stemsOf(verb)[0]!);
    const score = at < 0 ? 0 : scoreOf(tool, telling);
    const refusal = `${tool.name} changes something: I use it only where the message begins with "${verb}".`;
    if (score > most) best = at === 0 ? tool : refusal;
    most = Math.max(score, most);
  }
  return best;
}

// A tool that does not say which it is counts as a write unless its name is a reading one.
function writeVerbOf({ name, description, providerOptions }: OfflineTool): string | undefined {
  const access = providerOptions?.tenon?.access;
  if (access === "read" || (access !== "write" && stemsOf(name).some((stem) => READ.includes(stem)))) return undefined;
  const verb = wordsOf(name).find((word) => WRITE.includes(stemsOf(word)[0]!));
  return verb ?? wordsOf(`${description} ${name} call`).find((word) => !IDLE.includes(word));
}

// A word counts least in the fields, most in the name; the first word of the message counts twice.
function scoreOf({ name, description = "", inputSchema }: OfflineTool, telling: readonly string[]): number {
  const names = stemsOf(name);
  const meant = names.some((stem) => SEARCH.includes(stem)) ? SEARCH : [];
  const layers = [stemsOf(JSON.stringify(inputSchema.properties ?? {})), stemsOf(description), meant, names];
  const weights = telling.map((stem) => layers.findLastIndex((layer) => layer.includes(stem)) + 1);
  return weights.reduce((sum, weight) => sum + weight, weights[0] ?? 0);
}

/** Fills a tool's fields from the message. Gives input that fits the tool's schema, or `undefined`: it never guesses. */
export function fillArguments({ name, inputSchema }: OfflineTool, message: string): object | undefined {
  const { properties = {}, required = [] } = inputSchema;
  const input = new Map<string, unknown>();
  const put = (field: string | undefined, value: unknown): void => {
    if (field === undefined || field === "__proto__" || value === undefined || input.has(field)) return;
    if (fits({ [field]: value }, { ...inputSchema, required: [] })) input.set(field, value);
  };
  let text = message;
  // Nothing is read twice: what was taken leaves a NUL character.
  const take = (pattern: string): string | undefined => {
    const match = new RegExp(pattern, "iu").exec(text);
    text = text.replace(new RegExp(pattern, "iu"), "\0");
    return match?.findLast((group) => group !== undefined)?.trim();
  };
  const fields = Object.entries(properties).map(([field, schema]) => {
    const { type, format = field, enum: choices } = schema.anyOf?.find((one) => one.type !== "null") ?? schema;
    const form = /date|since|until/i.test(format) ? "date" : "string";
    const kind = choices === undefined ? String(type).replace("string", form) : "choice";
    return { field, kind, choices, named: patternOf(field) };
  });
  const texts = fields.filter(({ kind }) => kind.includes("string"));
  for (const { field, named } of texts) put(field, take(`${named}d?[\\s:=]*(?:${QUOTED})`));
  const free = texts.map(({ field }) => field).filter((field) => !input.has(field));
  const main = free.find((field) => MAIN.test(field)) ?? free.findLast((field) => required.includes(field)) ?? free[0];
  const others = free.filter((field) => field !== main && required.includes(field));
  for (const field of others) put(field, take(`${patternOf(field)}d?[\\s:=]+([^:,"“]+)(?=[:,])`) ?? take(QUOTED));
  if (text === message) put(main, take(QUOTED));
  for (const { field, kind, choices, named } of fields) {
    const choice = choices?.find((one) => take(`${patternOf(String(one))}(?!\\p{L})`));
    put(field, kind.includes("date") ? take(DATE) : choice);
    if (kind.includes("boolean")) {
      const said = take(`(?:\\b(?:not|no|non|without)[\\s-]+)?${named}(?!\\p{L})(?:[\\s:=]+(?:true|false)\\b)?`);
      put(field, said && !/^no|^without|false$/i.test(said));
    }
    if (/integer|number/.test(kind)) {
      const near = take(`(?:${named}(?: is| of)?|\\b(?:top|first|last))[\\s:=]*${NUMBER}`);
      const said = near ?? (required.includes(field) ? take(NUMBER) : undefined);
      put(field, said && Number(said));
    }
  }
  put(main, restOf(text, name) || undefined);
  const whole = Object.fromEntries(input);
  return required.every((field) => input.has(field)) && fits(whole, inputSchema) ? whole : undefined;
}

// What is left without the words that only name the tool; best, what stands behind "about" or, for a write, "text:".
function restOf(left: string, toolName: string): string {
  const own = stemsOf(toolName);
  const looksUp = own.some((stem) => READ.includes(stem));
  const behind = looksUp ? /\b(?:about|regarding|mention\w*)(\s[^]+)$/i : /\b(?:text|body|content)\s*(:[^]+)$/i;
  const pieces = (behind.exec(left)?.[1] ?? left).match(/\S+\s*/g) ?? [];
  const tells = pieces.map((piece) => stemsOf(piece, true).some((stem) => !READ.includes(stem) && !own.includes(stem)));
  const first = tells.findIndex((telling, at) => telling || (!looksUp && /[:\0]\s*$/.test(pieces[at - 1] ?? "")));
  const last = looksUp ? tells.lastIndexOf(true) : pieces.length;
  const rest = first < 0 ? "" : pieces.slice(first, last + 1).join("");
  const text = rest.replace(/\s?\0\s?/g, " ").trim();
  return looksUp ? text.replace(/[?!.,;]{1,9}$/, "") : text.replace(/^"([^"]+)"$/, "$1");
}

// A name's words however they are joined; for a name without any, a pattern that never matches.
function patternOf(name: string): string {
  return `(?<!\\p{L})${wordsOf(name).join("[\\s_-]*") || "(?!)"}`;
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
