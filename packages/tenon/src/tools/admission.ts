import type { Repair } from "../protocol/event.js";
import type { JsonValue } from "../protocol/json.js";
import type { ToolFailure } from "../protocol/tool-result.js";

/** What a call runs with. */
export interface AdmittedInput {
  readonly input: JsonValue;
  readonly repairs: readonly Repair[];
}

/** A call that a person is asked about. */
export interface AskedAdmission extends AdmittedInput {
  readonly kind: "ask";
  readonly question: string;
  /** What a decision is bound to. */
  readonly digest: string;
  readonly expiresInMs?: number | undefined;
}

/** What admission says of a call. Plain data: it is recorded and never made again. */
export type Admission =
  | {
      readonly kind: "refused";
      readonly result: ToolFailure;
      /** What a hook denied, for the after-hooks; it is not recorded. */
      readonly input?: JsonValue | undefined;
    }
  | AskedAdmission
  | ({ readonly kind: "admitted" } & AdmittedInput);
