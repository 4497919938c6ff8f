import type { Dep } from "../container/keys.js";
import type { ToolDeclaration } from "../llm/model.js";
import type { CompiledSchema } from "../schema/compiled-schema.js";
import type { Maybe } from "../util/class.js";
import type { CallHook, OnAfterCall, OnBeforeCall } from "./call-hook.js";
import type { RemoteTool } from "./remote-tool.js";
import type { ToolContext } from "./tool-context.js";
import type { Approval } from "./tool-options.js";

/** What runs a call, of whatever form the tool was written in. */
export interface Handler {
  run(input: unknown, ctx: ToolContext): unknown;
  readonly onBeforeCall?: OnBeforeCall | undefined;
  readonly onAfterCall?: OnAfterCall | undefined;
  /** Finds out what became of a call that was interrupted. */
  readonly reconcile?: ((callId: string, input: any) => unknown) | undefined;
}

/** A tool that is ready to be called: the one form that all ways to write a tool become. Made once, at assembly. */
export interface BoundTool {
  readonly name: string;
  readonly description: string;
  readonly access: "read" | "write";
  readonly approval: Approval;
  /** How long somebody may take to approve; for ever where it is `undefined`. */
  readonly approvalMs: number | undefined;
  readonly inDoubt: "rerun" | "ask";
  readonly durable: boolean;
  readonly polling: boolean;
  /** Its results are the words of strangers. */
  readonly untrusted: boolean;
  readonly exclusive: ((input: any) => string | undefined) | undefined;
  /** How many of its handlers are still running although their call has a result. Counted by the pipeline. */
  readonly overdue: { count: number };
  /** What one attempt of a call costs at most, in nano-USD. */
  readonly maxCostNanoUsd: number | undefined;
  readonly timeoutMs: number;
  readonly maxResultChars: number;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly hooks: readonly CallHook[];
  /** What it depends on, in order. */
  readonly deps: readonly Dep[];
  readonly declaration: ToolDeclaration;
  /** A plain call needs one record; any other keeps its admission apart from its execution. */
  readonly plain: boolean;
  /** Where it lives, if not in this process. */
  readonly remote: RemoteTool | undefined;
  /** The handler, for the scope of one run. Throws, or rejects with, what keeps it from being made. */
  open(instances: unknown): Maybe<Handler>;
}
