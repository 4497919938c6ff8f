import { argsOf, eventsOf, type Json, type Reading } from "./reading.ts";

/** Calls that are answered by the caller, and that only a tool of OpenAI's own makes. */
const FOREIGN = ["local_shell_call", "shell_call", "apply_patch_call", "computer_call"];

/** Reads an answer of OpenAI's responses interface. */
export function readResponses(body: string, streamed: boolean): Reading {
  const events = streamed ? eventsOf(body) : [];
  const response: Json = streamed
    ? (events.findLast(({ type }) => /^response\.(completed|incomplete|failed)$/.test(type))?.response ?? {})
    : JSON.parse(body);
  // The items come one by one; the last event repeats them, but not at every server.
  const items: readonly Json[] = streamed
    ? events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item)
    : (response.output ?? []);
  const calls = items
    .filter(({ type }) => type === "function_call")
    .map(({ name, arguments: text }) => ({ name, args: argsOf(text) }));
  const { usage } = response;
  return {
    text: items
      .filter(({ type }) => type === "message")
      .flatMap(({ content }): readonly Json[] => content)
      .map(({ text, refusal }) => text ?? refusal ?? "")
      .join(""),
    calls,
    finish: finishOf(response, calls.length > 0),
    usage: (usage ?? undefined) && {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cached: usage.input_tokens_details?.cached_tokens ?? 0,
      written: 0,
      reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
    },
    sealed: items.flatMap(({ encrypted_content: sealed }) => (sealed ? [sealed] : [])),
    kept: items.flatMap(({ type, id }) => (type === "reasoning" && id ? [id] : [])),
    foreign:
      response.status === "queued" ||
      response.status === "in_progress" ||
      items.some(({ type, execution }) => FOREIGN.includes(type) || execution === "client"),
    error: (response.error ?? events.find(({ type }) => type === "error")?.error)?.message,
  };
}

function finishOf({ status, incomplete_details: why }: Json, calling: boolean): Reading["finish"] {
  if (status === undefined) return undefined;
  if (status === "failed") return "error";
  if (status === "incomplete")
    return why?.reason === "max_output_tokens"
      ? "length"
      : why?.reason === "content_filter"
        ? "content-filter"
        : "other";
  return calling ? "tool-calls" : "stop";
}
