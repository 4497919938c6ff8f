import type { Repair } from "../protocol/event.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolFailure } from "../protocol/tool-result.js";

/** What admission says of a call. Plain data: it is recorded and never made again. */
export type Admission =
  | { readonly kind: "refused"; readonly result: ToolFailure }
  | {
      readonly kind: "ask";
      readonly input: JsonValue;
      readonly question: string;
      readonly repairs: readonly Repair[];
      /** What a decision is bound to. */
      readonly digest: string;
      readonly expiresInMs?: number | undefined;
    }
  | { readonly kind: "admitted"; readonly input: JsonValue; readonly repairs: readonly Repair[] };
