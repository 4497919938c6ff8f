import { argsOf, eventsOf, type Json, type Reading, type ReadUsage } from "./reading.ts";

const finishes: { readonly [label: string]: Reading["finish"] } = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  content_filtered: "content-filter",
  guardrail_intervened: "content-filter",
  malformed_model_output: "error",
  malformed_tool_use: "error",
};

/** Reads an answer of Amazon Bedrock's converse interface; a stream as the events of its frames. */
export function readBedrock(body: string, streamed: boolean): Reading {
  const answer: Json = streamed ? assembled(eventsOf(body)) : JSON.parse(body);
  const blocks: readonly Json[] = answer.output?.message?.content ?? [];
  const { stopReason, usage } = answer;
  return {
    text: blocks.map(({ text, citationsContent }) => text ?? citedText(citationsContent)).join(""),
    calls: blocks.flatMap(({ toolUse }) =>
      toolUse ? [{ name: toolUse.name, args: toolUse.json === undefined ? toolUse.input : argsOf(toolUse.json) }] : [],
    ),
    finish: stopReason === undefined ? undefined : (finishes[stopReason] ?? "other"),
    usage: usage && usageOf(usage),
    sealed: blocks.flatMap(({ reasoningContent: thought }) =>
      [thought?.reasoningText?.signature, thought?.redactedContent].filter(Boolean),
    ),
    foreign: !streamed && answer.output === undefined && answer.message === undefined,
    error: answer.error,
  };
}

function citedText(cited: Json | undefined): string {
  return ((cited?.content ?? []) as readonly Json[]).map(({ text }) => text ?? "").join("");
}

function usageOf({ inputTokens, outputTokens, ...usage }: Json): ReadUsage {
  const cached = usage.cacheReadInputTokens ?? 0;
  const written = usage.cacheWriteInputTokens ?? 0;
  return { input: inputTokens + cached + written, output: outputTokens, cached, written, reasoning: 0 };
}

function assembled(events: readonly Json[]): Json {
  const blocks: { [key: string]: any }[] = [];
  let stopReason: unknown;
  let usage: unknown;
  let error: unknown;
  for (const event of events) {
    const { contentBlockStart: start, contentBlockDelta: piece } = event;
    if (start) blocks[start.contentBlockIndex] = begin(start.start);
    if (piece) grow((blocks[piece.contentBlockIndex] ??= {}), piece.delta);
    stopReason ??= event.messageStop?.stopReason;
    usage ??= event.metadata?.usage;
    const exception = Object.keys(event).find((key) => key.endsWith("Exception"));
    if (exception !== undefined) error = event[exception].message;
  }
  return { output: { message: { content: blocks.filter(Boolean) } }, stopReason, usage, error };
}

function begin(given: Json | undefined): { [key: string]: any } {
  return given?.toolUse ? { toolUse: { ...given.toolUse, json: "" } } : {};
}

function grow(block: { [key: string]: any }, { text, toolUse, reasoningContent: thought }: Json): void {
  if (text !== undefined) block.text = (block.text ?? "") + text;
  if (toolUse) block.toolUse.json += toolUse.input ?? "";
  if (!thought) return;
  block.reasoningContent ??= {};
  if (thought.signature) block.reasoningContent.reasoningText = { signature: thought.signature };
  if (thought.redactedContent)
    block.reasoningContent.redactedContent = (block.reasoningContent.redactedContent ?? "") + thought.redactedContent;
}
