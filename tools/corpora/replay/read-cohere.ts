import { argsOf, eventsOf, type Json, type Reading } from "./reading.ts";

const finishes: { readonly [label: string]: Reading["finish"] } = {
  COMPLETE: "stop",
  STOP_SEQUENCE: "stop",
  TOOL_CALL: "tool-calls",
  MAX_TOKENS: "length",
  ERROR: "error",
  TIMEOUT: "error",
};

/** Reads an answer of Cohere's chat interface, version 2. */
export function readCohere(body: string, streamed: boolean): Reading {
  const answer: Json = streamed ? assembled(eventsOf(body)) : JSON.parse(body);
  const content: readonly Json[] = answer.message?.content ?? [];
  const calls: readonly Json[] = answer.message?.tool_calls ?? [];
  const { finish_reason: finish, usage } = answer;
  return {
    text: content.map(({ text }) => text ?? "").join(""),
    calls: calls.map(({ function: { name, arguments: text } }) => ({ name, args: argsOf(text) })),
    finish: finish === undefined ? undefined : (finishes[finish] ?? "other"),
    // What is billed: without the tokens that Cohere adds by itself.
    usage: usage?.billed_units && {
      input: usage.billed_units.input_tokens,
      output: usage.billed_units.output_tokens,
      cached: 0,
      written: 0,
      reasoning: 0,
    },
    sealed: [],
    error: answer.finish_reason === undefined && typeof answer.message === "string" ? answer.message : undefined,
  };
}

function assembled(events: readonly Json[]): Json {
  const content: { [key: string]: any }[] = [];
  const calls: { [key: string]: any }[] = [];
  let end: Json = {};
  for (const { type, index, delta } of events) {
    const { content: piece, tool_calls: call } = delta?.message ?? {};
    if (type === "content-start") content[index] = { ...piece };
    if (type === "content-delta" && piece.text !== undefined)
      content[index]!.text = (content[index]!.text ?? "") + piece.text;
    if (type === "tool-call-start") calls[index] = structuredClone(call);
    if (type === "tool-call-delta") calls[index]!.function.arguments += call.function.arguments;
    if (type === "message-end") end = delta;
  }
  const { finish_reason, usage } = end;
  return { message: { content: content.filter(Boolean), tool_calls: calls.filter(Boolean) }, finish_reason, usage };
}
