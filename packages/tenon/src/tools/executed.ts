import type { ToolResult } from "../protocol/tool-result.js";
import type { Suspension } from "./resumption.js";

/** What execution gave, with what the handler reported to have spent. */
export type Executed =
  | { readonly result: ToolResult; readonly costNanoUsd?: number | undefined }
  /** The handler asked a question that nobody has answered yet, and starts again once somebody has. */
  | { readonly suspended: Suspension; readonly costNanoUsd?: number | undefined };

/** Hears what the execution of a call gave: once, at once or later. */
export interface ExecutionEnd {
  /** `started`: its handler was called. */
  executed(executed: Executed, started: boolean): void;
  /** The journal does not fit the handler: the run cannot go on. */
  broken(thrown: unknown): void;
}
