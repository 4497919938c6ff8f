import type { JsonObject, JsonValue } from "../../protocol/json.js";

/** What a server answered to a call, as it was received: nothing is checked against the tool's schema. */
export interface CallAnswer {
  /** The blocks of the answer. Each is an object with a `type` that is text; what else stands in it is not checked. */
  readonly content: readonly JsonObject[];
  /** Any JSON value: a server may send what is no object. */
  readonly structuredContent?: JsonValue | undefined;
  /** The tool itself says that it failed. */
  readonly isError: boolean;
}

/** How far a call is, in the server's words. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** How one call is made. */
export interface CallOptions {
  /** Ends the call: the server is told that it was given up. */
  readonly signal?: AbortSignal | undefined;
  /** The execution context of the run, from which the headers of this caller are made. */
  readonly context?: unknown;
  /** Told of progress; of a flood, the newest every so often. What it throws is dropped. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}
