import { Ajv2020 } from "ajv/dist/2020.js";
import { Agent, createApp, defineTool, type Store } from "tenon";
import { Int, Text } from "tenon/dto";
import { runByHand, type FloorTool } from "./floor-loop.ts";
import { scriptedModel, type ScriptedCall } from "./script.ts";
import type { Side } from "./side.ts";

/** Both sides have the same one tool, script and prompt. */
const about = { name: "lookup", description: "Looks a price up." } as const;
const system = "You answer questions about prices.";
const prompt = "What does it cost?";

/** One call of the tool, with the text that the model must read back. */
export function lookupCall(id: string, sku: string, amount: number): ScriptedCall {
  return {
    id,
    tool: about.name,
    input: JSON.stringify({ sku, amount }),
    result: JSON.stringify({ sku, cents: amount * 250 }),
  };
}

class Lookup {
  declare sku: string;
  declare amount: number;
}
Text({ prompt: "the article's number", min: 1, max: 40 })(Lookup.prototype, "sku");
Int({ prompt: "how many", min: 1, max: 1_000 })(Lookup.prototype, "amount");

/** The hand-written loop over a script. */
export function floorSide(turns: readonly (readonly ScriptedCall[])[]): Side {
  const model = scriptedModel(turns);
  let executions = 0;
  const inputSchema = {
    type: "object",
    properties: {
      sku: { type: "string", minLength: 1, maxLength: 40 },
      amount: { type: "integer", minimum: 1, maximum: 1_000 },
    },
    required: ["sku", "amount"],
    additionalProperties: false,
  };
  const tool: FloorTool = {
    ...about,
    inputSchema,
    check: new Ajv2020({ strict: false }).compile(inputSchema),
    async run({ sku, amount }: { sku: string; amount: number }) {
      executions++;
      return { sku, cents: amount * 250 };
    },
  };
  const tools = new Map([[tool.name, tool]]);
  return {
    async run() {
      if ((await runByHand(model, tools, system, prompt)) !== "done") throw new Error("the run did not end");
    },
    count: () => executions,
    perRun: turns.flat().length,
  };
}

/** Tenon over the same script, through its public doors. */
export async function tenonSide(turns: readonly (readonly ScriptedCall[])[], store: Store): Promise<Side> {
  let executions = 0;
  const lookup = defineTool({
    ...about,
    input: Lookup,
    async run({ sku, amount }) {
      executions++;
      return { sku, cents: amount * 250 };
    },
  });
  class Clerk {}
  Agent({ name: "clerk", description: "Knows prices.", prompt: system, tools: [lookup], maxToolCalls: 40 })(Clerk);
  const app = await createApp(Clerk, { store, models: { default: scriptedModel(turns) } });
  return {
    async run() {
      const { status, text, error } = await app.run({ prompt });
      if (status !== "completed" || text !== "done") throw new Error(`the run ended as ${status}: ${error?.message}`);
    },
    count: () => executions,
    perRun: turns.flat().length,
    close: () => app.close(),
  };
}
