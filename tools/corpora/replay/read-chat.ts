import { argsOf, eventsOf, type Json, type Reading, type ReadUsage } from "./reading.ts";

const finishes: { readonly [label: string]: Reading["finish"] } = {
  stop: "stop",
  end_turn: "stop",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  length: "length",
  content_filter: "content-filter",
};

interface Call {
  readonly key: unknown;
  name: string;
  text: string;
}

/** Reads an answer of OpenAI's chat interface, or of a server that has it too. */
export function readChat(body: string, streamed: boolean): Reading {
  const chunks = streamed ? eventsOf(body) : [JSON.parse(body) as Json];
  let text = "";
  let finish: string | null | undefined;
  let usage: Json | undefined;
  let error: string | undefined;
  const calls: Call[] = [];
  const sealed: string[] = [];
  for (const chunk of chunks) {
    if (chunk.error) error ??= String(chunk.error.message ?? chunk.error);
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    finish = choice?.finish_reason ?? finish;
    const message = choice?.delta ?? choice?.message ?? {};
    text += textOf(message.content) + (message.refusal || "");
    for (const call of message.tool_calls ?? []) add(calls, call, streamed);
    for (const detail of message.reasoning_details ?? [])
      for (const piece of [detail.signature, detail.data]) if (piece) sealed.push(piece);
  }
  return {
    text,
    calls: calls.map((call) => ({ name: call.name, args: argsOf(call.text) })),
    finish: finish === undefined || finish === null ? undefined : (finishes[finish] ?? "other"),
    usage: usage && usageOf(usage),
    sealed,
    error,
  };
}

/** Content is a text, or a list of texts and thoughts. */
function textOf(content: any): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part: Json) => (part.type === "text" ? part.text : "")).join("");
}

function add(calls: Call[], given: Json, streamed: boolean): void {
  const key = given.index ?? given.id;
  const known = streamed ? (key === undefined ? calls.at(-1) : calls.find((call) => call.key === key)) : undefined;
  const { name = "", arguments: text = "" } = given.function ?? {};
  if (known === undefined) calls.push({ key, name: name ?? "", text: text ?? "" });
  else {
    known.name ||= name ?? "";
    known.text += text ?? "";
  }
}

/** Some servers count reasoning beside the completion: then only the total tells. */
function usageOf(usage: Json): ReadUsage {
  const input = usage.prompt_tokens ?? 0;
  const completion = usage.completion_tokens ?? 0;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  const beside = reasoning > 0 && usage.total_tokens === input + completion + reasoning;
  const ticks = usage.cost_in_usd_ticks;
  const cost = usage.cost?.total_cost ?? usage.cost ?? (ticks && ticks / 1e10);
  return {
    input,
    output: completion + (beside ? reasoning : 0),
    cached: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0,
    written: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    reasoning,
    costUsd: typeof cost === "number" ? cost : undefined,
  };
}
