import { argsOf, eventsOf, type Json, type Reading, type ReadUsage } from "./reading.ts";

const finishes: { readonly [label: string]: Reading["finish"] } = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content-filter",
};

/** Reads an answer of Anthropic's messages interface. */
export function readAnthropic(body: string, streamed: boolean): Reading {
  const message: Json = streamed ? assembled(eventsOf(body)) : JSON.parse(body);
  const blocks: readonly Json[] = message.content ?? [];
  const finish = message.stop_reason;
  return {
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ name, input, text }) => ({ name, args: text === undefined ? input : argsOf(text) })),
    finish: finish === undefined || finish === null ? undefined : (finishes[finish] ?? "other"),
    usage: message.usage && usageOf(message.usage),
    sealed: blocks.flatMap(({ type, signature, data }) =>
      type === "thinking" ? [signature] : type === "redacted_thinking" ? [data] : [],
    ),
    error: message.error?.message,
  };
}

function assembled(events: readonly Json[]): Json {
  const blocks: { [key: string]: any }[] = [];
  let usage: Json | undefined;
  let stop_reason: unknown;
  let error: Json | undefined;
  let id: unknown;
  for (const event of events) {
    if (event.type === "error") error = event.error;
    if (event.type === "message_start") {
      if (id !== undefined && id !== event.message.id) error = { message: "message_start" };
      id = event.message.id;
      usage = event.message.usage;
    }
    if (event.type === "message_delta") {
      stop_reason = event.delta.stop_reason;
      const given = Object.entries(event.usage ?? {}).filter(([, value]) => value !== null);
      usage = { ...usage, ...Object.fromEntries(given) };
    }
    if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block };
    if (event.type === "content_block_delta") grow(blocks[event.index]!, event.delta);
  }
  return { content: blocks.filter(Boolean), stop_reason, usage, error };
}

function grow(block: { [key: string]: any }, delta: Json): void {
  switch (delta.type) {
    case "text_delta":
      block.text += delta.text;
      break;
    case "input_json_delta":
      block.text = (block.text ?? "") + delta.partial_json;
      break;
    case "signature_delta":
      block.signature = (block.signature ?? "") + delta.signature;
      break;
  }
}

/** Where the provider ran its model several times for one answer, the top-level counts have only a part of it. */
function usageOf(usage: Json): ReadUsage {
  const own = (usage.iterations ?? []).filter(({ type }: Json) => type === "message" || type === "compaction");
  const runs: readonly Json[] = own.length > 0 ? own : [usage];
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const sum = (key: string) => runs.reduce((total, run) => total + (run[key] ?? 0), 0);
  return {
    input: sum("input_tokens") + cached + written,
    output: sum("output_tokens"),
    cached,
    written,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
  };
}
