import { halves } from "./halves.ts";
import type { Json } from "./reading.ts";

/** A whole answer of OpenAI's responses interface as the events of a stream: texts and argument texts in pieces. */
export function responsesPieces(response: Json): readonly Json[] {
  const { output, usage: _usage, ...begun } = response;
  return [
    { type: "response.created", response: { ...begun, status: "in_progress", output: [], usage: null } },
    ...(output as readonly Json[]).flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: begin(item) },
      ...deltas(item).map((delta) => ({ ...delta, item_id: item.id, output_index })),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: response.status === "incomplete" ? "response.incomplete" : "response.completed", response },
  ];
}

function begin(item: Json): Json {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "function_call") return { ...item, status: "in_progress", arguments: "" };
  if (item.type === "reasoning") return { ...item, summary: [] };
  return item;
}

function deltas(item: Json): readonly Json[] {
  switch (item.type) {
    case "message":
      return (item.content as readonly Json[]).flatMap(({ text }, content_index) =>
        halves(text ?? "").map((delta) => ({ type: "response.output_text.delta", content_index, delta })),
      );
    case "function_call":
      return halves(item.arguments).map((delta) => ({ type: "response.function_call_arguments.delta", delta }));
    case "reasoning":
      return (item.summary as readonly Json[]).flatMap(({ text }, summary_index) => [
        { type: "response.reasoning_summary_part.added", summary_index, part: { type: "summary_text", text: "" } },
        ...halves(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", summary_index, delta })),
        { type: "response.reasoning_summary_part.done", summary_index, part: { type: "summary_text", text } },
      ]);
    default:
      return [];
  }
}
