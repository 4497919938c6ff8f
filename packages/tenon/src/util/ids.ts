import { uuid } from "./uuid.js";

/** Where fresh ids come from. Tests give their own. */
export interface Ids {
  /** A run id, a thread id, an app: unique everywhere. */
  next(): string;
}

export const systemIds: Ids = { next: uuid };

/** What a run id given by the caller must look like. */
export const RUN_ID: RegExp = /^[A-Za-z0-9-]{8,64}$/;
