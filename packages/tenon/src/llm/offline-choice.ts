/** A JSON Schema as far as the embedded model reads it. */
export interface FieldSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly anyOf?: readonly FieldSchema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: { readonly [field: string]: FieldSchema } | undefined;
  readonly required?: readonly string[] | undefined;
}

/** A function tool as the embedded model reads it. */
export interface OfflineTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: FieldSchema;
  readonly providerOptions?: { readonly tenon?: { readonly access?: unknown } | undefined } | undefined;
}

/** A pattern for quoted text. What is quoted is in one of its groups. */
export const QUOTED = `"([^"]+)"|“([^”]+)”|(?<!\\S)'([^']+)'(?!\\p{L})`;

const SEARCH = stemsOf("search find look locate seek show list get fetch query read see view check display lookup");
const COUNT = stemsOf("count number many much");
const WRITE =
  stemsOf(`save add create write update delete remove send post set edit put make cancel close move rename book
  order pay refund publish upload insert append assign schedule record store`);
const IDLE = stemsOf(`a an the my our your his her their me i we you he she they it its this that these those is are was
  were be been do does did has have had can could should would will may please just of to in on at by for from with about
  into and or but if so any all some there here what which who when where why how say tell know want need give let s t d ll
  re ve m not no than up out hi hello hey thanks thank good ok okay help user tool titled called named`);

/** The words of a text in lower case. Names in snake, kebab or camel case fall into words too. */
export function wordsOf(text: string): string[] {
  return (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{L}+|\p{N}+/gu) ?? []).map((word) => word.toLowerCase());
}

/** The stems of a text's words: "saving", "saved" and "saves" meet "save". */
export function stemsOf(text: string): string[] {
  return wordsOf(text).map((word) => word.replace(/(?<=..)(ies|y|(?<=[^s])s)$|(?<=...)(ing|ed|es?)$/, ""));
}

/** True for a stem that says nothing about the matter. */
export const isIdle = (stem: string): boolean => IDLE.includes(stem);
/** True for the stem of a verb that looks something up or counts it. */
export const isReading = (stem: string): boolean => SEARCH.includes(stem) || COUNT.includes(stem);

/**
 * The tool that fits the user's words best; what is quoted has no say. Where it is a write and the message does not begin
 * with its verb, `verb` is set, and the tool is not to be called.
 */
export function chooseTool(message: string, tools: readonly OfflineTool[]): { tool?: OfflineTool; verb?: string } {
  const stems = stemsOf(message.replace(new RegExp(QUOTED, "gu"), " ").replace(/\bhow (many|much)\b/i, "count"));
  const telling = [...new Set(stems.filter((stem) => !isIdle(stem)))];
  let best = {};
  let most = Math.min(4, Math.max(2, telling.length)) - 1;
  for (const tool of tools) {
    const verb = writeVerbOf(tool);
    const at = verb === undefined ? 0 : stems.indexOf(stemsOf(verb)[0]!);
    const score = at < 0 ? 0 : scoreOf(tool, telling);
    if (score > most) best = at === 0 ? { tool } : { tool, verb };
    most = Math.max(score, most);
  }
  return best;
}
