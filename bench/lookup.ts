import { setTimeout as wait } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { defineTool } from "tenon";
import { Int, Text } from "tenon/dto";
import type { ScriptedCall } from "./script.ts";
import type { Toolkit } from "./toolkit.ts";

const about = { name: "lookup", description: "Looks a price up." } as const;

interface Input {
  readonly sku: string;
  readonly amount: number;
}

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

export const lookupSchema = {
  type: "object",
  properties: {
    sku: { type: "string", minLength: 1, maxLength: 40 },
    amount: { type: "integer", minimum: 1, maximum: 1_000 },
  },
  required: ["sku", "amount"],
  additionalProperties: false,
} as const;

/** One small tool. `waitMs`: how long it waits before it answers; by default it answers at once. */
export function lookupKit(waitMs?: number): Toolkit {
  const counted = () => {
    let executions = 0;
    const run = async ({ sku, amount }: Input) => {
      executions++;
      if (waitMs !== undefined) await wait(waitMs);
      return { sku, cents: amount * 250 };
    };
    return { run, count: () => executions };
  };
  return {
    system: "You answer questions about prices.",
    floor() {
      const { run, count } = counted();
      const check = new Ajv2020({ strict: false }).compile(lookupSchema);
      return { tools: [{ ...about, inputSchema: lookupSchema, check, run }], count };
    },
    tenon() {
      const { run, count } = counted();
      return { tools: [defineTool({ ...about, input: Lookup, run })], count };
    },
  };
}
