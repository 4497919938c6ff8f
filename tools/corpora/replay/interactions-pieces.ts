import { halves } from "./halves.ts";
import type { Json } from "./reading.ts";

/** A whole answer of Google's interactions as the events of a stream, each step in pieces. */
export function interactionsPieces({ steps, usage, ...interaction }: Json): readonly Json[] {
  const { id } = interaction;
  return [
    { event_type: "interaction.created", interaction: { ...interaction, status: "in_progress" } },
    { event_type: "interaction.status_update", interaction_id: id, status: "in_progress" },
    ...(steps as readonly Json[]).flatMap((step, index) => [
      { event_type: "step.start", index, step: begin(step) },
      ...deltas(step).map((delta) => ({ event_type: "step.delta", index, delta })),
      { event_type: "step.stop", index },
    ]),
    { event_type: "interaction.completed", interaction: { ...interaction, usage } },
  ];
}

/** A step that has nothing yet. Steps of Google's own tools come whole. */
function begin({ type, id, name, ...step }: Json): Json {
  if (type === "thought" || type === "model_output") return { type };
  return type === "function_call" ? { type, id, name, arguments: {} } : { type, id, name, ...step };
}

function deltas({ type, signature, summary, content, arguments: input }: Json): readonly Json[] {
  if (type === "model_output")
    return ((content ?? []) as readonly Json[]).flatMap(({ text }) =>
      halves(text ?? "").map((piece) => ({ type: "text", text: piece })),
    );
  if (type === "function_call")
    return halves(JSON.stringify(input)).map((piece) => ({
      type: "arguments_delta",
      arguments: piece,
      ...(signature ? { signature } : {}),
    }));
  if (type !== "thought") return [];
  return [
    ...((summary ?? []) as readonly Json[]).map((one) => ({ type: "thought_summary", content: one })),
    ...(signature ? [{ type: "thought_signature", signature }] : []),
  ];
}
