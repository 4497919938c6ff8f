import type { JsonObject, JsonValue } from "tenon";
import type { ListedTool } from "tenon/mcp";
import type { DtoShape } from "./shape.js";

/** How an input or an output is written. */
export type PartPlan =
  | { readonly kind: "none" }
  | { readonly kind: "plain-text" }
  /** The last class is the part itself. */
  | { readonly kind: "dto"; readonly dtos: readonly DtoShape[] }
  /** As the server has it; `why` no class says the same. */
  | { readonly kind: "schema"; readonly typeName: string; readonly schema: JsonObject; readonly why: string };

/** A call for the tool's test: all of it was tried. */
export interface SampleCall {
  readonly input: JsonValue;
  /** What the server gets: with defaults. */
  readonly sent: JsonValue;
  /** What the server answers, and what comes of it; `undefined` where no answer is known that fits. */
  readonly answer: JsonValue | undefined;
}

/** All that the files of one tool are written from. */
export interface ToolPlan {
  readonly tool: ListedTool;
  readonly className: string;
  /** Without its ending. */
  readonly fileName: string;
  /** The tool's own name for the model, where the one that it has at the server is another tool's too. */
  readonly ownName: string | undefined;
  readonly input: PartPlan;
  readonly output: PartPlan;
  readonly access: "read" | "write";
  readonly sample: SampleCall | undefined;
}
