import type * as Tenon from "tenon";
import type { JsonObject, JsonValue, Schema } from "tenon";
import type { ListedTool } from "tenon/mcp";
import { ClassNames, kebabCase, pascalCase } from "../source-names.js";
import { commentText } from "../source-text.js";
import { dtoClass, type DtoDoor } from "./dto-class.js";
import { areInTime } from "./pattern-in-time.js";
import { readShapes } from "./read-shapes.js";
import { sampleValue } from "./sample-value.js";
import { isObject, NotSaid, onlyHas } from "./schema-part.js";
import type { PartPlan, SampleCall, ToolPlan } from "./tool-plan.js";

/** What planning asks of the project's own Tenon: whether it takes what is to be written. */
export interface ProjectDoors {
  readonly tenon: Pick<typeof Tenon, "defineTool" | "jsonSchema" | "toolOf">;
  readonly dto: DtoDoor;
}

/** The tools that can be written, and why the others cannot. */
export interface ToolPlans {
  readonly plans: readonly ToolPlan[];
  readonly leftOut: readonly { readonly tool: string; readonly why: string }[];
}

/** Plans the files of a server's tools. Everything is tried with the project's Tenon: schemas, classes, the call of the test. */
export async function planTools(
  tools: readonly ListedTool[],
  serverClass: string,
  doors: ProjectDoors,
): Promise<ToolPlans> {
  const names = new ClassNames([serverClass]);
  const own = new OwnNames();
  const plans: ToolPlan[] = [];
  const leftOut: { tool: string; why: string }[] = [];
  for (const tool of tools) {
    try {
      const className = names.take(pascalCase(tool.name), "Tool");
      const reserved = [serverClass, className];
      const input = await planInput(tool, className, reserved, doors);
      const output = await planOutput(tool, className, [...reserved, ...namesIn(input.plan)], doors);
      plans.push({
        tool,
        className,
        fileName: kebabCase(className),
        ownName: own.take(tool.name),
        input: input.plan,
        output: output.plan,
        // A hint of the server: a person reads what is written.
        access: tool.annotations?.readOnlyHint === true && tool.annotations.destructiveHint !== true ? "read" : "write",
        sample: await sampleCall(tool, input.schema, output.schema, doors),
      });
    } catch (thrown) {
      leftOut.push({ tool: tool.name, why: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }
  return { plans, leftOut };
}

interface Planned {
  readonly plan: PartPlan;
  readonly schema: Schema | undefined;
}

async function planInput(
  tool: ListedTool,
  className: string,
  reserved: readonly string[],
  doors: ProjectDoors,
): Promise<Planned> {
  if (takesNothing(tool.inputSchema)) return { plan: { kind: "none" }, schema: undefined };
  return planPart(tool.inputSchema, `${className}Input`, className, reserved, false, doors);
}

async function planOutput(
  tool: ListedTool,
  className: string,
  reserved: readonly string[],
  doors: ProjectDoors,
): Promise<Planned> {
  if (tool.outputSchema === undefined) return { plan: { kind: "plain-text" }, schema: undefined };
  return planPart(tool.outputSchema, `${className}Output`, className, reserved, true, doors);
}

/** Classes where they say the same; else the schema itself. Throws where Tenon does not take the schema either. */
async function planPart(
  schema: JsonObject,
  wanted: string,
  prefix: string,
  reserved: readonly string[],
  open: boolean,
  doors: ProjectDoors,
): Promise<Planned> {
  let why = "";
  for (const trusted of [true, false]) {
    try {
      const names = new ClassNames(reserved);
      const dtos = readShapes(schema, { name: names.take(wanted, "Data"), prefix, names, open, trusted });
      const made = dtoClass(dtos, doors.dto);
      await tryOut(made, undefined, undefined, undefined, doors);
      return { plan: { kind: "dto", dtos }, schema: made };
    } catch (thrown) {
      why = thrown instanceof Error ? thrown.message : String(thrown);
      if (thrown instanceof NotSaid) break;
    }
  }
  const given = doors.tenon.jsonSchema(schema);
  await tryOut(given, undefined, undefined, undefined, doors);
  return {
    plan: { kind: "schema", typeName: new ClassNames(reserved).take(wanted, "Data"), schema, why },
    schema: given,
  };
}

function namesIn(plan: PartPlan): readonly string[] {
  if (plan.kind === "dto") return plan.dtos.map(({ name }) => name);
  return plan.kind === "schema" ? [plan.typeName, `${plan.typeName}Schema`] : [];
}

function takesNothing(schema: JsonObject): boolean {
  try {
    onlyHas(schema, "type", "properties", "required", "additionalProperties");
  } catch {
    return false;
  }
  const { properties, required, additionalProperties } = schema;
  return (
    (properties === undefined || (isObject(properties) && Object.keys(properties).length === 0)) &&
    (required === undefined || (Array.isArray(required) && required.length === 0)) &&
    (additionalProperties === undefined || additionalProperties === false)
  );
}

async function sampleCall(
  { inputSchema, outputSchema }: ListedTool,
  input: Schema | undefined,
  output: Schema | undefined,
  doors: ProjectDoors,
): Promise<SampleCall | undefined> {
  const wanted = input === undefined ? {} : sampleValue(inputSchema);
  if (wanted === undefined || !areInTime(inputSchema, wanted)) return undefined;
  const found = outputSchema === undefined ? { text: "done" } : sampleValue(outputSchema);
  const answer =
    found === undefined || outputSchema === undefined || areInTime(outputSchema, found) ? found : undefined;
  const whole = answer === undefined ? undefined : await tryOut(input, output, wanted, answer, doors);
  if (whole?.ok === true) return { input: wanted, sent: whole.sent!, answer };
  const { sent } = whole?.sent === undefined ? await tryOut(input, undefined, wanted, undefined, doors) : whole;
  return sent === undefined ? undefined : { input: wanted, sent, answer: undefined };
}

/** Calls a tool that has these schemas. Throws where Tenon does not take them. */
async function tryOut(
  input: Schema | undefined,
  output: Schema | undefined,
  value: JsonValue | undefined,
  answer: JsonValue | undefined,
  { tenon }: ProjectDoors,
): Promise<{ readonly ok: boolean; readonly sent: JsonValue | undefined }> {
  let sent: JsonValue | undefined;
  const tool = tenon.defineTool({
    name: "try_out",
    description: "Tries a schema.",
    input,
    output,
    run: (given: unknown) => {
      sent = JSON.parse(JSON.stringify(given)) as JsonValue;
      return answer as never;
    },
  });
  const { kind } = await tenon.toolOf(tool).invoke(value ?? {});
  // An answer that is completed by defaults is not what the test would see.
  return { ok: kind === "ok", sent };
}

/** Names for the model: no two that are equal but for case, `-` and `_`. */
class OwnNames {
  readonly #taken = new Set<string>();

  /** A name of its own where the tool's is taken. */
  take(name: string): string | undefined {
    if (!/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) return undefined;
    for (let count = 1; ; count++) {
      const tried = count === 1 ? name : `${name.slice(0, 60)}_${count}`;
      const bare = tried.toLowerCase().replace(/[-_]/g, "");
      if (this.#taken.has(bare)) continue;
      this.#taken.add(bare);
      return count === 1 ? undefined : tried;
    }
  }
}

/** A note on a tool that was left out. */
export function leftOutText({ tool, why }: ToolPlans["leftOut"][number]): string {
  const words = why
    .replace(/\s+/g, " ")
    .replace(/^The tool try_out cannot be used: /, "")
    .replace(/ Give `jsonSchema\(\)` .*$/, "");
  return `${commentText(tool)} is left out: ${words.slice(0, 300)}`;
}
