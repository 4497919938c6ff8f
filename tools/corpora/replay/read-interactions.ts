import { argsOf, eventsOf, type Json, type Reading } from "./reading.ts";

/** Reads an answer of Google's interactions. */
export function readInteractions(body: string, streamed: boolean): Reading {
  const answer: Json = streamed ? assembled(eventsOf(body)) : JSON.parse(body);
  const steps: readonly Json[] = answer.steps ?? [];
  const calls = steps
    .filter(({ type }) => type === "function_call")
    .map(({ name, arguments: input, text }) => ({ name, args: text === undefined ? input : argsOf(text) }));
  const { usage } = answer;
  const reasoning = usage?.total_thought_tokens ?? 0;
  return {
    text: steps
      .filter(({ type }) => type === "model_output")
      .flatMap(({ content }): readonly Json[] => content ?? [])
      .map(({ text }) => text ?? "")
      .join(""),
    calls,
    finish: finishOf(answer.status, calls.length > 0),
    usage: usage && {
      input: usage.total_input_tokens + (usage.total_tool_use_tokens ?? 0),
      output: usage.total_output_tokens + reasoning,
      cached: usage.total_cached_tokens ?? 0,
      written: 0,
      reasoning,
    },
    sealed: steps.flatMap(({ signature }) => (signature ? [signature] : [])),
    error: answer.error?.message,
  };
}

function finishOf(status: unknown, calling: boolean): Reading["finish"] {
  if (status === "completed") return calling ? "tool-calls" : "stop";
  if (status === "requires_action") return "tool-calls";
  if (status === "incomplete") return "length";
  return status === "failed" ? "error" : undefined;
}

function assembled(events: readonly Json[]): Json {
  const steps: { [key: string]: any }[] = [];
  let answer: Json = {};
  let status: unknown;
  let error: unknown;
  for (const { event_type: type, index, step, delta, interaction, ...event } of events) {
    if (type === "step.start") steps[index] = { ...step };
    if (type === "step.delta") grow(steps[index]!, delta);
    if (type === "interaction.status_update") status = event.status;
    if (type === "interaction.completed") ({ status } = answer = interaction);
    if (type === "error") ({ error } = event);
  }
  return { usage: answer.usage, status, steps: steps.filter(Boolean), error };
}

function grow(step: { [key: string]: any }, delta: Json): void {
  if (delta.type === "text") step.content = [...(step.content ?? []), { text: delta.text }];
  if (delta.type === "arguments_delta") step.text = (step.text ?? "") + delta.arguments;
  if (delta.signature) step.signature = delta.signature;
}
