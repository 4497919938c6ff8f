import type { AgentOptions } from "./agent-options.js";

/** Where `@Agent` keeps its options on the class; shared by all copies of the package. */
export const AGENT: unique symbol = Symbol.for("tenon.agent") as never;

export interface AgentDeclaration {
  readonly options: AgentOptions;
  /** The file that `promptUrls` are relative to, as a URL, where the stack told. */
  readonly declaredIn: string | undefined;
}

/** What `@Agent` said of a class, or what a value of `defineAgent` says; a subclass is an agent only if it is decorated itself. */
export function agentDeclarationOf(target: unknown): AgentDeclaration | undefined {
  if ((typeof target !== "function" && typeof target !== "object") || target === null) return undefined;
  if (!Object.hasOwn(target, AGENT)) return undefined;
  return (target as unknown as { readonly [AGENT]: AgentDeclaration })[AGENT];
}
