/** A tool of the hand-written loop: a check made by Ajv, and the function. */
export interface FloorTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly check: (value: unknown) => boolean;
  readonly run: (input: any) => Promise<unknown>;
}

/**
 * The floor: what a loop costs that somebody writes by hand for one program. No journal, no hooks, no limits but one, no
 * timeouts, no stop, no usage.
 */
export async function runByHand(model: any, tools: ReadonlyMap<string, FloorTool>, system: string, text: string) {
  const declarations = [...tools.values()].map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema,
  }));
  const prompt: unknown[] = [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text }] },
  ];
  for (let turn = 1; turn <= 12; turn++) {
    const { content } = await model.doGenerate({ prompt, tools: declarations });
    const calls = content.filter((part: any) => part.type === "tool-call");
    if (calls.length === 0) return content[0].text;
    const inputs = calls.map((call: any) => JSON.parse(call.input));
    prompt.push({ role: "assistant", content: calls.map((call: any, i: number) => ({ ...call, input: inputs[i] })) });
    prompt.push({
      role: "tool",
      content: await Promise.all(calls.map((call: any, i: number) => runCall(tools, call, inputs[i]))),
    });
  }
  throw new Error("too many turns");
}

async function runCall(tools: ReadonlyMap<string, FloorTool>, { toolCallId, toolName }: any, input: unknown) {
  const tool = tools.get(toolName);
  if (tool === undefined || !tool.check(input)) throw new Error(`the call of ${toolName} does not fit`);
  const value = JSON.stringify(await tool.run(input));
  return { type: "tool-result", toolCallId, toolName, output: { type: "text", value } };
}
