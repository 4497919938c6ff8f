import type { GeneratedFile } from "../generated-file.js";
import { commentText, literal, textLiteral } from "../source-text.js";
import { dtoSource } from "./dto-source.js";
import type { McpServerPlan } from "./server-file.js";
import type { PartPlan, ToolPlan } from "./tool-plan.js";
import { typeSource } from "./type-source.js";

/** A part as it is written: its declarations, what the decorator names, and the type of its values. */
interface WrittenPart {
  readonly source: string;
  readonly option: string | undefined;
  readonly type: string | undefined;
}

/** The file of one tool: its DTO classes and its class. */
export function toolFile(plan: ToolPlan, server: McpServerPlan): GeneratedFile {
  const used = new Set<string>();
  const input = writtenPart(plan.input, used);
  const output = writtenPart(plan.output, used);
  const hasSchema = plan.input.kind === "schema" || plan.output.kind === "schema";
  const { tool, access, className, ownName } = plan;
  const described = tool.description?.trim() === "" ? undefined : tool.description;
  const options: Readonly<Record<string, string | undefined>> = {
    server: server.className,
    tool: textLiteral(tool.name),
    name: ownName === undefined ? undefined : textLiteral(ownName),
    description: textLiteral(described ?? `The tool ${tool.name} of the server ${server.name}.`),
    input: input.option,
    output: output.option,
    access: `"${access}"`,
  };
  const lines = Object.entries(options).flatMap(([name, text]) => (text === undefined ? [] : `  ${name}: ${text},\n`));
  // Written by the server's own hint; whether it holds, a person decides.
  const about = `The tool ${commentText(tool.name)} of the MCP server ${server.name}.`;
  const hint = 'The server says that it only reads; where that is not so, write `access: "write"`.';
  const handler = `ToolHandler${input.type === undefined && output.type === undefined ? "" : `<${input.type ?? "NoInput"}, ${output.type ?? "unknown"}>`}`;
  const types = [...(input.type === undefined ? ["NoInput"] : []), "ToolContext", "ToolHandler"];
  const fromTenon = hasSchema
    ? `{ jsonSchema, ${types.map((name) => `type ${name}`).join(", ")} }`
    : `type { ${types.join(", ")} }`;
  const text = `import ${fromTenon} from "tenon";
${used.size === 0 ? "" : `import { ${[...used].sort().join(", ")} } from "tenon/dto";\n`}import { McpTool } from "tenon/mcp";
import { ${server.className} } from "./${server.fileName}.js";

${input.source}${output.source}${
    access === "read"
      ? `/**
 * ${about}
 * ${hint}
 */`
      : `/** ${about} */`
  }
@McpTool({
${lines.join("")}})
export class ${className} implements ${handler} {
  constructor(private readonly server: ${server.className}) {}

  run(${input.type === undefined ? "_input: NoInput" : `input: ${input.type}`}, ctx: ToolContext): Promise<${output.type ?? "unknown"}> {
    return this.server.call(${textLiteral(tool.name)}, ${input.type === undefined ? "{}" : "input"}, ctx);
  }
}
`;
  return { path: `${plan.fileName}.ts`, text };
}

function writtenPart(plan: PartPlan, used: Set<string>): WrittenPart {
  switch (plan.kind) {
    case "none":
      return { source: "", option: undefined, type: undefined };
    case "plain-text":
      used.add("PlainText");
      return { source: "", option: "PlainText", type: "PlainText" };
    case "dto": {
      const { name } = plan.dtos.at(-1)!;
      return { source: plan.dtos.map((dto) => `${dtoSource(dto, used)}\n`).join(""), option: name, type: name };
    }
    case "schema": {
      const { typeName, schema, why } = plan;
      const source = `/** The values of the schema below. */
export type ${typeName} = ${typeSource(schema)};

/** As the server has it, because DTO classes cannot say it: ${commentText(why, 300)}. */
export const ${typeName}Schema = jsonSchema<${typeName}>(${literal(schema)});

`;
      return { source, option: `${typeName}Schema`, type: typeName };
    }
  }
}
