import type { JsonObject, JsonValue } from "./json.js";

/**
 * What a run waits for. `approval`: may this call run? `question`: a handler asked with `ctx.pause`. `in-doubt`: a call with
 * side effects was interrupted, and only a person can find out what happened.
 */
export type PauseKind = "approval" | "question" | "in-doubt";

/** What interrupted a call whose outcome nobody knows. */
export type Interruption = "crash" | "timeout" | "cancel";

/** A place where a run waits for a person. Plain data: it is stored with the run. */
export interface Pause {
  /** `pause_<call id>_<n>`, `n` counted from 1 in each call. */
  readonly id: string;
  readonly runId: string;
  readonly threadId: string;
  readonly kind: PauseKind;
  readonly question: string;
  readonly agent: string;
  readonly tool: string;
  readonly callId: string;
  /** The input of the call in its JSON form; values of sensitive fields are masked. */
  readonly input: JsonValue;
  /** SHA-256 of the call id and the whole input, in hexadecimal digits. A decision that names it counts for exactly this input. */
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  /** Past it (milliseconds since 1970) the pause counts as not approved. */
  readonly expiresAt?: number | undefined;
  /** The JSON Schema that an answer must fit; only a `question` may have one. */
  readonly schema?: JsonObject | undefined;
  /** What interrupted the call; only of one that is `in-doubt`. */
  readonly interruption?: Interruption | undefined;
}

/** Yes to an approval. */
export interface Approved {
  readonly approved: true;
  /** Who said so; kept with the run. */
  readonly by: string;
  /** Changes to the input: a JSON merge patch (RFC 7396). It is checked before it is taken. */
  readonly edit?: JsonObject | undefined;
  /** The `digest` of the pause that was looked at: the decision is refused where it is another one. */
  readonly digest?: string | undefined;
}

/** No to an approval or a question. */
export interface NotApproved {
  readonly approved: false;
  /** The model reads it. */
  readonly reason: string;
  readonly by?: string | undefined;
  readonly digest?: string | undefined;
}

/** The answer to a question of `ctx.pause`. */
export interface Answered {
  /** Fits the pause's `schema`, where it has one. */
  readonly answer: JsonValue;
  readonly by: string;
  readonly digest?: string | undefined;
}

/** What a person found out about a call in doubt. */
export type Found =
  /** It happened: `result` is what the tool would have returned. */
  | {
      readonly action: "done";
      readonly result: JsonValue;
      readonly by: string;
      readonly digest?: string | undefined;
    }
  /** It did not happen, or may happen again: the call runs again with the same call id. */
  | { readonly action: "rerun"; readonly by: string; readonly digest?: string | undefined }
  /** Nobody can tell: the model reads that the outcome is not known. */
  | {
      readonly action: "give-up";
      readonly by: string;
      readonly reason?: string | undefined;
      readonly digest?: string | undefined;
    };

/** A person's answer to a pause. */
export type Decision = Approved | NotApproved | Answered | Found;

/** How a pause ended without a person. */
export interface Lapsed {
  /** `expired`: its time was over. `cancelled`: its run was ended. `superseded`: its run made way for a newer one. */
  readonly lapsed: "expired" | "cancelled" | "superseded";
}

/** A pause with what became of it: who decided what, and when. */
export interface PauseAudit {
  readonly pause: Pause;
  /** `undefined` while it is open. */
  readonly decision: Decision | Lapsed | undefined;
  /** Milliseconds since 1970; `undefined` while it is open. */
  readonly decidedAt: number | undefined;
}
