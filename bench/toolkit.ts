import type { AgentOptions } from "tenon";
import type { FloorTool } from "./floor-loop.ts";

/** The same tools for both sides. Each call of a maker gives fresh ones, with a count of their executions. */
export interface Toolkit {
  readonly system: string;
  floor(): { readonly tools: readonly FloorTool[]; readonly count: () => number };
  tenon(): { readonly tools: NonNullable<AgentOptions["tools"]>; readonly count: () => number };
}
