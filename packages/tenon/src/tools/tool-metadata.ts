import type { ToolOptions } from "./tool-options.js";

/** Where `@Tool` keeps its options on the class; shared by all copies of the package. */
export const TOOL: unique symbol = Symbol.for("tenon.tool") as never;

/** The options of a class decorated with `@Tool`; a subclass is a tool only if it is decorated itself. */
export function toolOptionsOf(target: unknown): ToolOptions | undefined {
  if (typeof target !== "function" || !Object.hasOwn(target, TOOL)) return undefined;
  return (target as unknown as { readonly [TOOL]: ToolOptions })[TOOL];
}
