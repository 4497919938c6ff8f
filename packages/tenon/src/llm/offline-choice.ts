import { changes, isStop, reads, type Word, wordsOf } from "./offline-words.js";

/** A JSON Schema as far as the embedded model reads it. */
export interface FieldSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly anyOf?: readonly FieldSchema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly default?: unknown;
  readonly description?: string | undefined;
  readonly properties?: { readonly [field: string]: FieldSchema } | undefined;
  readonly required?: readonly string[] | undefined;
  readonly $defs?: unknown;
}

/** A function tool as the embedded model reads it. */
export interface OfflineTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: FieldSchema;
  readonly providerOptions?: { readonly tenon?: { readonly access?: unknown } | undefined } | undefined;
}

/**
 * The tool that fits the user's words best. A write fits only where the very first word is its verb; where the verb comes
 * early, but not first, `verb` is set, and the tool is not to be called.
 */
export function chooseTool(
  text: string,
  tools: readonly OfflineTool[],
): { tool: OfflineTool; verb?: string } | undefined {
  const words = wordsOf(text.replace(/\bhow (?:many|much)\b|\bnumber of\b/gi, "count"));
  const telling = words.filter((word) => !isStop(word));
  let best: { tool: OfflineTool; score: number; verb?: string } | undefined;
  for (const tool of tools) {
    const verb = writeVerbOf(tool);
    if (verb !== undefined && !words.slice(0, 6).some(({ stem }) => stem === verb.stem)) continue;
    const score = scoreOf(tool, telling);
    if (score < Math.min(4, Math.max(2, telling.length)) || (best !== undefined && score <= best.score)) continue;
    best = verb === undefined || verb.stem === words[0]!.stem ? { tool, score } : { tool, score, verb: verb.text };
  }
  return best;
}

// A tool that does not say which it is counts as a write unless its name is a reading one.
function writeVerbOf({ name, description, providerOptions }: OfflineTool): Word | undefined {
  const words = wordsOf(name);
  const access = providerOptions?.tenon?.access;
  if (access === "read" || (access !== "write" && words.some(reads))) return undefined;
  return words.find(changes) ?? wordsOf(`${description} ${name} call`).find((word) => !isStop(word));
}

function scoreOf({ name, description, inputSchema }: OfflineTool, telling: readonly Word[]): number {
  const names = wordsOf(name);
  const about = new Set(wordsOf(description ?? "").map(({ stem }) => stem));
  const fields = new Set(wordsOf(JSON.stringify(inputSchema.properties ?? {})).map(({ stem }) => stem));
  const weights = new Map<string, number>();
  for (const { stem, sense } of telling) {
    const inName = names.some((one) => one.stem === stem) ? 4 : names.some((one) => one.sense === sense) ? 3 : 0;
    const weight = inName || (about.has(stem) ? 2 : fields.has(stem) ? 1 : 0);
    weights.set(sense, Math.max(weight * (weights.size === 0 ? 2 : 1), weights.get(sense) ?? 0));
  }
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
}
