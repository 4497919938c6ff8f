import type { V4Call, V4Message, V4Model, V4Result, V4Text } from "./v4.ts";

/** A tool of the hand-written loop: a check made by Ajv, and the function. */
export interface FloorTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly check: (value: unknown) => boolean;
  readonly run: (input: never) => Promise<unknown>;
}

/** What a program that is written by hand makes once. */
export interface FloorProgram {
  readonly model: V4Model;
  readonly tools: ReadonlyMap<string, FloorTool>;
  readonly declarations: readonly unknown[];
  readonly system: V4Message;
}

export function floorProgram(model: V4Model, tools: readonly FloorTool[], system: string): FloorProgram {
  return {
    model,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    declarations: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema,
    })),
    system: { role: "system", content: system },
  };
}

/**
 * The floor: what a loop costs that somebody writes by hand for one program. No journal, no hooks, no limits but one, no
 * timeouts, no stop, no usage. Gives the messages after those of before, the answer last.
 */
export async function runByHand(
  { model, tools, declarations, system }: FloorProgram,
  before: readonly V4Message[],
  text: string,
): Promise<V4Message[]> {
  const prompt: V4Message[] = [system, ...before, { role: "user", content: [{ type: "text", text }] }];
  for (let turn = 1; turn <= 12; turn++) {
    const { content } = await model.doGenerate({ prompt, tools: declarations });
    const calls: V4Call[] = [];
    let answer = "";
    for (const part of content) {
      if (part.type === "tool-call") calls.push({ ...part, input: JSON.parse(part.input as string) as unknown });
      else answer += part.text;
    }
    if (calls.length === 0) {
      prompt.push({ role: "assistant", content: [{ type: "text", text: answer }] });
      return prompt.slice(before.length + 1);
    }
    prompt.push({ role: "assistant", content: calls });
    prompt.push({ role: "tool", content: await Promise.all(calls.map((call) => runCall(tools, call))) });
  }
  throw new Error("too many turns");
}

/** The text of the last message. */
export function answerOf(messages: readonly V4Message[]): string {
  return (messages.at(-1)!.content[0] as V4Text).text;
}

async function runCall(tools: ReadonlyMap<string, FloorTool>, call: V4Call): Promise<V4Result> {
  const { toolCallId, toolName, input } = call;
  const tool = tools.get(toolName);
  if (tool === undefined || !tool.check(input)) throw new Error(`the call of ${toolName} does not fit`);
  const value = JSON.stringify(await tool.run(input as never));
  return { type: "tool-result", toolCallId, toolName, output: { type: "text", value } };
}
