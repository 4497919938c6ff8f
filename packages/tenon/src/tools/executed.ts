import type { ToolResult } from "../protocol/tool-result.js";

/** What execution gave, with what the handler reported to have spent. */
export interface Executed {
  readonly result: ToolResult;
  readonly costNanoUsd?: number | undefined;
}

/** Hears what the execution of a call gave: once, at once or later. */
export interface ExecutionEnd {
  executed(executed: Executed): void;
}
