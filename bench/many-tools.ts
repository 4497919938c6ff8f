import { Ajv2020 } from "ajv/dist/2020.js";
import { defineTool } from "tenon";
import { Choice, Flag, Int, Num, Text } from "tenon/dto";
import type { ScriptedCall } from "./script.ts";
import type { Toolkit } from "./toolkit.ts";

const COUNT = 200;
const statuses = ["open", "held", "closed"] as const;

class Filter {
  declare customer: string;
  declare city: string;
  declare note: string;
  declare page: number;
  declare size: number;
  declare minimum: number;
  declare archived: boolean;
  declare status: (typeof statuses)[number];
}
Text({ prompt: "the customer's number", min: 1, max: 40 })(Filter.prototype, "customer");
Text({ prompt: "where the customer lives", max: 80 })(Filter.prototype, "city");
Text({ prompt: "words in the note", max: 200 })(Filter.prototype, "note");
Int({ prompt: "which page", min: 1 })(Filter.prototype, "page");
Int({ prompt: "rows a page", min: 1, max: 100 })(Filter.prototype, "size");
Num({ prompt: "the smallest sum", min: 0 })(Filter.prototype, "minimum");
Flag({ prompt: "old ones too" })(Filter.prototype, "archived");
Choice(statuses, { prompt: "how far it is" })(Filter.prototype, "status");

const inputSchema = {
  type: "object",
  properties: {
    customer: { type: "string", description: "the customer's number", minLength: 1, maxLength: 40 },
    city: { type: "string", description: "where the customer lives", maxLength: 80 },
    note: { type: "string", description: "words in the note", maxLength: 200 },
    page: { type: "integer", description: "which page", minimum: 1 },
    size: { type: "integer", description: "rows a page", minimum: 1, maximum: 100 },
    minimum: { type: "number", description: "the smallest sum", minimum: 0 },
    archived: { type: "boolean", description: "old ones too" },
    status: { type: "string", description: "how far it is", enum: statuses },
  },
  required: ["customer", "city", "note", "page", "size", "minimum", "archived", "status"],
  additionalProperties: false,
};

const abouts = Array.from({ length: COUNT }, (_, i) => ({
  name: `list_${i}`,
  description: `Lists the records of kind ${i}.`,
}));

/** A call of one of the last tools, with all eight fields. */
export function manyCall(id: string): ScriptedCall {
  const input = {
    customer: "C-117",
    city: "Lund",
    note: "late",
    page: 2,
    size: 25,
    minimum: 12.5,
    archived: false,
    status: "held",
  };
  return { id, tool: abouts[COUNT - 7]!.name, input: JSON.stringify(input), result: '{"customer":"C-117","rows":25}' };
}

/** 200 tools of eight fields. */
export const manyTools: Toolkit = {
  system: "You list records.",
  floor() {
    let executions = 0;
    const run = async ({ customer, size }: Filter) => {
      executions++;
      return { customer, rows: size };
    };
    const check = new Ajv2020({ strict: false }).compile(inputSchema);
    return { tools: abouts.map((about) => ({ ...about, inputSchema, check, run })), count: () => executions };
  },
  tenon() {
    let executions = 0;
    const run = async ({ customer, size }: Filter) => {
      executions++;
      return { customer, rows: size };
    };
    return { tools: abouts.map((about) => defineTool({ ...about, input: Filter, run })), count: () => executions };
  },
};
