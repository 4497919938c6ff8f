import { halves } from "./halves.ts";
import type { Json } from "./reading.ts";

/** A whole answer of Amazon Bedrock's as the events of a stream, each block in pieces. */
export function bedrockPieces({ output, stopReason, usage, metrics }: Json): readonly Json[] {
  return [
    { messageStart: { role: "assistant" } },
    ...(output.message.content as readonly Json[]).flatMap((block, contentBlockIndex) => [
      ...(block.toolUse
        ? [{ contentBlockStart: { contentBlockIndex, start: { toolUse: { ...block.toolUse, input: undefined } } } }]
        : []),
      ...deltas(block).map((delta) => ({ contentBlockDelta: { contentBlockIndex, delta } })),
      { contentBlockStop: { contentBlockIndex } },
    ]),
    { messageStop: { stopReason } },
    ...(usage ? [{ metadata: { usage, metrics } }] : []),
  ];
}

function deltas({ text, toolUse, reasoningContent: thought }: Json): readonly Json[] {
  if (toolUse) return halves(JSON.stringify(toolUse.input)).map((input) => ({ toolUse: { input } }));
  if (thought?.reasoningText) {
    const { text: said, signature } = thought.reasoningText;
    return [
      ...halves(said).map((piece) => ({ reasoningContent: { text: piece } })),
      ...(signature ? [{ reasoningContent: { signature } }] : []),
    ];
  }
  if (thought) return [{ reasoningContent: thought }];
  return halves(text).map((piece) => ({ text: piece }));
}
