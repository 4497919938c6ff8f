import type { V4Call, V4Message, V4Model, V4Result } from "./v4.ts";

/** A tool of the hand-written loop: a check made by Ajv, and the function. */
export interface FloorTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly check: (value: unknown) => boolean;
  readonly run: (input: never) => Promise<unknown>;
}

/**
 * The floor: what a loop costs that somebody writes by hand for one program. No journal, no hooks, no limits but one, no
 * timeouts, no stop, no usage.
 */
export async function runByHand(model: V4Model, tools: ReadonlyMap<string, FloorTool>, system: string, text: string) {
  const declarations = [...tools.values()].map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema,
  }));
  const prompt: V4Message[] = [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text }] },
  ];
  for (let turn = 1; turn <= 12; turn++) {
    const { content } = await model.doGenerate({ prompt, tools: declarations });
    const calls: V4Call[] = [];
    let answer = "";
    for (const part of content) {
      if (part.type === "tool-call") calls.push({ ...part, input: JSON.parse(part.input as string) as unknown });
      else answer += part.text;
    }
    if (calls.length === 0) return answer;
    prompt.push({ role: "assistant", content: calls });
    prompt.push({ role: "tool", content: await Promise.all(calls.map((call) => runCall(tools, call))) });
  }
  throw new Error("too many turns");
}

async function runCall(tools: ReadonlyMap<string, FloorTool>, call: V4Call): Promise<V4Result> {
  const { toolCallId, toolName, input } = call;
  const tool = tools.get(toolName);
  if (tool === undefined || !tool.check(input)) throw new Error(`the call of ${toolName} does not fit`);
  const value = JSON.stringify(await tool.run(input as never));
  return { type: "tool-result", toolCallId, toolName, output: { type: "text", value } };
}
