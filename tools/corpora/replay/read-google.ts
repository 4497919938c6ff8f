import { eventsOf, type Json, type ReadCall, type Reading, type ReadUsage } from "./reading.ts";

const filtered = ["IMAGE_SAFETY", "RECITATION", "SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"];

/** Reads an answer of Google's `generateContent`. */
export function readGoogle(body: string, streamed: boolean): Reading {
  const chunks = streamed ? eventsOf(body) : [JSON.parse(body) as Json];
  const parts = chunks.flatMap((chunk): readonly Json[] => chunk.candidates?.[0]?.content?.parts ?? []);
  const calls = callsOf(parts);
  const blocked = chunks.some(({ promptFeedback, candidates }) => promptFeedback?.blockReason && !candidates);
  const label = chunks.findLast((chunk) => chunk.candidates?.[0]?.finishReason)?.candidates[0].finishReason;
  const usage = chunks.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata;
  return {
    text: parts.map(({ text, thought }) => (thought ? "" : (text ?? ""))).join(""),
    calls,
    finish: label ? finishOf(label, calls.length > 0) : blocked ? "content-filter" : undefined,
    usage: usage && usageOf(usage),
    sealed: parts.flatMap(({ thoughtSignature }) => (thoughtSignature ? [thoughtSignature] : [])),
    error: chunks.find(({ error }) => error)?.error.message,
  };
}

/** A call is whole, or begun with its name and followed by pieces that say where they belong. */
function callsOf(parts: readonly Json[]): readonly ReadCall[] {
  const calls: { readonly name: string; readonly args: { [key: string]: any } }[] = [];
  for (const { functionCall } of parts) {
    if (!functionCall) continue;
    const { name, args = {}, partialArgs = [] } = functionCall;
    if (name) calls.push({ name, args: structuredClone(args) });
    for (const { jsonPath, stringValue, ...other } of partialArgs) {
      const path: readonly string[] = jsonPath.match(/[^$.[\]]+/g);
      let at = calls.at(-1)!.args;
      for (const [i, key] of path.slice(0, -1).entries()) at = at[key] ??= /^\d+$/.test(path[i + 1]!) ? [] : {};
      const last = path.at(-1)!;
      at[last] =
        stringValue === undefined ? (other.numberValue ?? other.boolValue ?? null) : (at[last] ?? "") + stringValue;
    }
  }
  return calls;
}

function finishOf(label: string, calling: boolean): Reading["finish"] {
  if (label === "STOP") return calling ? "tool-calls" : "stop";
  if (label === "MAX_TOKENS") return "length";
  if (label === "MALFORMED_FUNCTION_CALL") return "error";
  return filtered.includes(label) ? "content-filter" : "other";
}

function usageOf(usage: Json): ReadUsage {
  const reasoning = usage.thoughtsTokenCount ?? 0;
  return {
    input: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    output: (usage.candidatesTokenCount ?? 0) + reasoning,
    cached: usage.cachedContentTokenCount ?? 0,
    written: 0,
    reasoning,
  };
}
