import { halves } from "./halves.ts";
import type { Json } from "./reading.ts";

/** A whole answer of Cohere's as the events of a stream: its plan, its content and its calls in pieces. */
export function coherePieces({ id, message, finish_reason, usage }: Json): readonly Json[] {
  const begun = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  return [
    { id, type: "message-start", delta: { message: begun } },
    ...halves(message.tool_plan ?? "").map((tool_plan) => ({
      type: "tool-plan-delta",
      delta: { message: { tool_plan } },
    })),
    ...((message.content ?? []) as readonly Json[]).flatMap(({ type, text, thinking }, index) => [
      { type: "content-start", index, delta: { message: { content: { type, [type]: "" } } } },
      ...halves(text ?? thinking).map((piece) => ({
        type: "content-delta",
        index,
        delta: { message: { content: { [type]: piece } } },
      })),
      { type: "content-end", index },
    ]),
    ...((message.tool_calls ?? []) as readonly Json[]).flatMap(
      ({ function: { name, arguments: text }, ...call }, index) => [
        callEvent("start", index, { ...call, function: { name, arguments: "" } }),
        ...halves(text).map((piece) => callEvent("delta", index, { function: { arguments: piece } })),
        { type: "tool-call-end", index },
      ],
    ),
    { type: "message-end", delta: { finish_reason, usage } },
  ];
}

function callEvent(what: "start" | "delta", index: number, tool_calls: Json): Json {
  return { type: `tool-call-${what}`, index, delta: { message: { tool_calls } } };
}
