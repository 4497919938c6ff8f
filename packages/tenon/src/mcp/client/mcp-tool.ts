import { shownValue } from "../../config/options.js";
import type { Dep } from "../../container/keys.js";
import { toValidName } from "../../llm/wire-names.js";
import type { Schema } from "../../schema/schema.js";
import type { FitsTool } from "../../tools/tool.js";
import { TOOL } from "../../tools/tool-metadata.js";
import type { ToolPolicy, ToolTypes } from "../../tools/tool-options.js";
import { isPlainObject } from "../../util/plain-object.js";
import { MCP_TOOL, type McpToolEntry } from "./mcp-tool-entry.js";
import type { McpServerClass } from "./server-options.js";

/** What `@McpTool` says of where its tool lives. */
interface McpToolPlace<Server> {
  /** The class of its server. */
  readonly server: Server;
  /** Its name at the server; `@McpServer` lists it. */
  readonly tool: string;
  /** Default: its name at the server, where that is one that all providers take, else one made from it. */
  readonly name?: string | undefined;
}

/** The options of `@McpTool`: those of `@Tool`, and where the tool lives. `deps` is the server by default, `source` is `untrusted`, `timeoutMs` 600,000. */
export type McpToolOptions<
  Server extends McpServerClass = McpServerClass,
  S extends Schema | undefined = any,
  O extends Schema | undefined = any,
  D extends readonly Dep[] = readonly Dep[],
  Durable extends boolean = boolean,
> = Omit<ToolPolicy, "name"> & McpToolPlace<Server> & ToolTypes<S, O, D, Durable>;

/**
 * Makes a class a tool that lives on an MCP server. It has the server injected and calls it in `run`:
 * `return this.files.call("write_file", input, ctx)`. All that holds for `@Tool` holds here, and the model is offered it only as
 * long as the server has it as it was accepted (`tenon.lock.json`).
 *
 * Works as a legacy and as a TC39 decorator and changes nothing in the class: `new X(fake)` is an ordinary object.
 */
export function McpTool<
  Server extends McpServerClass,
  S extends Schema | undefined = undefined,
  O extends Schema | undefined = undefined,
  const D extends readonly Dep[] = [Server],
  Durable extends boolean = false,
>(
  options: McpToolOptions<Server, S, O, D, Durable>,
): <C extends new (...args: any[]) => { run(...args: any): unknown }>(
  target: C & NoInfer<FitsTool<C, S, O, D, Durable>>,
  context?: ClassDecoratorContext<C>,
) => void {
  return (target) => {
    const { server, tool, ...policy } = isPlainObject(options) ? options : ({} as typeof options);
    const own = {
      ...policy,
      name: policy.name ?? (typeof tool === "string" && tool !== "" ? toValidName(tool) : shownValue(tool)),
      deps: policy.deps ?? [server],
      source: policy.source ?? "untrusted",
    };
    Object.defineProperty(target, TOOL, { value: isPlainObject(options) ? own : options, configurable: true });
    const place: McpToolEntry = { server, tool, form: "@McpTool" };
    Object.defineProperty(target, MCP_TOOL, { value: place, configurable: true });
  };
}
