import type { JsonValue } from "./json.js";

/** A place where a run waits for a person. Plain data: it is stored with the run. */
export interface Pause {
  /** `pause_<call id>_<n>`. */
  readonly id: string;
  readonly runId: string;
  readonly threadId: string;
  readonly kind: "approval";
  readonly question: string;
  readonly agent: string;
  readonly tool: string;
  readonly callId: string;
  /** The input that would run, in its JSON form; values of sensitive fields are masked. */
  readonly input: JsonValue;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
}

export interface Approved {
  readonly approved: true;
  /** Who said so; kept with the run. */
  readonly by: string;
}

export interface NotApproved {
  readonly approved: false;
  /** The model reads it. */
  readonly reason: string;
  readonly by?: string | undefined;
}

/** A person's answer to an approval. */
export type Decision = Approved | NotApproved;
