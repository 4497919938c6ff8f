import type { JsonObject, JsonValue } from "tenon";
import type { DtoShape } from "./shape.js";

/** What a server says of a tool's manners. */
export interface ToolHints {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
}

/** A tool as its server lists it; the part of it that is generated from. */
export interface ServerTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly annotations?: ToolHints | undefined;
}

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
  readonly tool: ServerTool;
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
