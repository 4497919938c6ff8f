import type { GeneratedFile } from "../generated-file.js";
import { fieldName, literal, optionsText, textLiteral } from "../source-text.js";

/** How a server is reached: by a command or an address. */
export interface ServerPlace {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
  /** Names of environment variables; never a value. */
  readonly env: readonly string[];
  /** Headers for the address, each with the variable that has its value; it is among `env`. */
  readonly headers: readonly { readonly name: string; readonly variable: string }[];
}

/** The headers of a place, as a function of the values of its variables. */
export function headersOf({
  headers,
}: ServerPlace):
  | ((context: unknown, env: Readonly<Record<string, string>>) => Readonly<Record<string, string>>)
  | undefined {
  if (headers.length === 0) return undefined;
  return (_context, env) => Object.fromEntries(headers.map(({ name, variable }) => [name, env[variable] ?? ""]));
}

/** All that the server's file is written from. */
export interface McpServerPlan extends ServerPlace {
  readonly name: string;
  readonly className: string;
  /** Without its ending. */
  readonly fileName: string;
}

/** The file of the server's class, which lists the tools that are used. */
export function serverFile(server: McpServerPlan, tools: readonly string[]): GeneratedFile {
  const { name, className, command, args = [], url, env, headers } = server;
  const options: Readonly<Record<string, string | undefined>> = {
    name: textLiteral(name),
    command: command === undefined ? undefined : textLiteral(command),
    args: args.length === 0 ? undefined : literal(args, "  "),
    url: url === undefined ? undefined : textLiteral(url),
    env: env.length === 0 ? undefined : literal(env, "  "),
    headers:
      headers.length === 0
        ? undefined
        : `(_context, env) => (${optionsText(Object.fromEntries(headers.map(({ name: header, variable }) => [fieldName(header), `env[${textLiteral(variable)}] ?? ""`])), "  ")})`,
    tools: literal(tools, "  "),
  };
  const lines = Object.entries(options).flatMap(([option, text]) =>
    text === undefined ? [] : `  ${option}: ${text},\n`,
  );
  const text = `import { McpServer, McpServerClient } from "tenon/mcp";

/** The MCP server ${name}. Its tools are offered as they were accepted in tenon.lock.json. */
@McpServer({
${lines.join("")}})
export class ${className} extends McpServerClient {}
`;
  return { path: `${server.fileName}.ts`, text };
}
